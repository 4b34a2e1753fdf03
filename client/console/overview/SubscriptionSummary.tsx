import { Link } from 'wouter';
import { calls } from '../../contract/calls.ts';
import type { Subscription } from '../../contract/console/billing.ts';
import { useCall } from '../calls.ts';
import { Loaded } from '../parts/Loaded.tsx';
import { Section } from '../parts/Section.tsx';
import { State } from '../parts/State.tsx';
import { NoPrice } from '../saas/NoPrice.tsx';
import { subscriptionStates } from '../saas/subscription-states.ts';

/** The state of the subscription. */
export function SubscriptionSummary() {
  const subscription = useCall<Subscription>(calls.subscription, { action: 'READ' });
  return (
    <Section title="Subscription">
      <NoPrice />
      <Loaded query={subscription}>
        {({ status }) => (
          <ul className="console-list">
            <li>
              <Link href="/console/subscription">{status === 'NONE' ? 'Subscribe' : 'Show the subscription'}</Link>
              <State tone={subscriptionStates[status].tone}>{subscriptionStates[status].label}</State>
            </li>
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
