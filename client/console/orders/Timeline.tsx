import type { Order, OrderStatus } from '../../contract/console/orders.ts';
import { Moment } from '../parts/Moment.tsx';
import { orderStates } from './order-states.ts';

const way: OrderStatus[] = ['WAIT_PAY', 'PAID', 'ISSUED'];

/** The states that an order has passed, with times, then those still to come. */
export function Timeline({ events, status }: Pick<Order, 'events' | 'status'>) {
  const ahead = status === 'CLOSED' ? [] : way.slice(way.indexOf(status) + 1);
  return (
    <ol className="console-timeline">
      {events.map(({ status, at }) => (
        <li key={status}>
          {orderStates[status].label}
          <Moment at={at} />
        </li>
      ))}
      {ahead.map((status) => (
        <li key={status} className="ahead">
          {orderStates[status].label}
          <span>to come</span>
        </li>
      ))}
    </ol>
  );
}
