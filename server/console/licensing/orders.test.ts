import { beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { newcomer, signInAgain } from '../../testing/newcomer.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { runDueTasks } from '../tasks/run-tasks.ts';
import { writeApplyCode } from './apply-code.ts';
import { verifyAuthCode } from './auth-code.ts';
import { licencePublicKey, licenceSigningKey } from './licence-key.ts';
import { completeOrder } from './orders.ts';

const day = 86_400_000;
const applyCode = writeApplyCode({ installation: 'installation-number-1', used: 3 });
const count = z.object({ n: z.number() });

describe.each(['sqlite', 'postgres'] as const)('orders on %s', (kind) => {
  let backend: TestConsole;
  let uid: string;
  let token: string;
  let other: string;
  beforeEach(async () => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    backend = await openTestConsole({}, url);
    ({ uid, token } = await newcomer(backend, 'ada@site.example', 30_000));
    ({ token: other } = await newcomer(backend, 'eve@site.example'));
    return () => backend.close();
  });

  const post = (path: string, body: object, as = token) => backend.post(path, body, { token: as });

  async function price(changes: object = {}, as = token) {
    const enterprise = { applyCode, productType: 'MILLRACE', edition: 'ENTERPRISE', links: 10 };
    const { body } = await post(
      calls.calculatePrice,
      { ...enterprise, period: { num: 1, unit: 'MONTH' }, ...changes },
      as,
    );
    return body;
  }

  const order = (quoteId: string, as = token) =>
    post(calls.createOrder, { quoteId, payMethod: 'BANK_TRANSFER' }, as).then(({ body }) => body);

  async function confirm(id: string) {
    const { services } = backend;
    const signing = await licenceSigningKey(services);
    return services.database.transaction((queries) => completeOrder(queries, services, signing, id, 'operator'));
  }

  test('a price is links × hours × hourly price, less the ladder discount, less credits', async () => {
    // 21 November to 21 December 2026: 30 days. 10 links × 720 h × 30 = 216,000; 10 % off; 30,000 in credits.
    expect((await price()).data).toMatchObject({
      subtotal: { amount: 216_000 },
      ladderRate: 0.1,
      discount: { amount: 21_600 },
      oldValue: { amount: 0 },
      credits: { amount: 30_000 },
      total: { amount: 164_400, currency: 'USD' },
      to: Date.UTC(2026, 11, 21, 12),
    });
  });

  test.each([
    [{ links: 0 }, 400, 'INVALID_FIELDS'],
    [{ links: 2 }, 200, 'FEWER_THAN_USED'],
    [{ links: 1001 }, 200, 'LINKS_OUT_OF_RANGE'],
    [{ period: { num: 4, unit: 'MONTH' } }, 200, 'PERIOD_NOT_SOLD'],
    [{ applyCode: 'MRA1.nonsense' }, 400, 'BAD_APPLY_CODE'],
    [{ edition: 'COMMUNITY', links: 5 }, 200, 'PERIOD_NOT_SOLD'],
    [{ total: 1 }, 400, 'INVALID_FIELDS'],
  ])('%j is refused', async (changes, _status, code) => {
    expect((await price(changes)).code).toBe(code);
  });

  test('an order waits for its transfer, is confirmed once and yields a code that verifies offline', async () => {
    const { data } = await price();
    const made = await order(data.quoteId);
    expect(made.data).toMatchObject({
      status: 'WAIT_PAY',
      transfer: {
        reference: expect.stringMatching(/^MR-[A-Z2-9]{8}$/),
        amount: { amount: 164_400 },
        until: backend.services.now() + day,
      },
    });
    // What an operator needs in order to confirm it.
    expect(backend.logged).toContainEqual(
      expect.objectContaining({
        order: made.data.transfer.reference,
        total: '1,644.00 USD',
        msg: 'an order waits for its payment',
      }),
    );
    const me = await post(calls.queryLoginUser, {});
    expect(me.body.data.credits.amount).toBe(0);
    const confirmed = await Promise.all([confirm(made.data.orderId), confirm(made.data.orderId)]);
    expect(confirmed.toSorted()).toEqual([false, true]);
    const list = await post(calls.queryOrders, {});
    expect(list.body.data).toMatchObject({ total: 1, items: [{ status: 'ISSUED' }] });
    // In the order of their steps, even if they happened at the same moment.
    expect(list.body.data.items[0].events.map((event: { status: string }) => event.status)).toEqual([
      'WAIT_PAY',
      'PAID',
      'ISSUED',
    ]);
    const verifyType = 'EMAIL_VERIFY_CODE';
    await post(calls.sendCodeInLoginState, { verifyType, verifyCodeType: 'SHOW_AUTH_CODE' });
    const verifyCode = (await backend.queued()).findLast(({ code }) => code !== undefined)?.code;
    const { orderId } = made.data;
    expect((await post(calls.showAuthCode, { orderId, verifyType, verifyCode }, other)).status).toBe(404);
    const shown = await post(calls.showAuthCode, { orderId, verifyType, verifyCode });
    const { services } = backend;
    const publicKey = await licencePublicKey(services);
    expect(await verifyAuthCode(shown.body.data.authCode, publicKey, services.now())).toMatchObject({
      installation: 'installation-number-1',
      edition: 'ENTERPRISE',
      links: 10,
      to: services.now() + 30 * day,
    });
    await expect(verifyAuthCode(shown.body.data.authCode, publicKey, services.now() + 31 * day)).rejects.toThrow();
    expect((await post(calls.showAuthCode, { orderId, verifyType, verifyCode })).body.code).toBe('BAD_CODE');
    const showings = z.object({ uid: z.string(), at: z.number() });
    expect(await services.database.all(showings, 'SELECT uid, at FROM auth_code_showing')).toEqual([
      { uid, at: services.now() },
    ]);
  });

  test('a licence that is paid late starts when it is issued and lasts the full period sold', async () => {
    const { data } = await order((await price()).data.quoteId);
    backend.pass(20 * 3_600_000);
    await confirm(data.orderId);
    const from = backend.services.now();
    const span = { from, to: from + 30 * day };
    expect((await post(calls.queryOldResource, { applyCode })).body.data).toMatchObject({
      ...span,
      remainMs: 30 * day,
    });
    expect((await post(calls.queryOrders, {})).body.data.items).toMatchObject([span]);
  });

  test('50 parallel requests create one order and take the credits once', async () => {
    const { data } = await price();
    const made = await Promise.all(Array.from({ length: 50 }, () => order(data.quoteId)));
    expect(new Set(made.map((answer) => answer.data?.orderId)).size).toBe(1);
    const orders = await backend.services.database.one(count, 'SELECT count(*) AS n FROM licence_order');
    expect(orders?.n).toBe(1);
    const me = await post(calls.queryLoginUser, {});
    expect(me.body.data.credits.amount).toBe(0);
  });

  test('two quotes cannot spend the same credits', async () => {
    const other = { applyCode: writeApplyCode({ installation: 'installation-number-2', used: 3 }) };
    const [first, second, same] = [await price(), await price(other), await price()];
    expect((await order(first.data.quoteId)).success).toBe(true);
    expect((await order(second.data.quoteId)).code).toBe('CREDITS_CHANGED');
    // The credits are in the order that waits.
    expect((await order(same.data.quoteId)).code).toBe('ORDER_WAITS');
  });

  test('a closed order returns its credits, and unpaid orders close after a day', async () => {
    const first = await order((await price()).data.quoteId);
    expect((await post(calls.closeOrder, { orderId: first.data.orderId }, other)).status).toBe(404);
    expect((await post(calls.closeOrder, { orderId: first.data.orderId })).body.data.status).toBe('CLOSED');
    expect((await post(calls.closeOrder, { orderId: first.data.orderId })).body.code).toBe('ORDER_STATE');
    const second = await order((await price()).data.quoteId);
    backend.pass(day);
    await runDueTasks(backend.services);
    // A transfer may be on its way: the customer is told whom to ask.
    const { reference } = second.data.transfer;
    expect(backend.sent).toMatchObject([
      {
        to: 'ada@site.example',
        subject: `Order ${reference} was closed`,
        text: expect.stringMatching(/24 hours.* credits .*support@millrace\.example.*\/orders\?order=/s),
      },
    ]);
    const fresh = await signInAgain(backend, uid);
    const me = await post(calls.queryLoginUser, {}, fresh);
    expect(me.body.data.credits.amount).toBe(30_000);
  });

  test('a quote expires after 30 minutes and is valid only for its account', async () => {
    const { data } = await price();
    expect((await order(data.quoteId, other)).code).toBe('QUOTE_ENDED');
    backend.pass(31 * 60_000);
    expect((await order(data.quoteId)).code).toBe('QUOTE_ENDED');
  });

  test('free editions are issued at once, an installation gets one trial, and editions never go down', async () => {
    const months = { period: { num: 3, unit: 'MONTH' } };
    const community = await order((await price({ edition: 'COMMUNITY', links: 5, ...months })).data.quoteId);
    expect(community.data).toEqual({ orderId: expect.any(String), status: 'ISSUED' });
    const trial = await order((await price({ edition: 'TRIAL', links: 30, ...months })).data.quoteId);
    expect(trial.data.status).toBe('ISSUED');
    expect((await price({ edition: 'COMMUNITY', links: 5, ...months })).code).toBe('EDITION_GOES_DOWN');
    expect((await price({ edition: 'TRIAL', links: 30, ...months })).code).toBe('TRIAL_USED');
    expect((await price({ edition: 'TRIAL', links: 30, ...months }, other)).code).toBe('TRIAL_USED');
  });

  test('of two trial quotes from two accounts one becomes a licence', async () => {
    const trial = { edition: 'TRIAL', links: 30, period: { num: 3, unit: 'MONTH' } };
    const [own, others] = [await price(trial), await price(trial, other)];
    const made = await Promise.all([order(own.data.quoteId), order(others.data.quoteId, other)]);
    expect(made.map(({ code }) => code).toSorted()).toEqual(['TRIAL_USED', undefined]);
  });

  test('an expired trial cannot be repeated, even after a free licence', async () => {
    const months = { period: { num: 3, unit: 'MONTH' } };
    await order((await price({ edition: 'TRIAL', links: 30, ...months })).data.quoteId);
    backend.pass(93 * day);
    token = await signInAgain(backend, uid);
    expect((await price({ edition: 'TRIAL', links: 30, ...months })).code).toBe('TRIAL_USED');
    await order((await price({ edition: 'COMMUNITY', links: 5, ...months })).data.quoteId);
    expect((await price({ edition: 'TRIAL', links: 30, ...months })).code).toBe('TRIAL_USED');
  });

  test("an old licence's remaining value is deducted from the new price, and the old one ends", async () => {
    const first = await order((await price()).data.quoteId);
    await confirm(first.data.orderId);
    backend.pass(15 * day);
    token = await signInAgain(backend, uid);
    const old = await post(calls.queryOldResource, { applyCode });
    expect(old.body.data).toMatchObject({ links: 10, edition: 'ENTERPRISE', remainMs: 15 * day });
    // Half of 194,400 is left.
    const { data } = await price({ links: 20 });
    expect(data.oldValue.amount).toBe(97_200);
    const second = await order(data.quoteId);
    await confirm(second.data.orderId);
    expect((await post(calls.queryOldResource, { applyCode })).body.data.links).toBe(20);
  });

  describe('with a licence in use', () => {
    beforeEach(async () => {
      const first = await order((await price()).data.quoteId);
      await confirm(first.data.orderId);
      backend.pass(15 * day);
      token = await signInAgain(backend, uid);
    });
    const live = async () => (await post(calls.queryOldResource, { applyCode })).body.data;

    test('its remaining value goes into only one of two orders', async () => {
      const quotes = [await price({ links: 20 }), await price({ links: 30 })];
      const made = await Promise.all(quotes.map(({ data }) => order(data.quoteId)));
      expect(made.map(({ code }) => code).toSorted()).toEqual(['ORDER_WAITS', undefined]);
      const waiting = made.find(({ success }) => success).data.orderId;
      await confirm(waiting);
      // The other order's price still includes a remaining value that is gone.
      const [taken, late] = made[0].success ? quotes : quotes.toReversed();
      expect((await order(late?.data.quoteId)).code).toBe('QUOTE_ENDED');
      expect((await live()).links).toBe(taken?.data.links);
      // A new price includes everything paid for the licence so far.
      const given = taken?.data.subtotal.amount - taken?.data.discount.amount;
      expect((await price({ links: 40 })).data.oldValue.amount).toBe(given);
    });

    test('a price below its remaining value says what an order would lose', async () => {
      const lost = async (changes: object) => {
        const { oldValue, lostValue, total } = (await price(changes)).data;
        return [oldValue.amount, lostValue.amount, total.amount];
      };
      // Half of 194,400 is left; a day of 10 links costs 6,480.
      expect(await lost({ period: { num: 1, unit: 'DAY' } })).toEqual([6_480, 90_720, 0]);
      expect(await lost({ links: 20 })).toEqual([97_200, 0, 282_240]);
    });

    test('what it is used for until an order for another is paid is taken from that one', async () => {
      const { data } = await price({ links: 20 });
      const made = await order(data.quoteId);
      backend.pass(20 * 3_600_000);
      await confirm(made.data.orderId);
      // 20 of the 720 hours that 194,400 have paid.
      const used = 5_400;
      const whole = data.total.amount + data.oldValue.amount;
      const span = data.to - data.from;
      const [from, to] = [backend.services.now(), backend.services.now() + span - Math.floor((span * used) / whole)];
      token = await signInAgain(backend, uid);
      expect(await live()).toMatchObject({ from, to, links: 20 });
      expect((await price({ links: 40 })).data.oldValue.amount).toBe(whole - used);
    });

    test('it cannot be renewed each day for what its first minutes cost', async () => {
      const days = { period: { num: 1, unit: 'DAY' }, links: 1_000 };
      const { data } = await price(days);
      await confirm((await order(data.quoteId)).data.orderId);
      const { to } = await live();
      let paid = 0;
      for (let left = 6; left > 0; left -= 1) {
        backend.pass(60_000);
        token = await signInAgain(backend, uid);
        const next = (await price(days)).data;
        const { orderId } = (await order(next.quoteId)).data;
        backend.pass(3 * 3_600_000);
        await confirm(orderId);
        paid += next.total.amount;
      }
      token = await signInAgain(backend, uid);
      const hours = ((await live()).to - to) / 3_600_000;
      // A licence of a day costs 24 hours.
      expect(Math.abs(paid / (data.subtotal.amount - data.discount.amount) - hours / 24)).toBeLessThan(0.001);
    });

    test('a free order is refused if the value that would pay it was used since it was priced', async () => {
      const { database } = backend.services;
      await database.run('UPDATE licence SET value = 100000000');
      backend.pass(15 * day - 20 * 60_000);
      token = await signInAgain(backend, uid);
      const { data } = await price({ links: 3, period: { num: 1, unit: 'DAY' } });
      expect([data.total.amount, data.oldValue.amount]).toEqual([0, 2_160]);
      backend.pass(25 * 60_000);
      expect((await order(data.quoteId)).code).toBe('QUOTE_ENDED');
    });

    test("its remaining value is not in another account's price", async () => {
      const stranger = await newcomer(backend, 'mallory@site.example');
      expect((await post(calls.queryOldResource, { applyCode }, stranger.token)).body.data).toBeNull();
      const { data } = await price({ links: 20 }, stranger.token);
      expect(data.oldValue.amount).toBe(0);
      await confirm((await order(data.quoteId, stranger.token)).data.orderId);
      expect((await live()).links).toBe(10);
    });

    test('no reminder is sent for a licence that another has replaced', async () => {
      await confirm((await order((await price({ links: 20 })).data.quoteId)).data.orderId);
      const reminded = async (days: number) => {
        backend.pass(days * day);
        await runDueTasks(backend.services);
        await runDueTasks(backend.services);
        return backend.sent.filter(({ subject }) => subject.startsWith('Your licence ends')).length;
      };
      // A week before the end of the first licence, and before that of the second.
      expect([await reminded(8), await reminded(16)]).toEqual([0, 1]);
    });

    test('a waiting order for it blocks further orders, even free ones', async () => {
      const free = await price({ links: 3, period: { num: 1, unit: 'DAY' } });
      expect(free.data.total.amount).toBe(0);
      const waiting = await order((await price({ links: 20 })).data.quoteId);
      expect((await order(free.data.quoteId)).code).toBe('ORDER_WAITS');
      await post(calls.closeOrder, { orderId: waiting.data.orderId });
      expect((await order(free.data.quoteId)).data.status).toBe('ISSUED');
      expect((await live()).links).toBe(3);
    });

    test('of two orders from an earlier version that use its remaining value one is issued', async () => {
      const { database } = backend.services;
      const waiting = await order((await price({ links: 20 })).data.quoteId);
      const columns = `uid, status, pay_method, installation, edition, links, from_at, to_at, old_licence, subtotal,
        discount, old_value, credits, total, created_at`;
      await database.run(
        `INSERT INTO licence_order (id, quote_id, reference, ${columns})
         SELECT 'earlier', 'earlier', 'MR-EARLIER', ${columns} FROM licence_order WHERE id = $1`,
        [waiting.data.orderId],
      );
      const confirmed = await Promise.allSettled([confirm(waiting.data.orderId), confirm('earlier')]);
      expect(confirmed.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(confirmed.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'LICENCE_REPLACED' },
      });
      const { items } = (await post(calls.queryOrders, { status: 'WAIT_PAY' })).body.data;
      expect(items).toHaveLength(1);
      const licences = await database.one(count, 'SELECT count(*) AS n FROM licence WHERE replaced_by IS NULL');
      expect(licences?.n).toBe(1);
    });
  });

  test('an order is found by its id alone, also behind the newest ones, and says who closed it', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 11; number++) {
      const code = writeApplyCode({ installation: `installation-number-${number}`, used: 0 });
      const { data } = await order((await price({ applyCode: code, links: 5 })).data.quoteId);
      ids.push(data.orderId);
      backend.pass(1);
    }
    const [orderId = '', second = ''] = ids;
    await post(calls.closeOrder, { orderId });
    const listed = async (about: object, as?: string) =>
      (await post(calls.queryOrders, { page: 1, pageSize: 10, ...about }, as)).body.data.items;
    expect((await listed({})).map((one: { orderId: string }) => one.orderId)).not.toContain(orderId);
    expect(await listed({ orderId })).toMatchObject([{ orderId, status: 'CLOSED', closedBy: 'owner' }]);
    expect((await listed({ orderId: second }))[0]).not.toHaveProperty('closedBy');
    expect(await listed({ orderId }, other)).toEqual([]);
  });

  test('of two orders for an installation without a licence one waits and the other is refused', async () => {
    const quotes = [await price({}, other), await price({}, other)];
    const made = await Promise.all(quotes.map(({ data }) => order(data.quoteId, other)));
    expect(made.map(({ code }) => code).toSorted()).toEqual(['ORDER_WAITS', undefined]);
    // Another account's orders are not blocked by it.
    expect((await order((await price()).data.quoteId)).success).toBe(true);
  });

  test('owners are reminded seven days and one day before a licence in use ends', async () => {
    const first = await order((await price()).data.quoteId);
    await confirm(first.data.orderId);
    await runDueTasks(backend.services);
    backend.pass(23 * day);
    await runDueTasks(backend.services);
    await runDueTasks(backend.services);
    backend.pass(6 * day);
    await runDueTasks(backend.services);
    await runDueTasks(backend.services);
    const subjects = backend.sent.map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith('Your licence ends'))).toEqual([
      'Your licence ends in 7 days',
      'Your licence ends tomorrow',
    ]);
  });

  test('a licence of one day gets no reminder, since its owner has only just ordered it', async () => {
    await confirm((await order((await price({ period: { num: 1, unit: 'DAY' } })).data.quoteId)).data.orderId);
    for (const passed of [0, day / 2, day]) {
      backend.pass(passed);
      await runDueTasks(backend.services);
    }
    expect(backend.sent.map(({ subject }) => subject)).toContain('Your licence is ready');
    expect(backend.sent.filter(({ subject }) => /^Your licence (ends|has)/.test(subject))).toEqual([]);
  });

  test.each([
    ['four days before the end', 26 * day, ['Your licence ends in 4 days']],
    ['half a day before it', 29.5 * day, ['Your licence ends today']],
    ['days after it', 33 * day, ['Your licence has ended']],
  ])('a server that was down until %s sends one reminder with correct wording', async (_name, down, words) => {
    await confirm((await order((await price()).data.quoteId)).data.orderId);
    await runDueTasks(backend.services);
    backend.pass(down);
    await runDueTasks(backend.services);
    await runDueTasks(backend.services);
    const letters = backend.sent.filter(({ subject }) => /^Your licence (ends|has)/.test(subject));
    expect(letters.map(({ subject }) => subject)).toEqual(words);
    expect(letters[0]?.text).toContain(`${down < 30 * day ? 'ends' : 'ended'} on December 21, 2026`);
  });

  test('no mail says that a licence has ended if another was issued after it', async () => {
    const first = await price();
    await confirm((await order(first.data.quoteId)).data.orderId);
    await runDueTasks(backend.services);
    backend.pass(31 * day);
    token = await signInAgain(backend, uid);
    await confirm((await order((await price()).data.quoteId)).data.orderId);
    await runDueTasks(backend.services);
    await runDueTasks(backend.services);
    expect(backend.sent.filter(({ subject }) => /^Your licence (ends|has)/.test(subject))).toEqual([]);
  });
});
