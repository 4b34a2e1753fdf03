import { useEffect } from 'react';
import { Link } from 'wouter';
import { whenIdle } from '../../browser/idle.ts';
import { calls } from '../../contract/calls.ts';
import type { CurrentUser } from '../../contract/console/account.ts';
import type { Bill, Subscription } from '../../contract/console/billing.ts';
import type { ListPage } from '../../contract/console/list-page.ts';
import type { Order } from '../../contract/console/orders.ts';
import { useCall } from '../calls.ts';
import { editionNames } from '../orders/edition-names.ts';
import { orderStates } from '../orders/order-states.ts';
import { Amount } from '../parts/Amount.tsx';
import { Day } from '../parts/Day.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Moment } from '../parts/Moment.tsx';
import { Section } from '../parts/Section.tsx';
import { State } from '../parts/State.tsx';
import { NoPrice } from '../saas/NoPrice.tsx';
import { subscriptionStates } from '../saas/subscription-states.ts';
import { JobSummary } from './JobSummary.tsx';

/** Code for dialogs and lists that later pages share, loaded while the user reads this light page. */
const loadParts = () => Promise.all([import('../parts/Dialog.tsx'), import('../parts/Tabs.tsx')]);

/** What an account has, and what needs its owner's attention. */
export default function Overview() {
  // A part that fails to load now is requested again by the page that needs it.
  useEffect(() => whenIdle(() => void loadParts().catch(() => undefined)), []);
  const user = useCall<CurrentUser>(calls.queryLoginUser);
  const orders = useCall<ListPage<Order>>(calls.queryOrders, { page: 1, pageSize: 3 });
  const subscription = useCall<Subscription>(calls.subscription, { action: 'READ' });
  const bills = useCall<ListPage<Bill>>(calls.listBilling, { page: 1, pageSize: 3 });
  return (
    <>
      <Loaded query={user}>
        {({ username, credits }) => (
          <dl className="console-facts">
            <dt>Signed in as</dt>
            <dd>{username}</dd>
            <dt>Credits</dt>
            <dd>
              <Amount of={credits} />
            </dd>
          </dl>
        )}
      </Loaded>
      <JobSummary />
      <Section title="Orders">
        <Loaded query={orders}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No orders yet">
                <p>
                  <Link href="/console/licences">Get a licence</Link> for an installation of your own.
                </p>
              </Empty>
            ) : (
              <ul className="console-list">
                {items.map((order) => (
                  <li key={order.orderId}>
                    <Link href={`/console/orders?order=${order.orderId}`}>
                      {editionNames[order.edition]}, {order.links} links, <Moment at={order.createdAt} day />
                    </Link>
                    <State tone={orderStates[order.status].tone}>{orderStates[order.status].label}</State>
                    <Amount of={order.total} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
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
      <Section title="Latest bills">
        <Loaded query={bills}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="console-lede">There are no bills yet: nothing has been moved.</p>
            ) : (
              <ul className="console-list">
                {items.map((bill) => (
                  <li key={bill.id}>
                    <Link href="/console/billing">
                      <Day iso={bill.day} />
                    </Link>
                    <Amount of={bill.amount} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
    </>
  );
}
