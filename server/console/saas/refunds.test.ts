import http from 'node:http';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import type { Invoice } from '../../../client/contract/console/billing.ts';
import { dayMs } from '../../../client/contract/dates.ts';
import type { Queries } from '../../storage/database.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { newcomer, signInAgain } from '../../testing/newcomer.ts';
import { pdfText } from '../../testing/pdf-text.ts';
import { reportEvent } from '../../testing/report-event.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { type StripeStandIn, startStripe } from '../../testing/stripe.ts';
import { untilWaiting } from '../../testing/until-waiting.ts';
import { makeInvoice } from '../billing/invoices.ts';
import { writeApplyCode } from '../licensing/apply-code.ts';
import { runDueTasks } from '../tasks/run-tasks.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';

const card = { id: 'pm_1', brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2030 };
let service: StripeStandIn;
beforeAll(async () => {
  service = await startStripe();
});
afterAll(() => service.close());

describe.each(['sqlite', 'postgres'] as const)('refunds on %s', (kind) => {
  let backend: TestConsole;
  let ada: { uid: string; token: string };
  beforeEach(async () => {
    service.forgetAll();
    service.cards.length = 0;
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    backend = await openTestConsole(
      {
        STRIPE_SECRET_KEY: 'sk_test_key',
        STRIPE_WEBHOOK_SECRET: 'whsec_test_secret',
        STRIPE_API_URL: service.url,
      },
      url,
    );
    const { services } = backend;
    services.brand = { ...services.brand, taxLabel: 'VAT', taxRate: 0.19 };
    ada = await newcomer(backend, 'ada@site.example');
    await scheduleTask(services.database, {
      kind: 'poll-refunds',
      key: 'hourly',
      payload: '',
      dueAt: services.now(),
    });
    return () => backend.close();
  });

  const post = async (path: (typeof calls)[keyof typeof calls], body: object = {}) =>
    (await backend.post(path, body, { token: ada.token })).body.data;
  const invoices = async (): Promise<Invoice[]> => (await post(calls.listInvoices)).items;
  const notes = async () =>
    (await invoices()).flatMap(({ creditNotes = [] }) =>
      creditNotes.map(({ number, amount }) => [number, amount.amount]),
    );
  const told = (level: number) =>
    backend.logged.filter((line) => line.level === level && (line.refund !== undefined || line.dispute !== undefined));

  /** Lets time pass, with the tasks that come due. */
  async function pass(milliseconds: number) {
    backend.pass(milliseconds);
    await runDueTasks(backend.services);
    ada.token = await signInAgain(backend, ada.uid);
  }

  /** An event signed as by the payment service. */
  async function tell(type: string, object: object) {
    const created = Math.floor(backend.services.now() / 1_000);
    const event = { id: 'evt_1', object: 'event', created, type, data: { object } };
    return reportEvent(backend.listener, event, 'whsec_test_secret');
  }

  const quoteFor = (days: number) => {
    const applyCode = writeApplyCode({ installation: 'installation-number-1', used: 0 });
    const period = { num: days, unit: 'DAY' };
    return post(calls.calculatePrice, { applyCode, productType: 'P', edition: 'ENTERPRISE', links: 1, period });
  };

  /** An order for seven days, 50.40 USD, paid on the payment page. @returns the payment */
  async function paidOrder(): Promise<string> {
    const { quoteId } = await quoteFor(7);
    const { payUrl } = await post(calls.createOrder, { quoteId, payMethod: 'STRIPE' });
    const page = payUrl.slice('https://pay.example/'.length);
    service.pages.set(page, 'complete');
    await pass(600_000);
    return `pi_${page}`;
  }

  /** An invoice of 12.34 USD, charged to a card. @returns the payment */
  async function chargedInvoice(): Promise<string> {
    service.cards.push(card);
    const { services } = backend;
    const about = { uid: ada.uid, lines: [{ text: 'Usage', amount: 1234 }], status: 'OPEN' as const };
    await services.database.transaction((queries) => makeInvoice(queries, services, about));
    await runDueTasks(services);
    const confirmed = service.seen.findLast(({ call }) => call.endsWith('/confirm'))?.call;
    return confirmed?.split('/')[3] ?? '';
  }

  const pdfAt = async (address: string) => {
    const { pathname, search } = new URL(address);
    const answer = await request(http.createServer(backend.listener))
      .get(pathname + search)
      .buffer()
      .parse((res, done) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('end', () => done(null, Buffer.concat(parts)));
      });
    return { name: answer.headers['content-disposition'], lines: pdfText(answer.body) };
  };

  test('each refund that is reported becomes one credit note for its invoice, however often it is reported', async () => {
    const payment = await paidOrder();
    const now = backend.services.now();
    const first = service.refund(payment, 2000, now);
    const events = ['refund.created', 'refund.updated', 'charge.refunded'];
    expect(await Promise.all(events.map((type) => tell(type, first)))).toEqual([204, 204, 204]);
    expect(await notes()).toEqual([['CN-2026-000001', 2000]]);
    expect(await tell('refund.created', service.refund(payment, 3040, now))).toBe(204);
    await pass(3_600_000);
    expect(await notes()).toEqual([
      ['CN-2026-000001', 2000],
      ['CN-2026-000002', 3040],
    ]);
    expect((await post(calls.queryOrders)).items).toMatchObject([
      { status: 'ISSUED', total: { amount: 5040 }, refunded: { amount: 5040, currency: 'USD' } },
    ]);

    const [invoice] = await invoices();
    expect(invoice).toMatchObject({ number: '2026-000001', status: 'PAID', total: { amount: 5040 } });
    const drawn = await pdfAt(invoice?.pdfUrl ?? '');
    expect(drawn.lines).toContain('November 21, 2026 · paid · 50.40 USD refunded');
    const [one, two] = await Promise.all((invoice?.creditNotes ?? []).map(({ pdfUrl }) => pdfAt(pdfUrl)));
    expect(one?.name).toContain('credit-note-CN-2026-000001.pdf');
    expect(one?.lines.slice(0, 2)).toEqual(['Credit note CN-2026-000001', 'November 21, 2026']);
    expect(one?.lines.join(' ')).toContain('Refund for invoice 2026-000001 of November 21, 2026');
    // The invoice's tax is 8.05: 3.19 and 4.85, each rounded by itself, would lack a cent.
    expect(drawn.lines.join(' ')).toContain('8.05 USD VAT 19 %, included');
    expect(one?.lines.join(' ')).toContain('3.19 USD VAT 19 %, included 20.00 USD Total refunded');
    expect(two?.lines.join(' ')).toContain('4.86 USD VAT 19 %, included 30.40 USD Total refunded');
    const mails = backend.sent.filter(({ subject }) => subject === 'Refund for invoice 2026-000001');
    expect(mails.map(({ to, text }) => [to, text.split('\n')[0]]).sort()).toEqual([
      ['ada@site.example', expect.stringContaining('20.00 USD of 50.40 USD of invoice 2026-000001 is refunded.')],
      ['ada@site.example', expect.stringContaining('30.40 USD of 50.40 USD of invoice 2026-000001 is refunded.')],
    ]);
    expect(told(50)).toEqual([]);
  });

  test('a refund that is never reported is found within an hour, once it is made', async () => {
    const payment = await chargedInvoice();
    const made = service.refund(payment, 1234, backend.services.now());
    made.status = 'pending';
    await pass(3_600_000);
    expect(await notes()).toEqual([]);
    made.status = 'succeeded';
    await pass(3_600_000);
    await pass(3_600_000);
    expect(await notes()).toEqual([['CN-2026-000001', 1234]]);
  });

  test('two servers that see a refund at the same time make one credit note', async () => {
    const payment = await paidOrder();
    for (const amount of [100, 200, 300]) {
      const made = service.refund(payment, amount, backend.services.now());
      const told = await Promise.all([1, 2, 3].map(() => tell('refund.created', made)));
      expect(told).toEqual([204, 204, 204]);
    }
    expect(await notes()).toEqual([
      ['CN-2026-000001', 100],
      ['CN-2026-000002', 200],
      ['CN-2026-000003', 300],
    ]);
  });

  test('refunds of what an earlier version recorded as paid are found by its page or charge', async () => {
    const [paid, charged] = [await paidOrder(), await chargedInvoice()];
    await backend.services.database.run('UPDATE invoice SET paid_with = NULL');
    service.refund(paid, 5040, backend.services.now());
    service.refund(charged, 1234, backend.services.now());
    await pass(3_600_000);
    const credited = (await invoices()).map(({ total, creditNotes = [] }) => [
      total.amount,
      creditNotes.map(({ amount }) => amount.amount),
    ]);
    expect(credited.sort()).toEqual([
      [1234, [1234]],
      [5040, [5040]],
    ]);
  });

  test('the refund of a second payment for something makes no credit note', async () => {
    await paidOrder();
    const [order] = (await post(calls.queryOrders)).items;
    service.pages.set('cs_second', 'complete');
    const metadata = { uid: ada.uid, purpose: 'PAY_ORDER', orderId: order.orderId };
    const second = {
      id: 'cs_second',
      object: 'checkout.session',
      payment_status: 'paid',
      payment_intent: 'pi_cs_second',
    };
    await tell('checkout.session.completed', { ...second, metadata });
    await tell('refund.created', service.refund('pi_cs_second', 5040, backend.services.now()));
    await pass(3_600_000);
    expect(await notes()).toEqual([]);
    expect(told(30)).toMatchObject([{ payment: 'pi_cs_second' }]);
  });

  test('the value left in a refunded licence is not deducted from the next order', async () => {
    const payment = await paidOrder();
    await pass((7 * dayMs) / 2);
    const stale = await quoteFor(15);
    expect(stale.oldValue.amount).toBe(2520);
    await tell('refund.created', service.refund(payment, 2000, backend.services.now()));
    expect((await quoteFor(15)).oldValue.amount).toBe(520);
    const refused = { quoteId: stale.quoteId, payMethod: 'BANK_TRANSFER' };
    expect((await backend.post(calls.createOrder, refused, { token: ada.token })).body.code).toBe('QUOTE_ENDED');
    // What is left falls with time, and what follows is taken from the licence that has replaced it.
    await pass((7 * dayMs) / 4);
    const { quoteId, oldValue, total } = await quoteFor(15);
    expect(oldValue.amount).toBe(260);
    await post(calls.createOrder, { quoteId, payMethod: 'BANK_TRANSFER' });
    await tell('refund.created', service.refund(payment, 100, backend.services.now()));
    const again = await quoteFor(15);
    expect([again.oldValue.amount, again.total.amount]).toEqual([160, total.amount + 100]);
    const next = await post(calls.createOrder, { quoteId: again.quoteId, payMethod: 'STRIPE' });
    service.pages.set(next.payUrl.slice('https://pay.example/'.length), 'complete');
    await pass(600_000);
    const before = (await quoteFor(15)).oldValue.amount;
    await tell('refund.created', service.refund(payment, 1000, backend.services.now()));
    expect((await quoteFor(15)).oldValue.amount).toBe(before - 1000);
    await tell('refund.created', service.refund(payment, 1940, backend.services.now()));
    expect((await quoteFor(15)).oldValue.amount).toBe(before - 2940);
    const warned = backend.logged.filter(({ msg }) => String(msg).includes('had already deducted'));
    expect(warned).toMatchObject([{ uid: ada.uid }, { uid: ada.uid }]);
  });

  describe('an unpaid order that deducts the value of a refunded licence', () => {
    let payment: string;
    beforeEach(async () => {
      payment = await paidOrder();
      await pass((7 * dayMs) / 2);
    });

    const placeOrder = (quoteId: string, payMethod = 'BANK_TRANSFER') =>
      backend.post(calls.createOrder, { quoteId, payMethod }, { token: ada.token }).then(({ body }) => body);
    const refundAll = () => tell('refund.created', service.refund(payment, 5040, backend.services.now()));
    const newestOrder = async () => (await post(calls.queryOrders)).items[0];

    test('is closed, and its owner is told why and what to do', async () => {
      await backend.services.database.run('UPDATE account SET credits = 100');
      const { data } = await placeOrder((await quoteFor(15)).quoteId);
      await refundAll();
      const closed = {
        orderId: data.orderId,
        reference: data.transfer.reference,
        status: 'CLOSED',
        closedBy: 'refund',
      };
      expect(await newestOrder()).toMatchObject(closed);
      expect((await post(calls.queryLoginUser)).credits.amount).toBe(100);
      await runDueTasks(backend.services);
      const mails = backend.sent.filter(({ subject }) => subject.includes(data.transfer.reference));
      expect(mails).toMatchObject([{ to: 'ada@site.example', subject: `Order ${data.transfer.reference} was closed` }]);
      expect(mails[0]?.text).toContain(
        'deducted what was left of your present licence. That licence has been refunded',
      );
      expect(mails[0]?.text).toContain('credits set aside for it are in your account again');
      expect(mails[0]?.text).toContain('please order it again');
      // Nothing blocks the next order, and nothing closes this one a second time.
      const again = await quoteFor(15);
      expect(again.oldValue.amount).toBe(0);
      expect((await placeOrder(again.quoteId)).data.status).toBe('WAIT_PAY');
      await pass(dayMs / 2);
      expect(backend.sent.filter(({ subject }) => subject.includes(data.transfer.reference))).toHaveLength(1);
    });

    test('can no longer be paid on the page that was opened for it', async () => {
      const { data } = await placeOrder((await quoteFor(15)).quoteId, 'STRIPE');
      const page = data.payUrl.slice('https://pay.example/'.length);
      await refundAll();
      await runDueTasks(backend.services);
      expect(service.pages.get(page)).toBe('expired');
      expect(await newestOrder()).not.toHaveProperty('cardUntil');
    });

    test('stays open if it deducts nothing of it', async () => {
      await backend.services.database.run('UPDATE licence SET value = 0');
      await placeOrder((await quoteFor(15)).quoteId);
      await refundAll();
      expect((await newestOrder()).status).toBe('WAIT_PAY');
    });

    /** Has two calls wait for the same row, in this order, and then go on. */
    async function atOnce(
      lock: (queries: Queries) => Promise<unknown>,
      first: () => Promise<unknown>,
      second: () => Promise<unknown>,
    ) {
      const { database } = backend.services;
      let [one, two]: (Promise<unknown> | undefined)[] = [];
      await database.transaction(async (queries) => {
        await lock(queries);
        one = first();
        await untilWaiting(database, 1);
        two = second();
        await untilWaiting(database, 2);
      });
      return [await one, await two];
    }

    // Without changing the row: those that wait for a changed one have no order.
    const lockAccount = (queries: Queries) =>
      queries.one(z.object({ uid: z.string() }), 'SELECT uid FROM account WHERE uid = $1 FOR UPDATE', [ada.uid]);

    // SQLite runs one transaction at a time.
    describe.runIf(kind === 'postgres')('at the same moment', () => {
      test('is closed if it is placed just before the refund', async () => {
        const { quoteId } = await quoteFor(15);
        await atOnce(lockAccount, () => placeOrder(quoteId), refundAll);
        expect((await newestOrder()).status).toBe('CLOSED');
        expect(await notes()).toEqual([['CN-2026-000001', 5040]]);
      });

      test('is refused if it is placed just after the refund', async () => {
        const { quoteId } = await quoteFor(15);
        const [, refused] = await atOnce(lockAccount, refundAll, () => placeOrder(quoteId));
        expect(refused).toMatchObject({ code: 'QUOTE_ENDED' });
      });

      test('cannot be placed at a price that was asked for just before the refund', async () => {
        const [price] = await atOnce(lockAccount, () => quoteFor(15), refundAll);
        expect(price).toMatchObject({ oldValue: { amount: 2520 } });
        expect(await placeOrder(z.object({ quoteId: z.string() }).parse(price).quoteId)).toMatchObject({
          code: 'QUOTE_ENDED',
        });
      });

      test('deducts nothing if its price was asked for just after the refund', async () => {
        const [, price] = await atOnce(lockAccount, refundAll, () => quoteFor(15));
        expect(price).toMatchObject({ oldValue: { amount: 0 } });
      });

      const order = async () => {
        const { data } = await placeOrder((await quoteFor(15)).quoteId, 'STRIPE');
        const page = data.payUrl.slice('https://pay.example/'.length);
        const metadata = { uid: ada.uid, purpose: 'PAY_ORDER', orderId: data.orderId };
        const paid = { payment_status: 'paid', payment_intent: `pi_${page}`, amount_total: 8280, currency: 'usd' };
        const about = { object: 'checkout.session', ...paid };
        return () => tell('checkout.session.completed', { id: page, ...about, metadata });
      };

      test('is issued if its card was charged just before the refund, which lowers the value of its licence', async () => {
        const pay = await order();
        const full = (await newestOrder()).total.amount + 2520;
        // The payment waits for its invoice's number; by then the old licence is replaced.
        const counter = (queries: Queries) => queries.run("UPDATE counter SET value = value WHERE name = 'invoice'");
        expect(await atOnce(counter, pay, refundAll)).toEqual([204, 204]);
        expect((await newestOrder()).status).toBe('ISSUED');
        expect((await quoteFor(15)).oldValue.amount).toBe(full - 5040);
      });

      test('is closed if its card was charged just after the refund, and the payment is named', async () => {
        const pay = await order();
        await atOnce(lockAccount, refundAll, pay);
        expect((await newestOrder()).status).toBe('CLOSED');
        const arrived = backend.logged.filter(({ msg }) => String(msg).startsWith('a payment arrived that nothing'));
        expect(arrived).toMatchObject([{ payment: expect.stringMatching(/^pi_cs_/), amount: '82.80 USD' }]);
      });
    });
  });

  test('a refund that failed after its credit note was made is logged once', async () => {
    const made = service.refund(await paidOrder(), 5040, backend.services.now());
    await tell('refund.created', made);
    made.status = 'failed';
    expect([await tell('refund.failed', made), await tell('refund.failed', made)]).toEqual([204, 204]);
    await pass(3_600_000);
    expect(told(50)).toMatchObject([{ refund: made.id, creditNote: 'CN-2026-000001' }]);
  });

  test.each([
    ['failed', 'replacing', 'charge', 'stale'],
    ['replacing', 'failed', 'stale', 'charge'],
    ['stale', 'charge', 'replacing', 'failed'],
    ['charge', 'replacing', 'stale', 'failed'],
  ] as const)(
    'a refund in place of one that failed keeps its credit note, reported as %s, %s, %s, %s',
    async (...order) => {
      const payment = await paidOrder();
      const now = backend.services.now();
      const first = service.refund(payment, 5040, now);
      const created = { ...first };
      await tell('refund.created', created);
      first.status = 'failed';
      const second = service.refund(payment, 5040, now);
      const charge = { id: 'ch_1', object: 'charge', payment_intent: payment, amount_refunded: 5040, refunded: true };
      const events = {
        failed: () => tell('refund.failed', first),
        replacing: () => tell('refund.created', second),
        charge: () => tell('charge.refunded', charge),
        stale: () => tell('refund.created', created),
      };
      for (const name of [...order, ...order]) expect(await events[name]()).toBe(204);
      await pass(3_600_000);
      expect(await notes()).toEqual([['CN-2026-000001', 5040]]);
      const columns = z.object({ refund: z.string(), refund_failed: z.number() });
      expect(await backend.services.database.all(columns, 'SELECT refund, refund_failed FROM credit_note')).toEqual([
        { refund: second.id, refund_failed: 0 },
      ]);
      expect(told(50)).toMatchObject([{ refund: first.id, creditNote: 'CN-2026-000001' }]);
    },
  );

  test('two refunds of the same amount have a credit note each until one fails', async () => {
    const payment = await paidOrder();
    const now = backend.services.now();
    const [first] = [service.refund(payment, 1000, now), service.refund(payment, 1000, now)];
    await pass(3_600_000);
    first.status = 'failed';
    service.refund(payment, 1000, now);
    await pass(3_600_000);
    expect(await notes()).toEqual([
      ['CN-2026-000001', 1000],
      ['CN-2026-000002', 1000],
    ]);
  });

  test('a refund that failed before its creation is reported makes no credit note', async () => {
    const made = service.refund(await paidOrder(), 5040, backend.services.now());
    const created = { ...made };
    made.status = 'failed';
    await tell('refund.failed', made);
    await tell('refund.created', created);
    await pass(3_600_000);
    expect([await notes(), told(50)]).toEqual([[], []]);
  });

  test('a refund of more than credit notes have left is logged once, and makes none', async () => {
    const payment = await paidOrder();
    await tell('refund.created', service.refund(payment, 5000, backend.services.now()));
    const more = service.refund(payment, 41, backend.services.now());
    await tell('refund.created', more);
    await pass(3_600_000);
    expect(await notes()).toEqual([['CN-2026-000001', 5000]]);
    expect(told(50)).toMatchObject([{ refund: more.id, msg: expect.stringContaining('invoice 2026-000001') }]);
    // Its number is not lost.
    await tell('refund.created', service.refund(payment, 40, backend.services.now()));
    expect((await notes()).at(-1)).toEqual(['CN-2026-000002', 40]);
  });

  test('disputes are named for the operator with what to do, also when they are not reported', async () => {
    const made = service.dispute(await chargedInvoice(), 1234, backend.services.now());
    await tell('charge.dispute.created', made);
    await pass(3_600_000);
    made.status = 'under_review';
    await pass(3_600_000);
    made.status = 'lost';
    await pass(3_600_000);
    await pass(3_600_000);
    expect(told(50)).toMatchObject([
      { invoice: '2026-000001', amount: '12.34 USD', msg: expect.stringContaining('answer at the payment service') },
      { invoice: '2026-000001', amount: '12.34 USD', msg: expect.stringContaining('npm run invoice -- credit') },
    ]);
    expect((await invoices())[0]?.status).toBe('PAID');
  });

  test('a damaged invoice holds up no other credit note', async () => {
    const [paid, charged] = [await paidOrder(), await chargedInvoice()];
    service.refund(paid, 5040, backend.services.now());
    service.refund(charged, 1234, backend.services.now());
    await backend.services.database.run("UPDATE invoice SET document = '?' WHERE total = 1234");
    await pass(3_600_000);
    expect(await notes()).toEqual([['CN-2026-000001', 5040]]);
    expect(backend.logged.filter(({ task }) => task === 'poll-refunds')).toHaveLength(1);
  });
});
