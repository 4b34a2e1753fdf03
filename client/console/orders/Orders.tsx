import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { calls } from '../../contract/calls.ts';
import type { ListPage } from '../../contract/console/list-page.ts';
import type { Order } from '../../contract/console/orders.ts';
import { useCall, useChange } from '../calls.ts';
import { editionNames } from '../licences/QuoteForm.tsx';
import { Amount } from '../parts/Amount.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Moment } from '../parts/Moment.tsx';
import { Pages } from '../parts/Pages.tsx';
import { Problem } from '../parts/Problem.tsx';
import { State } from '../parts/State.tsx';
import { AuthCode } from './AuthCode.tsx';
import { orderStates } from './order-states.ts';
import { Timeline } from './Timeline.tsx';
import { TransferNote } from './TransferNote.tsx';

const pageSize = 10;

/** The account's orders, each with its history, its payment or its code. */
export default function Orders() {
  const [query] = useSearchParams();
  const [page, setPage] = useState(1);
  const orders = useCall<ListPage<Order>>(calls.queryOrders, { page, pageSize });
  return (
    <Loaded query={orders} lines={6}>
      {({ total, items }) =>
        total === 0 ? (
          <Empty title="No orders yet">
            <p>
              <Link href="/console/licences">Get a licence</Link> for an installation of your own.
            </p>
          </Empty>
        ) : (
          <>
            {items.map((order) => (
              <OrderEntry key={order.orderId} order={order} open={query.get('order') === order.orderId} />
            ))}
            <Pages page={page} pageSize={pageSize} total={total} onPage={setPage} />
          </>
        )
      }
    </Loaded>
  );
}

function OrderEntry({ order, open }: { order: Order; open: boolean }) {
  const queries = useQueryClient();
  const close = useChange<{ status: string }, { orderId: string }>(calls.closeOrder, {
    onSuccess: () => queries.invalidateQueries(),
  });
  const { label, tone } = orderStates[order.status];
  return (
    <details className="console-entry" open={open}>
      <summary>
        <span>
          {editionNames[order.edition]}, {order.links} links, <Moment at={order.createdAt} day />
        </span>
        <State tone={tone}>{label}</State>
        <Amount of={order.total} />
      </summary>
      <Timeline events={order.events} />
      {order.transfer && <TransferNote transfer={order.transfer} />}
      {order.status === 'ISSUED' && (
        <>
          <p>
            Valid from <Moment at={order.from} /> to <Moment at={order.to} />.
          </p>
          <AuthCode orderId={order.orderId} />
        </>
      )}
      {order.status === 'WAIT_PAY' && (
        <button
          type="button"
          className="button"
          disabled={close.isPending}
          onClick={() => close.mutate({ orderId: order.orderId })}
        >
          Close the order
        </button>
      )}
      {close.error && <Problem sentence={close.error.message} />}
    </details>
  );
}
