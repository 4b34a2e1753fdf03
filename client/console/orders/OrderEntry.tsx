import { lazy, useState } from 'react';
import type { Order } from '../../contract/console/orders.ts';
import { counted } from '../../contract/counted.ts';
import { Amount } from '../parts/Amount.tsx';
import { LazyPart } from '../parts/LazyPart.tsx';
import { Moment } from '../parts/Moment.tsx';
import { State } from '../parts/State.tsx';
import { editionNames } from './edition-names.ts';
import { orderStates } from './order-states.ts';

const OrderDetail = lazy(() => import('./OrderDetail.tsx'));

/** An order in one line; its details are loaded when it is unfolded. */
export function OrderEntry({ order, open }: { order: Order; open: boolean }) {
  const [opened, setOpened] = useState(open);
  const { label, tone } = orderStates[order.status];
  return (
    <details className="console-entry" open={open} onToggle={() => setOpened(true)}>
      <summary>
        <span>
          {editionNames[order.edition]}, {counted(order.links, 'link')}, <Moment at={order.createdAt} day />
        </span>
        <State tone={tone}>{label + refundNote(order)}</State>
        <Amount of={order.total} />
      </summary>
      {opened && (
        <LazyPart lines={3}>
          <OrderDetail order={order} />
        </LazyPart>
      )}
    </details>
  );
}

function refundNote({ refunded, total }: Order): string {
  if (!refunded) return '';
  return refunded.amount < total.amount ? ', refunded in part' : ', refunded';
}
