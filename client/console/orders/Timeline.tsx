import type { Order } from '../../contract/console/orders.ts';
import { Moment } from '../parts/Moment.tsx';
import { orderStates } from './order-states.ts';

/** What happened to an order, and when. */
export function Timeline({ events }: Pick<Order, 'events'>) {
  return (
    <ol className="console-timeline">
      {events.map(({ status, at }) => (
        <li key={status}>
          {orderStates[status].label}
          <Moment at={at} />
        </li>
      ))}
    </ol>
  );
}
