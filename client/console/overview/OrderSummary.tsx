import { Link } from 'wouter';
import { calls } from '../../contract/calls.ts';
import type { ListPage } from '../../contract/console/list-page.ts';
import type { Order } from '../../contract/console/orders.ts';
import { counted } from '../../contract/counted.ts';
import { useCall } from '../calls.ts';
import { editionNames } from '../orders/edition-names.ts';
import { orderStates } from '../orders/order-states.ts';
import { Amount } from '../parts/Amount.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Moment } from '../parts/Moment.tsx';
import { Section } from '../parts/Section.tsx';
import { State } from '../parts/State.tsx';

/** The newest orders. */
export function OrderSummary() {
  const orders = useCall<ListPage<Order>>(calls.queryOrders, { page: 1, pageSize: 3 });
  return (
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
                    {editionNames[order.edition]}, {counted(order.links, 'link')}, <Moment at={order.createdAt} day />
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
  );
}
