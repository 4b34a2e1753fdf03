import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { dayMs } from '../../../client/contract/dates.ts';
import { beforeStatement } from '../../testing/before-statement.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { newcomer, signInAgain } from '../../testing/newcomer.ts';
import { reportEvent } from '../../testing/report-event.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { type StripeStandIn, startStripe } from '../../testing/stripe.ts';
import { eraseAccount } from '../account/erase-account.ts';
import { makeInvoice } from '../billing/invoices.ts';
import { writeApplyCode } from '../licensing/apply-code.ts';
import { runDueTasks } from '../tasks/run-tasks.ts';
import { fallBehind } from './arrears.ts';
import { subscribe } from './subscriptions.ts';

const card = { id: 'pm_1', brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2030 };
let service: StripeStandIn;
beforeAll(async () => {
  service = await startStripe();
});
afterAll(() => service.close());

interface Made {
  orderId: string;
  status: string;
}

/** The payment service's page with this id. */
const pageOf = ({ payUrl }: { payUrl: string }) => payUrl.slice('https://pay.example/'.length);

describe.each(['sqlite', 'postgres'] as const)('subscription and payment on %s', (kind) => {
  let backend: TestConsole;
  let ada: { uid: string; token: string };
  const open = async (env: Record<string, string>) => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    backend = await openTestConsole(env, url);
    service.now = backend.services.now;
    ada = await newcomer(backend, 'ada@site.example');
  };
  beforeEach(async () => {
    service.cards.length = 0;
    service.firstCard = null;
    await open({
      STRIPE_SECRET_KEY: 'sk_test_key',
      STRIPE_WEBHOOK_SECRET: 'whsec_test_secret',
      STRIPE_API_URL: service.url,
    });
    return () => backend.close();
  });

  const post = (path: string, body: object = {}) => backend.post(path, body, { token: ada.token });

  /** An event signed as by the payment service, with a new checkout unless an id is given. */
  async function tell(
    id: string,
    metadata: Record<string, string>,
    changes: object = {},
    { secret = 'whsec_test_secret', created = backend.services.now() } = {},
  ) {
    const event = {
      id,
      object: 'event',
      created: Math.floor(created / 1_000),
      type: 'checkout.session.completed',
      data: { object: { id: `cs_${id}`, object: 'checkout.session', payment_status: 'paid', metadata, ...changes } },
    };
    return reportEvent(backend.listener, event, secret);
  }

  async function quote(installation = 'installation-number-1'): Promise<string> {
    const applyCode = writeApplyCode({ installation, used: 0 });
    const wanted = { applyCode, productType: 'P', edition: 'ENTERPRISE', links: 1, period: { num: 7, unit: 'DAY' } };
    return (await post(calls.calculatePrice, wanted)).body.data.quoteId;
  }
  async function order(installation?: string) {
    const quoteId = await quote(installation);
    return { quoteId, ...(await post(calls.createOrder, { quoteId, payMethod: 'STRIPE' })).body.data };
  }
  const statusOf = async () => (await post(calls.queryOrders)).body.data.items[0].status;

  test('an order is paid on the payment page, and only once', async () => {
    const made = await order();
    expect(made.payUrl).toMatch(/^https:\/\/pay\.example\/cs_/);
    expect(service.seen.at(-1)).toMatchObject({
      idempotencyKey: `order-${made.orderId}`,
      parameters: {
        mode: 'payment',
        'line_items[0][price_data][unit_amount]': '5040',
        'metadata[orderId]': made.orderId,
      },
    });
    const paid = { uid: ada.uid, purpose: 'PAY_ORDER', orderId: made.orderId };
    const told = () => backend.logged.filter(({ msg }) => String(msg).startsWith('a payment arrived that nothing'));
    const about = { id: 'cs_1' };
    expect(await tell('evt_unpaid', paid, { ...about, payment_status: 'unpaid' })).toBe(204);
    expect(await statusOf()).toBe('WAIT_PAY');
    const answers = await Promise.all(['evt_1', 'evt_1', 'evt_2'].map((id) => tell(id, paid, about)));
    expect(answers).toEqual([204, 204, 204]);
    expect(await statusOf()).toBe('ISSUED');
    // An event sent again, or by another endpoint, is no second payment; a second payment is logged for the operator.
    expect(told()).toEqual([]);
    await tell('evt_3', paid, { id: 'cs_2' });
    expect(told()).toHaveLength(1);
    const invoices = await post(calls.listInvoices);
    expect(invoices.body.data).toMatchObject({ total: 1, items: [{ status: 'PAID', total: { amount: 5040 } }] });
  });

  test('what is finished for an erased account begins nothing, and its money is named', async () => {
    const { services } = backend;
    const { orderId } = await order();
    await post(calls.closeOrder, { orderId });
    // The first account owns the installation, which must have an owner.
    await services.database.run('DELETE FROM installation_owner');
    const erased = await services.database.transaction((queries) => eraseAccount(queries, services, ada.uid));
    expect(erased).toMatchObject({ reasons: [], keepsBills: true });
    const subscribing = { id: 'cs_setup', payment_status: 'no_payment_required' };
    expect(await tell('evt_1', { uid: ada.uid, purpose: 'SUBSCRIBE' }, subscribing)).toBe(204);
    const money = { payment_intent: 'pi_late', amount_total: 5040, currency: 'usd' };
    expect(await tell('evt_2', { uid: ada.uid, purpose: 'PAY_ORDER', orderId }, money)).toBe(204);
    for (const table of ['subscription', 'licence', 'invoice'])
      expect(await services.database.all(z.object({}), `SELECT uid FROM ${table}`)).toEqual([]);
    const others = { uid: 'of another installation', purpose: 'PAY_ORDER', orderId: 'theirs' };
    expect(await tell('evt_3', others, { ...money, id: 'cs_theirs' })).toBe(204);
    const lines = backend.logged.filter(({ checkout }) => checkout !== undefined);
    expect(lines).toMatchObject([
      {
        level: 40,
        uid: ada.uid,
        msg: expect.stringContaining('for an account that was erased: no subscription begins'),
      },
      { level: 50, orderId, payment: 'pi_late', amount: '50.40 USD', msg: expect.stringContaining('refund it') },
      { level: 40, checkout: 'cs_theirs', msg: expect.stringContaining('another installation shares its keys') },
    ]);
  });

  test('a customer who left the payment page can return until it expires, an hour before the order', async () => {
    const made = await order();
    const [listed] = (await post(calls.queryOrders)).body.data.items;
    expect(listed.cardUntil).toBe(listed.createdAt + 23 * 3_600_000);
    expect(service.seen.at(-1)?.parameters.expires_at).toBe(String(Math.floor(listed.cardUntil / 1_000)));
    const again = () => post(calls.createSession, { purpose: 'PAY_ORDER', orderId: made.orderId });
    expect((await again()).body.data.url).toBe(made.payUrl);
    const eve = await newcomer(backend, 'eve@site.example');
    const foreign = { purpose: 'PAY_ORDER', orderId: made.orderId };
    expect((await backend.post(calls.createSession, foreign, { token: eve.token })).body.code).toBe('NO_ORDER');
    expect((await post(calls.createSession, { purpose: 'PAY_ORDER' })).status).toBe(400);
    backend.pass(23 * 3_600_000);
    ada.token = await signInAgain(backend, ada.uid);
    expect((await again()).body.code).toBe('ORDER_STATE');
    expect((await post(calls.queryOrders)).body.data.items[0]).not.toHaveProperty('cardUntil');
  });

  test('an order whose page has expired early gets another page, as long as the payment service creates one', async () => {
    const made = await order();
    const again = async () => (await post(calls.createSession, { purpose: 'PAY_ORDER', orderId: made.orderId })).body;
    service.pages.set(pageOf(made), 'expired');
    const { data } = await again();
    expect([data.sessionId === pageOf(made), service.pages.get(data.sessionId)]).toEqual([false, 'open']);
    expect((await again()).data).toEqual(data);
    service.pages.set(data.sessionId, 'expired');
    backend.pass(23 * 3_600_000 - 30 * 60_000);
    ada.token = await signInAgain(backend, ada.uid);
    expect((await again()).code).toBe('ORDER_STATE');
  });

  test('a customer who has paid, which was not reported yet, gets the licence instead of the page again', async () => {
    const made = await order();
    service.pages.set(pageOf(made), 'complete');
    const again = await post(calls.createSession, { purpose: 'PAY_ORDER', orderId: made.orderId });
    expect(again.body.code).toBe('ORDER_STATE');
    expect(await statusOf()).toBe('ISSUED');
    // The late report changes nothing.
    const about = { uid: ada.uid, purpose: 'PAY_ORDER', orderId: made.orderId };
    expect(await tell('evt_late', about, { id: pageOf(made) })).toBe(204);
    expect((await post(calls.listInvoices)).body.data.total).toBe(1);
  });

  test('a payment that is never reported is found within ten minutes, and the operator reads about the webhook', async () => {
    const made = await order();
    const told = () => backend.logged.filter(({ msg }) => String(msg).includes('STRIPE_WEBHOOK_SECRET'));
    const later = async () => {
      backend.pass(600_000);
      await runDueTasks(backend.services);
    };
    await later();
    expect([await statusOf(), told()]).toEqual(['WAIT_PAY', []]);
    service.pages.set(pageOf(made), 'complete');
    await later();
    expect([await statusOf(), told()]).toMatchObject(['ISSUED', [{ level: 40, checkout: pageOf(made) }]]);
    expect((await post(calls.listInvoices)).body.data).toMatchObject({ total: 1, items: [{ status: 'PAID' }] });

    const subscription = (await post(calls.createSession, { purpose: 'SUBSCRIBE' })).body.data.sessionId;
    service.pages.set(subscription, 'complete');
    await later();
    expect((await post(calls.subscription)).body.data.status).toBe('ACTIVE');
    expect(told()).toHaveLength(2);
  });

  test('a page of the payment service is looked at until it has expired, was reported, or is unknown there', async () => {
    const looks = () => service.seen.filter(({ call }) => call.startsWith('GET /v1/checkout/sessions/')).length;
    const { orderId, ...reported } = await order();
    const [expired, unknown] = [await order('installation-number-2'), await order('installation-number-3')];
    await tell('evt_1', { uid: ada.uid, purpose: 'PAY_ORDER', orderId }, { id: pageOf(reported) });
    service.pages.set(pageOf(reported), 'complete');
    service.pages.set(pageOf(expired), 'expired');
    service.pages.delete(pageOf(unknown));
    const before = looks();
    for (const expected of [3, 3]) {
      backend.pass(600_000);
      await runDueTasks(backend.services);
      expect(looks() - before).toBe(expected);
    }
    expect(backend.logged.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });

  test.each([
    ['customer', /^POST \/v1\/customers$/],
    ['page', /^POST \/v1\/checkout\/sessions$/],
  ])('an order or invoice can be paid once an internal error about its %s has passed', async (_what, breaking) => {
    const { services } = backend;
    const invoiceId = await services.database.transaction((queries) =>
      makeInvoice(queries, services, { uid: ada.uid, lines: [{ text: 'Usage', amount: 5_040 }], status: 'OPEN' }),
    );
    const quoteId = await quote();
    const payOrder = () => post(calls.createOrder, { quoteId, payMethod: 'STRIPE' });
    const payInvoice = () => post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId });
    for (const payNow of [payOrder, payInvoice]) {
      service.breaking = breaking;
      for (const _try of [1, 2]) await payNow();
      service.breaking = null;
      const { body } = await payNow();
      expect(body.data.payUrl ?? body.data.url).toMatch(/^https:\/\/pay\.example\/cs_/);
    }
  });

  test('an order can still be paid by transfer when no payment page could be opened', async () => {
    const quoteId = await quote();
    const create = (payMethod: string) => post(calls.createOrder, { quoteId, payMethod });
    service.failing = true;
    expect((await create('STRIPE')).body.code).toBe('PAYMENT_FAILED');
    const { body } = await create('BANK_TRANSFER');
    service.failing = false;
    expect(body.data).toMatchObject({ status: 'WAIT_PAY', transfer: { amount: { amount: 5040 } } });
    const { items } = (await post(calls.queryOrders)).body.data;
    expect(items).toMatchObject([{ orderId: body.data.orderId, transfer: { reference: expect.any(String) } }]);
    // It is not paid twice: from then on no card pays it.
    expect((await create('STRIPE')).body.data).not.toHaveProperty('payUrl');
    const byCard = await post(calls.createSession, { purpose: 'PAY_ORDER', orderId: body.data.orderId });
    expect(byCard.body.code).toBe('ORDER_STATE');
  });

  test('no card is offered for an order without a payment page when a new page would expire too soon', async () => {
    const quoteId = await quote();
    service.failing = true;
    await post(calls.createOrder, { quoteId, payMethod: 'STRIPE' });
    service.failing = false;
    const [{ orderId, createdAt, cardUntil }] = (await post(calls.queryOrders)).body.data.items;
    expect(cardUntil).toBe(createdAt + 23 * 3_600_000 - 31 * 60_000);
    backend.pass(cardUntil - createdAt);
    ada.token = await signInAgain(backend, ada.uid);
    expect((await post(calls.queryOrders)).body.data.items[0]).not.toHaveProperty('cardUntil');
    const late = await post(calls.createSession, { purpose: 'PAY_ORDER', orderId });
    expect([late.status, late.body.code]).toEqual([200, 'ORDER_STATE']);
  });

  test('a payment page that was opened while another tab chose a transfer is expired', async () => {
    const quoteId = await quote();
    const create = (payMethod: string) => post(calls.createOrder, { quoteId, payMethod });
    const wasRun = beforeStatement(backend.services, 'UPDATE licence_order SET pay_session', async () => {
      expect((await create('BANK_TRANSFER')).body.data).toHaveProperty('transfer');
    });
    expect((await create('STRIPE')).body.code).toBe('ORDER_STATE');
    wasRun();
    expect([...service.pages.values()].at(-1)).toBe('expired');
  });

  test('an order with an open payment page stays payable by card alone', async () => {
    const made = await order();
    const { body } = await post(calls.createOrder, { quoteId: made.quoteId, payMethod: 'BANK_TRANSFER' });
    expect([body.data.payUrl, body.data.transfer]).toEqual([made.payUrl, undefined]);
  });

  test('an order that its owner closes can no longer be paid, and a paid one cannot be closed', async () => {
    const first = await order();
    expect((await post(calls.closeOrder, { orderId: first.orderId })).body.data.status).toBe('CLOSED');
    expect(service.pages.get(pageOf(first))).toBe('expired');
    const second = await order('installation-number-2');
    service.pages.set(pageOf(second), 'complete');
    expect((await post(calls.closeOrder, { orderId: second.orderId })).body.code).toBe('ORDER_STATE');
    service.failing = true;
    expect((await post(calls.closeOrder, { orderId: second.orderId })).body.code).toBe('PAYMENT_FAILED');
    service.failing = false;
    // It was already recorded as paid when it is finally reported.
    const issued = (await post(calls.queryOrders, { status: 'ISSUED' })).body.data.items;
    expect(issued).toMatchObject([{ orderId: second.orderId }]);
    await tell('evt_late', { uid: ada.uid, purpose: 'PAY_ORDER', orderId: second.orderId }, { id: pageOf(second) });
    expect(backend.logged.filter(({ msg }) => String(msg).startsWith('a payment arrived that nothing'))).toEqual([]);
    // Closed while the page is being created.
    const { database } = backend.services;
    const quoteId = await quote('installation-number-3');
    const wasRun = beforeStatement(backend.services, 'UPDATE licence_order SET pay_session', () =>
      database.run("UPDATE licence_order SET status = 'CLOSED' WHERE quote_id = $1", [quoteId]),
    );
    const late = await post(calls.createOrder, { quoteId, payMethod: 'STRIPE' });
    wasRun();
    expect([late.body.code, [...service.pages.values()].at(-1)]).toEqual(['ORDER_STATE', 'expired']);
  });

  test('a day-old order is issued if it was paid but never reported, and closed with its page otherwise', async () => {
    const paid = await order();
    const unpaid = await order('installation-number-2');
    service.pages.set(pageOf(paid), 'complete');
    backend.pass(dayMs);
    ada.token = await signInAgain(backend, ada.uid);
    service.failing = true;
    await runDueTasks(backend.services);
    const statuses = async () => (await post(calls.queryOrders)).body.data.items.map(({ status }: Made) => status);
    expect(await statuses()).toEqual(['WAIT_PAY', 'WAIT_PAY']);
    service.failing = false;
    backend.pass(60_000);
    await runDueTasks(backend.services);
    const items: Made[] = (await post(calls.queryOrders)).body.data.items;
    expect(new Map(items.map(({ orderId, status }) => [orderId, status]))).toEqual(
      new Map([
        [paid.orderId, 'ISSUED'],
        [unpaid.orderId, 'CLOSED'],
      ]),
    );
    expect(service.pages.get(pageOf(unpaid))).toBe('expired');
  });

  test('an amount too small for a card is refused before there is an order, and payable by transfer', async () => {
    const { database } = backend.services;
    await database.run('UPDATE account SET credits = 5020');
    const applyCode = writeApplyCode({ installation: 'installation-number-1', used: 0 });
    const wanted = { applyCode, productType: 'P', edition: 'ENTERPRISE', links: 1, period: { num: 7, unit: 'DAY' } };
    const { quoteId, total } = (await post(calls.calculatePrice, wanted)).body.data;
    expect(total.amount).toBe(20);
    const refused = await post(calls.createOrder, { quoteId, payMethod: 'STRIPE' });
    expect([refused.status, refused.body.code]).toEqual([200, 'TOO_LITTLE_FOR_CARD']);
    expect((await post(calls.queryOrders)).body.data.total).toBe(0);
    const made = await post(calls.createOrder, { quoteId, payMethod: 'BANK_TRANSFER' });
    expect(made.body.data.transfer.amount.amount).toBe(20);
    const lines = [{ text: 'Usage', amount: 49 }];
    const invoiceId = await database.transaction((queries) =>
      makeInvoice(queries, backend.services, { uid: ada.uid, lines, status: 'OPEN' }),
    );
    const unpaid = await post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId });
    expect([unpaid.status, unpaid.body.code]).toEqual([200, 'TOO_LITTLE_FOR_CARD']);
  });

  test('an amount too large for a card is refused before there is an order, and payable by transfer', async () => {
    const { database } = backend.services;
    const applyCode = writeApplyCode({ installation: 'installation-number-1', used: 0 });
    const wanted = {
      applyCode,
      productType: 'P',
      edition: 'ENTERPRISE',
      links: 1_000,
      period: { num: 1, unit: 'YEAR' },
    };
    const { quoteId, total } = (await post(calls.calculatePrice, wanted)).body.data;
    expect(total.amount).toBeGreaterThan(99_999_999);
    const refused = await post(calls.createOrder, { quoteId, payMethod: 'STRIPE' });
    expect([refused.status, refused.body.code]).toEqual([200, 'TOO_MUCH_FOR_CARD']);
    expect((await post(calls.queryOrders)).body.data.total).toBe(0);
    const made = await post(calls.createOrder, { quoteId, payMethod: 'BANK_TRANSFER' });
    expect(made.body.data.transfer.amount).toEqual(total);
    const invoiceOf = (amount: number) =>
      database.transaction((queries) =>
        makeInvoice(queries, backend.services, { uid: ada.uid, lines: [{ text: 'Usage', amount }], status: 'OPEN' }),
      );
    const pay = async (amount: number) =>
      (await post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId: await invoiceOf(amount) })).body;
    expect((await pay(100_000_000)).code).toBe('TOO_MUCH_FOR_CARD');
    expect((await pay(99_999_999)).data).toHaveProperty('url');
  });

  test('an event that the payment service did not sign is refused', async () => {
    const made = await order();
    expect(
      await tell('evt_3', { uid: ada.uid, purpose: 'PAY_ORDER', orderId: made.orderId }, {}, { secret: 'whsec_wrong' }),
    ).toBe(400);
    expect(await statusOf()).toBe('WAIT_PAY');
  });

  test('a subscription needs a card, renews, and ends with its period once cancelled', async () => {
    expect((await post(calls.subscription)).body.data).toEqual({ status: 'NONE' });
    expect((await post(calls.subscription, { action: 'SUBSCRIBE', paymentMethodId: 'pm_1' })).body.code).toBe(
      'NO_CARD',
    );
    const session = await post(calls.createSession, { purpose: 'SUBSCRIBE' });
    expect(session.body.data.url).toMatch(/^https:/);
    await tell('evt_4', { uid: ada.uid, purpose: 'SUBSCRIBE' }, { payment_status: 'no_payment_required' });
    const begun = (await post(calls.subscription)).body.data;
    expect(begun).toMatchObject({ status: 'ACTIVE', periodEnd: Date.UTC(2026, 11, 21, 12) });
    backend.pass(30 * dayMs);
    await runDueTasks(backend.services);
    ada.token = await signInAgain(backend, ada.uid);
    const renewed = (await post(calls.subscription)).body.data;
    expect([renewed.status, renewed.periodEnd]).toEqual(['ACTIVE', Date.UTC(2027, 0, 21, 12)]);
    const { subscriptionId } = renewed;
    const cancelled = await post(calls.cancelSubscription, { subscriptionId, reason: 'moved' });
    expect(cancelled.body.data).toEqual({ status: 'CANCELS_AT_PERIOD_END', periodEnd: renewed.periodEnd });
    backend.pass(31 * dayMs);
    await runDueTasks(backend.services);
    ada.token = await signInAgain(backend, ada.uid);
    expect((await post(calls.subscription)).body.data.status).toBe('CANCELED');
  });

  test('no subscription begins, and no page for one opens, if the operator sells none', async () => {
    const { services } = backend;
    services.pricing = { ...services.pricing, plans: services.pricing.plans.filter(({ id }) => id !== 'cloud') };
    service.cards.push(card);
    const byCard = await post(calls.subscription, { action: 'SUBSCRIBE', paymentMethodId: 'pm_1' });
    const onPage = await post(calls.createSession, { purpose: 'SUBSCRIBE' });
    expect([byCard.body.code, onPage.body.code]).toEqual(['NOT_SOLD', 'NOT_SOLD']);
  });

  test('a page for a subscription is opened once and opened anew only when it is over', async () => {
    const open = async () => (await post(calls.createSession, { purpose: 'SUBSCRIBE' })).body.data.sessionId;
    const polls = async () => {
      const sql = "SELECT task_key FROM task WHERE kind = 'poll-checkout' ORDER BY task_key";
      return (await backend.services.database.all(z.object({ task_key: z.string() }), sql)).map((row) => row.task_key);
    };
    const [first, ...others] = await Promise.all([open(), open(), open()]);
    expect([...others, await open()]).toEqual([first, first, first]);
    expect(await polls()).toEqual([first]);
    for (const over of ['complete', 'expired'] as const) {
      const before = await open();
      service.pages.set(before, over);
      expect(await open()).not.toBe(before);
    }
    expect(await polls()).toHaveLength(3);
  });

  test('a checkout reported after a cancellation does not undo it, but one made after it does', async () => {
    const { services } = backend;
    const about = { uid: ada.uid, purpose: 'SUBSCRIBE' };
    const checkout = (id: string, moment: number) =>
      tell(`evt_${id}`, about, { id, payment_status: 'no_payment_required' }, { created: moment });
    const status = async () => (await post(calls.subscription)).body.data.status;
    const begun = services.now();
    await checkout('cs_1', begun);
    expect(await status()).toBe('ACTIVE');
    backend.pass(2 * 3_600_000);
    const { subscriptionId } = (await post(calls.subscription)).body.data;
    await post(calls.cancelSubscription, { subscriptionId });
    // Reported again by a second endpoint, and one left open in another window.
    expect([await checkout('cs_1', services.now()), await checkout('cs_2', begun)]).toEqual([204, 204]);
    expect(await status()).toBe('CANCELS_AT_PERIOD_END');
    expect(backend.logged.filter(({ msg }) => String(msg).includes('it stays cancelled'))).toHaveLength(1);
    await checkout('cs_3', services.now());
    expect(await status()).toBe('ACTIVE');
  });

  test('a subscription begun on a 31st renews on the last day of shorter months, then on the 31st again', async () => {
    const { services } = backend;
    const end = async () => {
      ada.token = await signInAgain(backend, ada.uid);
      return (await post(calls.subscription)).body.data.periodEnd;
    };
    const day = (month: number, date: number) => Date.UTC(2027, month, date, 12);
    service.cards.push(card);
    const begin = () => post(calls.subscription, { action: 'SUBSCRIBE', paymentMethodId: 'pm_1' });
    /** Lets the period pass. */
    const renew = async () => {
      backend.pass((await end()) - services.now());
      await runDueTasks(services);
      return end();
    };
    backend.pass(day(0, 31) - services.now());
    ada.token = await signInAgain(backend, ada.uid);
    await begin();
    expect(await end()).toBe(day(1, 28));
    expect([await renew(), await renew(), await renew()]).toEqual([day(2, 31), day(3, 30), day(4, 31)]);
    // Undoing a cancellation changes no day; a subscription started again after its end has a new day.
    const cancel = async () => {
      const { subscriptionId } = (await post(calls.subscription)).body.data;
      await post(calls.cancelSubscription, { subscriptionId });
    };
    await cancel();
    await begin();
    expect([await renew(), await renew()]).toEqual([day(5, 30), day(6, 31)]);
    await cancel();
    await renew();
    backend.pass(30 * dayMs);
    ada.token = await signInAgain(backend, ada.uid);
    await begin();
    expect([await end(), await renew(), await renew()]).toEqual([day(8, 30), day(9, 30), day(10, 30)]);
  });

  test('a subscription from an earlier version keeps renewing on the day its period began', async () => {
    const { services } = backend;
    const [start, end] = [Date.UTC(2027, 0, 31), Date.UTC(2027, 1, 28)];
    await services.database.transaction((queries) => subscribe(queries, ada.uid, services.now()));
    await services.database.run('UPDATE subscription SET begun_at = NULL, period_start = $1, period_end = $2', [
      start,
      end,
    ]);
    const ends = [];
    for (const moment of [end, Date.UTC(2027, 2, 31), Date.UTC(2027, 3, 30)]) {
      backend.pass(moment - services.now());
      await runDueTasks(services);
      ada.token = await signInAgain(backend, ada.uid);
      ends.push((await post(calls.subscription)).body.data.periodEnd);
    }
    expect(ends).toEqual([Date.UTC(2027, 2, 31), Date.UTC(2027, 3, 30), Date.UTC(2027, 4, 31)]);
  });

  test('a subscription restarted at the moment it ends renews like any other', async () => {
    const { services } = backend;
    const { database, now } = services;
    const begin = () => database.transaction((queries) => subscribe(queries, ada.uid, now()));
    await begin();
    const { subscriptionId } = (await post(calls.subscription)).body.data;
    await post(calls.cancelSubscription, { subscriptionId });
    backend.pass(30 * dayMs);
    // After the period has ended, before its task is deleted.
    const wasRun = beforeStatement(services, 'DELETE FROM task WHERE id = $1', begin);
    await runDueTasks(services);
    wasRun();
    backend.pass(31 * dayMs);
    await runDueTasks(services);
    ada.token = await signInAgain(backend, ada.uid);
    const renewed = (await post(calls.subscription)).body.data;
    expect([renewed.status, renewed.periodEnd > now()]).toEqual(['ACTIVE', true]);
  });

  test('a subscription renews if its cancellation is undone at the moment it would end', async () => {
    const { services } = backend;
    for (let round = 1; round <= 5; round += 1) {
      const begin = () => services.database.transaction((queries) => subscribe(queries, ada.uid, services.now()));
      await begin();
      ada.token = await signInAgain(backend, ada.uid);
      const { subscriptionId, periodEnd } = (await post(calls.subscription)).body.data;
      await post(calls.cancelSubscription, { subscriptionId });
      backend.pass(periodEnd - services.now());
      await Promise.all([runDueTasks(services), begin()]);
      backend.pass(32 * dayMs);
      await runDueTasks(services);
      ada.token = await signInAgain(backend, ada.uid);
      const renewed = (await post(calls.subscription)).body.data;
      expect([renewed.status, renewed.periodEnd > services.now()]).toEqual(['ACTIVE', true]);
    }
  });

  test('late invoices paid in parallel make the subscription active again', async () => {
    const { services } = backend;
    const about = { uid: ada.uid, lines: [{ text: 'Usage', amount: 100 }], status: 'OPEN' as const };
    await services.database.transaction((queries) => subscribe(queries, ada.uid, services.now()));
    const late = () =>
      services.database.transaction(async (queries) => {
        const id = await makeInvoice(queries, services, about);
        await fallBehind(queries, services, { id, uid: ada.uid, number: '1', email: null }, 'It was not paid.');
        return id;
      });
    const pay = (invoiceId: string) => tell(`evt_${invoiceId}`, { uid: ada.uid, purpose: 'PAY_INVOICE', invoiceId });
    for (let round = 1; round <= 5; round += 1) {
      const ids = [await late(), await late(), await late()];
      // Paying only one of them ends nothing.
      await pay(await late());
      expect((await post(calls.subscription)).body.data.status).toBe('PAST_DUE');
      await Promise.all(ids.map(pay));
      expect((await post(calls.subscription)).body.data.status).toBe('ACTIVE');
    }
  });

  test('cards are listed, and are changed at the payment service', async () => {
    service.cards.push(card);
    expect((await post(calls.listPaymentMethods)).body.data).toEqual([
      { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 1, expYear: 2030, isDefault: true },
    ]);
    expect((await post(calls.createSession, { purpose: 'ADD_CARD' })).body.data.url).toBe('https://pay.example/portal');
  });

  test("the payment service gets the account's new e-mail address and name", async () => {
    await backend.close();
    await open({
      STRIPE_SECRET_KEY: 'sk_test_key',
      STRIPE_WEBHOOK_SECRET: 'whsec_test_secret',
      STRIPE_API_URL: service.url,
      ALLOW_PLAIN_PASSWORD: 'on',
    });
    const told = () => service.seen.findLast(({ call }) => /^POST \/v1\/customers\/\w+$/.test(call))?.parameters;
    const password = 'correct horse battery staple';
    const codeFor = async (email: string, verifyCodeType: string) => {
      await post(calls.sendCode, { email, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType });
      return (await backend.queued()).findLast(({ to, code }) => to === email && code !== undefined)?.code;
    };
    const verifyCode = await codeFor('ada@site.example', 'RESET_PASSWORD');
    await post(calls.resetPasswordUnlogin, { email: 'ada@site.example', verifyCode, password });
    ada.token = await signInAgain(backend, ada.uid);
    await post(calls.listPaymentMethods);
    const email = 'ada@elsewhere.example';
    const change = { email, verifyCode: await codeFor(email, 'UPDATE_EMAIL'), password };
    expect((await post(calls.updateUserEmail, change)).body.success).toBe(true);
    await runDueTasks(backend.services);
    expect(told()).toEqual({ email, name: 'Ada' });
    await post(calls.updateProfile, { userName: 'Ada Lovelace' });
    await runDueTasks(backend.services);
    expect(told()).toEqual({ email, name: 'Ada Lovelace' });
    const waiting = () =>
      backend.services.database.all(
        z.object({ taken_until: z.number() }),
        "SELECT taken_until FROM task WHERE kind = 'update-customer' ORDER BY taken_until",
      );
    await post(calls.updateProfile, { userName: 'Ada Lovelace', company: 'Mill Ltd' });
    expect(await waiting()).toEqual([]);
    for (const userName of ['Ada', 'Ada King']) await post(calls.updateProfile, { userName });
    expect(await waiting()).toEqual([{ taken_until: 0 }]);
    // One that runs may have read the old name.
    await backend.services.database.run("UPDATE task SET taken_until = 1 WHERE kind = 'update-customer'");
    for (const userName of ['Ada', 'Ada Lovelace']) await post(calls.updateProfile, { userName });
    expect(await waiting()).toEqual([{ taken_until: 0 }, { taken_until: 1 }]);
    await runDueTasks(backend.services);
    expect([told(), await waiting()]).toEqual([{ email, name: 'Ada Lovelace' }, []]);
  });

  test('a checkout of an unknown account is accepted and changes nothing', async () => {
    expect(await tell('evt_foreign', { uid: 'somebody-elsewhere', purpose: 'SUBSCRIBE' })).toBe(204);
    expect((await post(calls.subscription)).body.data.status).toBe('NONE');
  });

  test('what does not exist or belongs to someone else cannot be paid or cancelled', async () => {
    const gone = await post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId: 'none' });
    expect([gone.status, gone.body.code]).toEqual([404, 'NO_INVOICE']);
    const unnamed = await post(calls.createSession, { purpose: 'PAY_INVOICE' });
    expect([unnamed.status, Object.keys(unnamed.body.fields)]).toEqual([400, ['invoiceId']]);
    const none = await post(calls.cancelSubscription, { subscriptionId: 'none' });
    expect([none.status, none.body.code]).toEqual([404, 'NO_SUBSCRIPTION']);
    const { services } = backend;
    const invoiceId = await services.database.transaction(async (queries) => {
      await subscribe(queries, ada.uid, services.now());
      const lines = [{ text: 'Usage', amount: 100 }];
      return makeInvoice(queries, services, { uid: ada.uid, lines, status: 'OPEN' });
    });
    const { subscriptionId } = (await post(calls.subscription)).body.data;
    const eve = await newcomer(backend, 'eve@site.example');
    const byEve = (path: string, body: object) => backend.post(path, body, { token: eve.token });
    const foreign = await byEve(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NO_INVOICE']);
    const cancelled = await byEve(calls.cancelSubscription, { subscriptionId });
    expect([cancelled.status, cancelled.body.code]).toEqual([404, 'NO_SUBSCRIPTION']);
    expect((await post(calls.subscription)).body.data.status).toBe('ACTIVE');
  });

  test('a payment service that refuses or is down is reported without quoting it', async () => {
    service.failing = true;
    const refused = await post(calls.createSession, { purpose: 'ADD_CARD' });
    service.failing = false;
    expect([refused.status, refused.body.code]).toEqual([502, 'PAYMENT_FAILED']);
    await backend.close();
    await open({
      STRIPE_SECRET_KEY: 'sk_test_key',
      STRIPE_WEBHOOK_SECRET: 'whsec_test_secret',
      STRIPE_API_URL: 'http://127.0.0.1:9',
    });
    for (const path of [calls.createSession, calls.listPaymentMethods] as const) {
      const gone = await post(path, path === calls.createSession ? { purpose: 'ADD_CARD' } : {});
      expect([gone.status, gone.body.code]).toEqual([502, 'PAYMENT_FAILED']);
    }
    expect(JSON.stringify(backend.logged)).not.toContain('sk_test_key');
  });

  test('without a payment service no card is accepted, and a subscription needs none', async () => {
    await backend.close();
    await open({});
    expect((await post(calls.createSession, { purpose: 'ADD_CARD' })).body.code).toBe('PAYMENT_NOT_OFFERED');
    expect((await post(calls.listPaymentMethods)).body.data).toEqual([]);
    expect((await post(calls.subscription, { action: 'SUBSCRIBE' })).body.data.status).toBe('ACTIVE');
    expect(await tell('evt_5', { uid: ada.uid, purpose: 'SUBSCRIBE' })).toBe(404);
  });
});
