import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { dayMs, dayOf } from '../../../client/contract/dates.ts';
import { createCode } from '../../console/account/codes.ts';
import { mailTarget } from '../../console/account/targets.ts';
import { importUsage } from '../../console/billing/import-usage.ts';
import { writeApplyCode } from '../../console/licensing/apply-code.ts';
import { patience } from '../patience.ts';
import { type Scene, webhookSecret } from './scene.ts';

/** What clients were promised in a round, and what they do not know. */
export interface Round {
  /** Records an answer; true once the round is over, so no further requests are made. */
  answered(): boolean;
  /** Kills the server now, however many answers arrived. */
  kill(): void;
  /** Records that no answer came. */
  cutOff(): void;
  /** Records that something promised was found after the restart. */
  found(): void;
  /** Checks to run after the restart. */
  later(check: () => Promise<void>): void;
}

/** Something that clients do while the server is killed. */
export interface Kind {
  name: string;
  /** Runs repeatedly, until it returns false. */
  step(scene: Scene, round: Round): Promise<boolean>;
}

const data = z.looseObject({
  orderId: z.string().optional(),
  quoteId: z.string().optional(),
  token: z.string().optional(),
});
const count = z.object({ n: z.number() });
const statusRow = z.object({ status: z.string() });
const verifyType = 'EMAIL_VERIFY_CODE';

/** An answer after the restart: a machine that stands still for a while gives none, and these calls may be repeated. */
const untilAnswered = <Given>(ask: () => Promise<Given | undefined>) => vi.waitUntil(ask, patience);

async function countOf({ database }: Scene, sql: string, ...parameters: string[]): Promise<number> {
  return (await database.one(count, `SELECT count(*) AS n FROM ${sql}`, parameters))?.n ?? 0;
}

/** A new customer's price; undefined when the server died meanwhile. */
async function quote(scene: Scene) {
  const { token, uid } = await scene.newcomer(500);
  const applyCode = writeApplyCode({ installation: `installation-${uid.slice(0, 30)}`, used: 0 });
  const wanted = { applyCode, productType: 'P', edition: 'ENTERPRISE', links: 1, period: { num: 1, unit: 'DAY' } };
  const answer = await scene.ask(calls.calculatePrice, wanted, token);
  if (!answer) return undefined;
  expect(answer.success).toBe(true);
  return { uid, token, quoteId: data.parse(answer.success && answer.data).quoteId ?? '' };
}

const orders: Kind = {
  name: 'orders',
  async step(scene, round) {
    const priced = await quote(scene);
    if (!priced) return false;
    const { uid, token, quoteId } = priced;
    const create = () => scene.ask(calls.createOrder, { quoteId, payMethod: 'BANK_TRANSFER' }, token);
    const made = await create();
    if (!made) round.cutOff();
    round.later(async () => {
      const again = await untilAnswered(create);
      const id = again.success ? data.parse(again.data).orderId : undefined;
      expect(id, 'asked again, the order is there').toBeDefined();
      if (made) {
        expect(made.success && data.parse(made.data).orderId, 'and it is the one that was answered').toBe(id);
        round.found();
      }
      expect(await countOf(scene, 'licence_order WHERE uid = $1', uid)).toBe(1);
    });
    return made !== undefined && !round.answered();
  },
};

const payments: Kind = {
  name: 'payments',
  async step(scene, round) {
    const priced = await quote(scene);
    const made = priced && (await scene.ask(calls.createOrder, { ...pay, quoteId: priced.quoteId }, priced.token));
    if (!made) return false;
    const orderId = (made.success && data.parse(made.data).orderId) || '';
    const tell = () => tellPaid(scene, orderId);
    const status = await tell();
    if (status === undefined) round.cutOff();
    round.later(async () => {
      const paid = async () =>
        (await scene.database.one(statusRow, 'SELECT status FROM licence_order WHERE id = $1', [orderId]))?.status;
      if (status !== undefined) {
        expect([status, await paid()], 'what was taken in is there').toEqual([204, 'ISSUED']);
        round.found();
      }
      // The payment service does this when it got no answer, and sometimes when it got one.
      expect(await untilAnswered(tell)).toBe(204);
      expect(await paid()).toBe('ISSUED');
      expect(await countOf(scene, 'licence WHERE order_id = $1', orderId)).toBe(1);
      expect(await countOf(scene, 'invoice WHERE order_id = $1', orderId)).toBe(1);
      expect(await countOf(scene, 'licence_order_event WHERE order_id = $1', orderId)).toBe(3);
    });
    return status !== undefined && !round.answered();
  },
};
const pay = { payMethod: 'BANK_TRANSFER' };

function tellPaid(scene: Scene, orderId: string): Promise<number | undefined> {
  const metadata = { uid: 'u', purpose: 'PAY_ORDER', orderId };
  const object = { id: `cs_${orderId}`, object: 'checkout.session', payment_status: 'paid', metadata };
  const type = 'checkout.session.completed';
  const payload = JSON.stringify({ id: `evt_${orderId}`, object: 'event', type, data: { object } });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
  return scene.send('/webhooks/stripe', payload, { 'Stripe-Signature': signature });
}

const codes: Kind = {
  name: 'codes',
  async step(scene, round) {
    const email = `${randomUUID()}@new.example`;
    const sent = await scene.ask(calls.sendCode, { email, verifyType, verifyCodeType: 'REGISTER' });
    if (!sent) round.cutOff();
    else {
      expect(sent.success, 'the code was sent').toBe(true);
      round.later(async () => {
        await vi.waitUntil(() => scene.written().has(email), patience);
        round.found();
      });
    }
    const person = await scene.newcomer(0);
    const keyed = { secretKey: scene.secretKey, now: Date.now() };
    const verifyCode = await createCode(scene.database, mailTarget(person.email), 'LOGIN', keyed);
    const login = () => scene.ask(calls.login, { account: person.email, loginType: 'VERIFY', verifyCode });
    const taken = await login();
    if (!taken) round.cutOff();
    round.later(async () => {
      if (taken) {
        const token = (taken.success && data.parse(taken.data).token) || '';
        const user = await untilAnswered(() => scene.ask(calls.queryLoginUser, {}, token));
        expect(user.success, 'the session is there').toBe(true);
        expect((await untilAnswered(login)).success, 'and its code is used').toBe(false);
        round.found();
      } else await login();
      // One session that it had before, and at most one through the code.
      expect(await countOf(scene, 'session WHERE uid = $1', person.uid)).toBeLessThanOrEqual(2);
    });
    return sent !== undefined && taken !== undefined && !round.answered();
  },
};

const accountsAtOnce = 12;

const bills: Kind = {
  name: 'bills',
  async step(scene, round) {
    const people = [];
    for (let at = 0; at < accountsAtOnce; at += 1) people.push(await owing(scene));
    const uids = people.map((uid) => `'${uid}'`).join(', ');
    const made = () => countOf(scene, `bill WHERE amount = 2000 AND uid IN (${uids})`);
    const invoiced = () => countOf(scene, `invoice WHERE uid IN (${uids})`);
    await billNow(scene);
    let seen = 0;
    while (seen === 0) seen = (await made()) + (await invoiced());
    for (let left = people.length * 2 - seen; left > 0; left -= 1) round.cutOff();
    round.later(async () => {
      expect((await made()) + (await invoiced()), 'what was seen is there').toBeGreaterThanOrEqual(seen);
      await billNow(scene);
      // Without the test's context: two run in parallel.
      await vi.waitFor(
        async () => expect([await made(), await invoiced()]).toEqual([accountsAtOnce, accountsAtOnce]),
        patience,
      );
      for (let left = seen; left > 0; left -= 1) round.found();
    });
    for (let left = seen; left > 0; left -= 1) round.answered();
    round.kill();
    return false;
  },
};

/** An account with two days of unbilled usage, and a bill from last month that is in no invoice. */
async function owing(scene: Scene): Promise<string> {
  const { uid } = await scene.newcomer(0);
  const now = Date.now();
  const about = { uid, dataJobId: '7', dataJobName: 'orders', item: 'INCREMENT', rows: 1_000_000 } as const;
  for (const days of [1, 2]) {
    await importUsage(scene.database, { ...about, id: randomUUID(), day: dayOf(now - days * dayMs) });
  }
  const [year = 0, month = 0] = dayOf(now).split('-').map(Number);
  await scene.database.run(
    'INSERT INTO bill (id, uid, day, amount, credits, due, created_at) VALUES ($1, $2, $3, 100, 0, 100, $4)',
    [randomUUID(), uid, dayOf(Date.UTC(year, month - 2, 15)), now],
  );
  return uid;
}

/**
 * Makes the billing task run at the next check, as it would an hour later; a process that died holding it has lost it.
 */
async function billNow({ database }: Scene): Promise<void> {
  await database.run("UPDATE task SET due_at = 0, taken_until = 0 WHERE kind = 'bills'");
}

export const kinds: readonly Kind[] = [orders, payments, codes, bills];
