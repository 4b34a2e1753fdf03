import { lazy, useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { Bill } from '../../contract/console/billing.ts';
import type { ListPage } from '../../contract/console/list-page.ts';
import { useCall } from '../calls.ts';
import { Amount } from '../parts/Amount.tsx';
import { Day } from '../parts/Day.tsx';
import { Empty } from '../parts/Empty.tsx';
import { LazyPart } from '../parts/LazyPart.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Pages } from '../parts/Pages.tsx';
import { State, type Tone } from '../parts/State.tsx';
import { useTheme } from '../parts/use-theme.ts';
import { NoPrice } from '../saas/NoPrice.tsx';

const pageSize = 30;
const states: Record<Bill['status'], { label: string; tone: Tone }> = {
  COVERED: { label: 'Covered by credits', tone: 'good' },
  OPEN: { label: 'To be paid', tone: 'waits' },
  PAID: { label: 'Paid', tone: 'good' },
  VOID: { label: 'Void', tone: 'over' },
};
const BillChart = lazy(() => import('./BillChart.tsx'));
const BillLines = lazy(() => import('./BillLines.tsx'));

/** One bill a day: a chart of the days, then each bill with its lines. */
export default function Billing() {
  const [page, setPage] = useState(1);
  const theme = useTheme();
  const bills = useCall<ListPage<Bill>>(calls.listBilling, { page, pageSize });
  return (
    <>
      <NoPrice />
      <Loaded query={bills} lines={6}>
        {({ total, items }) =>
          total === 0 ? (
            <Empty title="No bills yet">
              <p>Nothing has been moved so far. A bill is created after midnight UTC for each day with usage.</p>
            </Empty>
          ) : (
            <>
              {items.length > 1 && (
                <LazyPart lines={4}>
                  <BillChart key={theme} theme={theme} bills={items} />
                </LazyPart>
              )}
              {items.map((bill) => (
                <BillEntry key={bill.id} bill={bill} />
              ))}
              <Pages page={page} pageSize={pageSize} total={total} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** A day in one line; its lines are loaded when it is unfolded. */
function BillEntry({ bill }: { bill: Bill }) {
  const [opened, setOpened] = useState(false);
  // Without a subscription only credits are used.
  const isGiven = bill.status === 'COVERED' && bill.credits.amount < bill.amount.amount;
  return (
    <details className="console-entry" onToggle={() => setOpened(true)}>
      <summary>
        <Day iso={bill.day} />
        <State tone={states[bill.status].tone}>{isGiven ? 'Not charged' : states[bill.status].label}</State>
        <Amount of={bill.amount} />
      </summary>
      {opened && (
        <LazyPart lines={3}>
          <BillLines bill={bill} />
        </LazyPart>
      )}
    </details>
  );
}
