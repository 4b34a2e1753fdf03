import { useEffect } from 'react';
import { whenIdle } from '../../browser/idle.ts';
import { AccountSummary } from './AccountSummary.tsx';
import { BillSummary } from './BillSummary.tsx';
import { JobSummary } from './JobSummary.tsx';
import { OrderSummary } from './OrderSummary.tsx';
import { SubscriptionSummary } from './SubscriptionSummary.tsx';

/** Code for dialogs and lists that later pages share, loaded while the user reads this light page. */
const loadParts = () => Promise.all([import('../parts/Dialog.tsx'), import('../parts/Tabs.tsx')]);

/** What an account has, and what needs its owner's attention. */
export default function Overview() {
  // A part that fails to load now is requested again by the page that needs it.
  useEffect(() => whenIdle(() => void loadParts().catch(() => undefined)), []);
  return (
    <>
      <AccountSummary />
      <JobSummary />
      <OrderSummary />
      <SubscriptionSummary />
      <BillSummary />
    </>
  );
}
