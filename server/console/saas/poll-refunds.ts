import { dayMs } from '../../../client/contract/dates.ts';
import type { ConsoleServices } from '../services.ts';
import type { TaskHandler } from '../tasks/task-handler.ts';
import { dispute, recordDispute } from './record-dispute.ts';
import { recordRefund, refund } from './record-refund.ts';
import { askStripe } from './stripe.ts';

const hourMs = 3_600_000;
/** A refund can take two weeks until it is made; what was processed is remembered for a month. */
const refundsSinceMs = 20 * dayMs;
/** Banks take months to decide. */
const disputesSinceMs = 120 * dayMs;

/** Looks, every hour, for refunds and disputes at the payment service: it does not report them unless it is set up so. */
export const pollRefunds: TaskHandler = async (services) => {
  const { payments, now } = services;
  if (!payments) return undefined;
  const { refunds, disputes } = payments.stripe;
  const since = (ms: number) => ({ created: { gte: Math.floor((now() - ms) / 1_000) }, limit: 100 });
  await askStripe(reportEach(services, refunds.list(since(refundsSinceMs))));
  await askStripe(reportEach(services, disputes.list(since(disputesSinceMs))));
  return now() + hourMs;
};

/** @throws the first fault, once all others were processed */
async function reportEach(services: ConsoleServices, list: AsyncIterable<object>): Promise<void> {
  const faults: unknown[] = [];
  for await (const object of list) await reportRefund(services, object).catch((fault: unknown) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}

/** Processes a refund or a dispute as the payment service describes it; ignores everything else. */
export async function reportRefund(services: ConsoleServices, object: unknown): Promise<void> {
  const made = refund.safeParse(object).data;
  if (made) return recordRefund(services, made);
  const about = dispute.safeParse(object).data;
  if (about) await recordDispute(services, about);
}
