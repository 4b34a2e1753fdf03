import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { OrderStatus, PayMethod } from '../../../client/contract/console/orders.ts';
import { money } from '../../../client/contract/money.ts';
import type { Queries } from '../../storage/database.ts';
import { takeOwnTurn, takeTurn } from '../account/take-turn.ts';
import { ConsoleError } from '../errors.ts';
import { checkForCard } from '../money.ts';
import type { ConsoleServices } from '../services.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';
import { issueLicence } from './issue-licence.ts';
import { licenceSigningKey, type SigningKey } from './licence-key.ts';
import { findOldLicence } from './old-resource.ts';
import { type OrderRow, orderColumns, orderRow } from './order-row.ts';

export const payWithinMs = 24 * 3_600_000;

type Actor = 'owner' | 'operator' | 'payment' | 'clock' | 'refund';

/** Moves an order to its next state, if it is still in the expected one. @returns whether this call did it */
async function moveOrder(
  queries: Queries,
  { id, from, to, actor, now }: { id: string; from: OrderStatus; to: OrderStatus; actor: Actor; now: number },
): Promise<boolean> {
  const moved = await queries.run('UPDATE licence_order SET status = $1 WHERE id = $2 AND status = $3', [to, id, from]);
  if (moved === 1) await noteEvent(queries, id, to, actor, now);
  return moved === 1;
}

async function noteEvent(queries: Queries, id: string, status: OrderStatus, actor: Actor, now: number): Promise<void> {
  await queries.run('INSERT INTO licence_order_event (id, order_id, status, actor, at) VALUES ($1, $2, $3, $4, $5)', [
    randomUUID(),
    id,
    status,
    actor,
    now,
  ]);
}

const found = z.object({
  id: z.string(),
  installation: z.string(),
  old_licence: z.string().nullable(),
  credits: z.number(),
  total: z.number(),
});
const waitingRow = z.object({ id: z.string() });
const ownerRow = z.object({ uid: z.string() });

/**
 * Creates the order for a quote, once: a repeat with the same quote or key returns the first one, which it may change to
 * a transfer while no card can pay it. A free order is complete at once. An installation has one pending order at a
 * time: its licence's remaining value is in one price.
 * @throws ConsoleError QUOTE_ENDED, TOO_LITTLE_FOR_CARD, TOO_MUCH_FOR_CARD, CREDITS_CHANGED, ORDER_WAITS, TRIAL_USED
 */
export async function createOrder(
  services: ConsoleServices,
  uid: string,
  quoteId: string,
  payMethod: PayMethod,
  idempotencyKey: string | undefined,
): Promise<OrderRow> {
  const { database, now } = services;
  const signing = await licenceSigningKey(services);
  const { order, isNew } = await database.transaction(async (queries) => {
    // Before reading: the account's other orders and refunds of what this one deducts come before or after it.
    await takeOwnTurn(queries, uid);
    const known = await existingOrder(queries, uid, quoteId, idempotencyKey);
    if (known) return { order: await allowTransfer(queries, known, payMethod), isNew: false };
    const quote = await queries.one(
      found,
      'SELECT id, installation, old_licence, credits, total FROM quote WHERE id = $1 AND uid = $2 AND expires_at > $3',
      [quoteId, uid, now()],
    );
    if (!quote) throw new ConsoleError('QUOTE_ENDED');
    // An order that no card can pay would block a payable one for a day.
    if (payMethod === 'STRIPE') checkForCard(quote.total);
    await checkInstallation(queries, uid, now(), quote);
    await takeCredits(queries, uid, quote.credits);
    const id = randomUUID();
    await queries.run(
      `INSERT INTO licence_order (id, quote_id, uid, idempotency_key, reference, status, pay_method, installation, edition,
         links, from_at, to_at, old_licence, subtotal, discount, old_value, credits, total, created_at)
       SELECT $1, id, uid, $2, $3, 'WAIT_PAY', $4, installation, edition, links, from_at, to_at, old_licence, subtotal,
         discount, old_value, credits, total, $5
       FROM quote WHERE id = $6`,
      [id, idempotencyKey ?? null, newReference(), quote.total === 0 ? 'NONE' : payMethod, now(), quoteId],
    );
    await noteEvent(queries, id, 'WAIT_PAY', 'owner', now());
    if (quote.total === 0) await completeOrder(queries, services, signing, id, 'owner');
    else await scheduleTask(queries, { kind: 'close-order', key: id, payload: '', dueAt: now() + payWithinMs });
    return { order: await orderOf(queries, id), isNew: true };
  });
  if (isNew) noteInLog(services, order);
  return order;
}

/** Logs an order for the operator, who confirms transfers with `npm run order -- confirm <reference>`. */
function noteInLog(
  { log }: ConsoleServices,
  { reference, uid, edition, links, total, pay_method: by, status }: OrderRow,
) {
  const about = { order: reference, uid, edition, links, total: money(total, 'USD'), by };
  log.info(about, status === 'ISSUED' ? 'a licence was issued' : 'an order waits for its payment');
}

function existingOrder(queries: Queries, uid: string, quoteId: string, key: string | undefined) {
  return queries.one(
    orderRow,
    `SELECT ${orderColumns} FROM licence_order WHERE uid = $1 AND (quote_id = $2 OR idempotency_key = $3)`,
    [uid, quoteId, key ?? null],
  );
}

/** Lets an order be paid by transfer instead, if no page where a card pays it was opened: the service may be down. */
async function allowTransfer(queries: Queries, order: OrderRow, wanted: PayMethod): Promise<OrderRow> {
  if (wanted !== 'BANK_TRANSFER') return order;
  const changed = await queries.run(
    `UPDATE licence_order SET pay_method = 'BANK_TRANSFER'
     WHERE id = $1 AND status = 'WAIT_PAY' AND pay_method = 'STRIPE' AND pay_session IS NULL`,
    [order.id],
  );
  return changed === 0 ? order : orderOf(queries, order.id);
}

async function takeCredits(queries: Queries, uid: string, credits: number): Promise<void> {
  const taken = await queries.run('UPDATE account SET credits = credits - $1 WHERE uid = $2 AND credits >= $1', [
    credits,
    uid,
  ]);
  if (taken === 0) throw new ConsoleError('CREDITS_CHANGED');
}

/** Checks that what the quote was based on is unchanged, and that no pending order uses it too. */
async function checkInstallation(
  queries: Queries,
  uid: string,
  now: number,
  { installation, old_licence: quoted }: z.infer<typeof found>,
): Promise<void> {
  const waiting = await queries.one(
    waitingRow,
    "SELECT id FROM licence_order WHERE uid = $1 AND installation = $2 AND status = 'WAIT_PAY' LIMIT 1",
    [uid, installation],
  );
  if (waiting) throw new ConsoleError('ORDER_WAITS');
  const old = await findOldLicence(queries, uid, installation, now);
  // A licence that has ended since still had its remaining value when it was quoted.
  if (old && old.id !== quoted) throw new ConsoleError('QUOTE_ENDED');
}

/** A reference for a transfer, from letters and digits that are hard to confuse. */
function newReference(): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return `MR-${Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')}`;
}

/** An order by its id. @throws ConsoleError NO_ORDER */
export async function orderOf(queries: Queries, id: string, uid?: string): Promise<OrderRow> {
  const order = await queries.one(orderRow, `SELECT ${orderColumns} FROM licence_order WHERE id = $1`, [id]);
  if (!order || (uid !== undefined && order.uid !== uid)) throw new ConsoleError('NO_ORDER');
  return order;
}

/** Makes a payment, a closing and a refund of what an order deducts wait for each other: the later one sees the first. */
async function takeOwnersTurn(queries: Queries, orderId: string): Promise<void> {
  const order = await queries.one(ownerRow, 'SELECT uid FROM licence_order WHERE id = $1', [orderId]);
  if (order) await takeTurn(queries, order.uid);
}

/**
 * Marks an order as paid and issues its licence, in the caller's transaction. A repeat changes nothing.
 * @throws ConsoleError LICENCE_REPLACED
 * @returns whether this call did it
 */
export async function completeOrder(
  queries: Queries,
  services: ConsoleServices,
  signing: SigningKey,
  id: string,
  actor: Actor,
): Promise<boolean> {
  const now = services.now();
  await takeOwnersTurn(queries, id);
  if (!(await moveOrder(queries, { id, from: 'WAIT_PAY', to: 'PAID', actor, now }))) return false;
  await issueLicence(queries, services, signing, await orderOf(queries, id));
  return moveOrder(queries, { id, from: 'PAID', to: 'ISSUED', actor, now });
}

/**
 * Closes an unpaid order and returns its credits, in the caller's transaction.
 * @returns whether this call did it
 */
export async function closeOrder(
  queries: Queries,
  services: ConsoleServices,
  id: string,
  actor: Actor,
): Promise<boolean> {
  await takeOwnersTurn(queries, id);
  if (!(await moveOrder(queries, { id, from: 'WAIT_PAY', to: 'CLOSED', actor, now: services.now() }))) return false;
  await queries.run(
    'UPDATE account SET credits = credits + (SELECT credits FROM licence_order WHERE id = $1) WHERE uid = (SELECT uid FROM licence_order WHERE id = $1)',
    [id],
  );
  return true;
}
