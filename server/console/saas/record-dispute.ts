import { z } from 'zod';
import { money } from '../../../client/contract/money.ts';
import { creditedSum } from '../billing/credit-notes.ts';
import type { ConsoleServices } from '../services.ts';
import { countOnce } from './count-once.ts';
import { invoicePaidWith } from './record-refund.ts';

/** The parts of a dispute that are used. */
export const dispute = z.looseObject({
  id: z.string(),
  object: z.literal('dispute'),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  payment_intent: z.string().nullable(),
});
export type Dispute = z.infer<typeof dispute>;

const numberRow = z.object({ number: z.string() });

/** What the operator has to do in each state of a dispute; nothing in the others. */
const toDo: Readonly<Record<string, string>> = {
  needs_response: 'the payment of an invoice is disputed: answer at the payment service before its deadline',
  appeal_needs_response: 'the payment of an invoice is disputed: answer at the payment service before its deadline',
  warning_needs_response:
    'the bank asks about the payment of an invoice: answer at the payment service, or refund the payment there',
  lost: 'a dispute is lost, and the money with it: ask the customer for it, or make a credit note with npm run invoice -- credit',
};

/** Logs a dispute for the operator, once a month in each state; nothing else changes before the operator decides. */
export async function recordDispute(services: ConsoleServices, about: Dispute): Promise<void> {
  const { database, log, now } = services;
  const { id, status, amount, currency, payment_intent: payment } = about;
  const sentence = Object.hasOwn(toDo, status) ? toDo[status] : undefined;
  if (sentence === undefined || payment === null) return;
  const invoiceId = await invoicePaidWith(services, payment);
  if (invoiceId === undefined) return;
  // The operator has decided once all of it is credited.
  const invoice = await database.one(numberRow, `SELECT number FROM invoice WHERE id = $1 AND total > ${creditedSum}`, [
    invoiceId,
  ]);
  if (!invoice || !(await countOnce(database, `${id}-${status}`, now()))) return;
  const { number } = invoice;
  log.error({ invoice: number, dispute: id, amount: money(amount, currency.toUpperCase()) }, sentence);
}
