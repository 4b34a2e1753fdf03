import type { Subscription } from '../../contract/console/billing.ts';
import type { Tone } from '../parts/State.tsx';

export const subscriptionStates: Record<Subscription['status'], { label: string; tone: Tone }> = {
  NONE: { label: 'Not subscribed', tone: 'over' },
  ACTIVE: { label: 'Active', tone: 'good' },
  PAST_DUE: { label: 'Payment overdue', tone: 'bad' },
  CANCELS_AT_PERIOD_END: { label: 'Ends with the current period', tone: 'waits' },
  CANCELED: { label: 'Ended', tone: 'over' },
};
