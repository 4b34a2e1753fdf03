import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { calls } from '../../contract/calls.ts';
import type { ListPage } from '../../contract/console/list-page.ts';
import type { Order, OrderStatus } from '../../contract/console/orders.ts';
import { useCall } from '../calls.ts';
import { Empty } from '../parts/Empty.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Pages } from '../parts/Pages.tsx';
import { Select } from '../parts/Select.tsx';
import { BackFromPayment } from '../saas/BackFromPayment.tsx';
import { OrderEntry } from './OrderEntry.tsx';
import { orderStates } from './order-states.ts';

const pageSize = 10;
const states = Object.entries(orderStates).map(([value, { label }]) => ({ value, label }));
const filter = [{ value: '', label: 'All' }, ...states];

const isStatus = (text: string): text is OrderStatus => Object.hasOwn(orderStates, text);

/** The account's orders, each with its history, its payment or its code. */
export default function Orders() {
  const [query] = useSearchParams();
  const [page, setPage] = useState(1);
  const [status, setStatus] = useState<OrderStatus>();
  const linkedId = query.get('order') ?? '';
  const orders = useCall<ListPage<Order>>(calls.queryOrders, { page, pageSize, ...(status && { status }) });
  // A link, as in a mail, may be to an order that is not on this page.
  const isElsewhere = orders.data?.items.every(({ orderId }) => orderId !== linkedId) ?? false;
  const linked = useCall<ListPage<Order>>(
    calls.queryOrders,
    { page: 1, pageSize: 1, orderId: linkedId },
    { enabled: linkedId !== '' && isElsewhere },
  );
  const [linkedOrder] = linked.data?.items ?? [];
  return (
    <>
      <BackFromPayment call={calls.queryOrders} />
      <div className="console-filter">
        <Select
          id="order-state"
          label="State"
          options={filter}
          value={status ?? ''}
          onChange={({ target }) => {
            setStatus(isStatus(target.value) ? target.value : undefined);
            setPage(1);
          }}
        />
      </div>
      <Loaded query={orders} lines={6}>
        {({ total, items }) =>
          total === 0 ? (
            <Empty title={status ? 'No order in this state' : 'No orders yet'}>
              {!status && (
                <p>
                  <Link href="/console/licences">Get a licence</Link> for an installation of your own.
                </p>
              )}
            </Empty>
          ) : (
            <>
              {linkedOrder && isElsewhere && <OrderEntry key={linkedId} order={linkedOrder} open />}
              {items.map((order) => (
                <OrderEntry key={order.orderId} order={order} open={linkedId === order.orderId} />
              ))}
              <Pages page={page} pageSize={pageSize} total={total} onPage={setPage} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
