import type { Order, OrderCloser } from '../../contract/console/orders.ts';

const reasons: Record<OrderCloser, string> = {
  owner: 'You closed this order.',
  operator: 'The seller closed this order.',
  clock: 'No payment arrived within 24 hours, so the order was closed.',
  refund:
    'The price deducted what was left of a licence that has been refunded since, so the order was closed. If you still want the licence, please order it again: the price is then calculated anew.',
};

/** Why an order was closed, and what to do if it was paid nevertheless. */
export function ClosedNote({ closedBy, reference }: { closedBy: OrderCloser } & Pick<Order, 'reference'>) {
  return (
    <p>
      {reasons[closedBy]} If you have already paid, write to the seller and name the order <code>{reference}</code>.
    </p>
  );
}
