import type { Queries } from '../../storage/database.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';
import type { TaskHandler } from '../tasks/task-handler.ts';
import { checkout, fulfilCheckout } from './fulfil-checkout.ts';
import { askAboutKnown } from './stripe.ts';

const pollEveryMs = 10 * 60_000;

/** Has a page of the payment service looked at: its event may never arrive, as with a wrong signing secret. */
export function scheduleCheckoutPoll(queries: Queries, page: string, now: number): Promise<void> {
  return scheduleTask(queries, { kind: 'poll-checkout', key: page, payload: '', dueAt: now + pollEveryMs });
}

/** Looks at a page of the payment service until it is finished or has expired; its key is the page's id there. */
export const pollCheckout: TaskHandler = async (services, { key }) => {
  // The operator no longer accepts cards.
  if (!services.payments) return undefined;
  const page = await askAboutKnown(services.payments.stripe.checkout.sessions.retrieve(key));
  if (page?.status === 'open') return services.now() + pollEveryMs;
  // A subscription that was cancelled after the page was opened stays cancelled.
  if (page?.status === 'complete' && (await fulfilCheckout(services, checkout.parse(page), page.created * 1_000)))
    services.log.warn(
      { checkout: key },
      'a payment was found that was not reported: check that the payment service reaches PUBLIC_URL/webhooks/stripe and that STRIPE_WEBHOOK_SECRET is the signing secret of that webhook',
    );
  return undefined;
};
