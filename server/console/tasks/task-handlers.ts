import { normalisePhones } from '../account/normalise-phones.ts';
import { billTask } from '../billing/daily-bills.ts';
import { closeUnpaidOrder } from '../licensing/close-unpaid-order.ts';
import { remindOfLicence } from '../licensing/licence-reminder.ts';
import { sendQueuedMessage } from '../messages/send-queued-message.ts';
import { collectInvoice } from '../saas/collect-invoice.ts';
import { expirePage } from '../saas/expire-page.ts';
import { pollCheckout } from '../saas/poll-checkout.ts';
import { pollRefunds } from '../saas/poll-refunds.ts';
import { endPeriod } from '../saas/subscriptions.ts';
import { updateCustomer } from '../saas/update-customer.ts';
import { deleteOld } from './delete-old.ts';
import type { TaskKind } from './schedule-task.ts';
import type { TaskHandler } from './task-handler.ts';

/** The handler of each kind of task. */
export const taskHandlers: Record<TaskKind, TaskHandler> = {
  'send-message': sendQueuedMessage,
  'close-order': closeUnpaidOrder,
  'licence-reminder': remindOfLicence,
  bills: billTask,
  'collect-invoice': collectInvoice,
  'subscription-period': endPeriod,
  'poll-checkout': pollCheckout,
  'expire-page': expirePage,
  'poll-refunds': pollRefunds,
  'update-customer': updateCustomer,
  'normalise-phones': normalisePhones,
  'delete-old': deleteOld,
};
