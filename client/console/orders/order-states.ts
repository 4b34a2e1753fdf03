import type { OrderStatus } from '../../contract/console/orders.ts';
import type { Tone } from '../parts/State.tsx';

export const orderStates: Record<OrderStatus, { label: string; tone: Tone }> = {
  WAIT_PAY: { label: 'Awaiting payment', tone: 'waits' },
  PAID: { label: 'Paid', tone: 'good' },
  ISSUED: { label: 'Issued', tone: 'good' },
  CLOSED: { label: 'Closed', tone: 'over' },
};
