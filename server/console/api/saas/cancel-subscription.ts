import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { cancelSubscription as cancel } from '../../saas/subscriptions.ts';
import { signedInCall } from '../define-call.ts';
import { line } from '../fields.ts';

const schema = z.strictObject({ subscriptionId: z.string().min(1).max(64), reason: line(1000).default('') });

/** Cancels the subscription at the end of its period. */
export const cancelSubscription = signedInCall(
  calls.cancelSubscription,
  schema,
  async ({ session, body: { subscriptionId: id, reason } }, { database, now }) => {
    const { status, periodEnd } = await cancel(database, { uid: session.uid, id, reason, now: now() });
    return { status, periodEnd };
  },
);
