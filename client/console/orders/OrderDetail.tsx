import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { calls } from '../../contract/calls.ts';
import type { Order } from '../../contract/console/orders.ts';
import { counted } from '../../contract/counted.ts';
import { useChange } from '../calls.ts';
import { Amount } from '../parts/Amount.tsx';
import { Confirm } from '../parts/Confirm.tsx';
import { Menu } from '../parts/Menu.tsx';
import { Moment } from '../parts/Moment.tsx';
import { AuthCode } from './AuthCode.tsx';
import { CardPayment } from './CardPayment.tsx';
import { ClosedNote } from './ClosedNote.tsx';
import { Timeline } from './Timeline.tsx';
import { TransferNote } from './TransferNote.tsx';

/** An order's history, how to pay it, or its code. */
export default function OrderDetail({ order }: { order: Order }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [asking, setAsking] = useState(false);
  const close = useChange<{ status: string }, { orderId: string }>(calls.closeOrder, {
    onSuccess: () => setAsking(false),
    // Also after a refusal: it may have been paid or closed meanwhile.
    onSettled: () => queries.invalidateQueries(),
  });
  const actions = [
    { label: 'Order another licence', onAction: () => navigate('/console/licences') },
    ...(order.status === 'ISSUED'
      ? [{ label: 'Show the invoices', onAction: () => navigate('/console/invoices') }]
      : []),
    ...(order.status === 'WAIT_PAY' ? [{ label: 'Close the order', onAction: () => setAsking(true) }] : []),
  ];
  return (
    <div className="console-detail">
      <Timeline events={order.events} status={order.status} />
      {order.closedBy && <ClosedNote closedBy={order.closedBy} reference={order.reference} />}
      {order.transfer && <TransferNote transfer={order.transfer} />}
      {order.cardUntil !== undefined && <CardPayment orderId={order.orderId} until={order.cardUntil} />}
      {order.refunded && (
        <p>
          <Amount of={order.refunded} /> of the price was refunded. The licence stays valid to its end; the credit notes
          are under Invoices.
        </p>
      )}
      {order.status === 'ISSUED' && (
        <>
          <p>
            Valid from <Moment at={order.from} /> to <Moment at={order.to} />.
          </p>
          <AuthCode orderId={order.orderId} />
        </>
      )}
      <Menu label="Actions" about={`for the order of ${counted(order.links, 'link')}`} items={actions} />
      <Confirm
        title="Close the order?"
        open={asking}
        action="Close this order"
        busy={close.isPending}
        error={close.error}
        onConfirm={() => close.mutate({ orderId: order.orderId })}
        onClose={() => setAsking(false)}
      >
        <p>A closed order cannot be reopened. If you have already paid, leave it open: the licence is issued for it.</p>
      </Confirm>
    </div>
  );
}
