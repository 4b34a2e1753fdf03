import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { beforeStatement } from '../../testing/before-statement.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { newcomer, signInAgain } from '../../testing/newcomer.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { type StripeStandIn, startStripe } from '../../testing/stripe.ts';
import { makeInvoice, payInvoice } from '../billing/invoices.ts';
import { runDueTasks } from '../tasks/run-tasks.ts';
import { fulfilCheckout } from './fulfil-checkout.ts';
import { subscribe } from './subscriptions.ts';

const day = 86_400_000;
const card = { id: 'pm_1', brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2030 };
let service: StripeStandIn;
beforeAll(async () => {
  service = await startStripe();
});
afterAll(() => service.close());

describe.each(['sqlite', 'postgres'] as const)('open invoices on %s', (kind) => {
  let backend: TestConsole;
  let ada: { uid: string; token: string };
  const open = async (env: Record<string, string>) => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    backend = await openTestConsole(env, url);
    service.now = backend.services.now;
    ada = await newcomer(backend, 'ada@site.example');
    await backend.services.database.transaction((queries) => subscribe(queries, ada.uid, backend.services.now()));
  };
  beforeEach(async () => {
    service.seen.length = 0;
    service.cards.splice(0, Infinity, { ...card, id: 'pm_0' }, card);
    service.declining = false;
    service.refusing = null;
    service.firstCard = null;
    await open({
      STRIPE_SECRET_KEY: 'sk_test_key',
      STRIPE_WEBHOOK_SECRET: 'whsec_test_secret',
      STRIPE_API_URL: service.url,
    });
    return () => backend.close();
  });

  const invoice = (amount = 1234, month?: string) =>
    backend.services.database.transaction((queries) =>
      makeInvoice(queries, backend.services, {
        uid: ada.uid,
        ...(month !== undefined && { month }),
        lines: [{ text: 'Usage', amount }],
        status: 'OPEN',
      }),
    );
  /** Lets days pass, with the tasks that come due. */
  async function pass(days: number) {
    for (let left = days; left > 0; left -= 1) {
      await runDueTasks(backend.services);
      backend.pass(day);
      service.forgetKeys();
    }
    await runDueTasks(backend.services);
  }
  async function seen() {
    const token = await signInAgain(backend, ada.uid);
    const ask = async (path: typeof calls.listInvoices | typeof calls.subscription) =>
      (await backend.post(path, {}, { token })).body.data;
    return [(await ask(calls.listInvoices)).items[0].status, (await ask(calls.subscription)).status];
  }
  const confirmed = () => service.seen.filter(({ call }) => call.endsWith('/confirm'));
  const told = () =>
    backend.sent.map(({ subject }) => subject).filter((subject) => subject.endsWith('has not been paid'));

  test("are charged once, to the subscription's card", async () => {
    await backend.services.database.run("UPDATE subscription SET payment_method = 'pm_1'");
    await invoice();
    await pass(0);
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
    expect(confirmed().map(({ parameters }) => parameters)).toEqual([{ payment_method: 'pm_1', off_session: 'true' }]);
    expect(service.seen.find(({ call }) => call === 'POST /v1/payment_intents')?.parameters).toMatchObject({
      amount: '1234',
      currency: 'usd',
    });
    await pass(8);
    expect(confirmed()).toHaveLength(1);
  });

  test('are charged to the card shown as used first, even after its owner chose another', async () => {
    const post = (path: string, body: object = {}) => backend.post(path, body, { token: ada.token });
    const usedFirst = async (): Promise<string> =>
      (await post(calls.listPaymentMethods)).body.data.find(({ isDefault }: { isDefault: boolean }) => isDefault).id;
    const charged = () => confirmed().at(-1)?.parameters.payment_method;
    await post(calls.subscription, { action: 'SUBSCRIBE', paymentMethodId: 'pm_1' });
    expect(await usedFirst()).toBe('pm_1');
    await invoice();
    await pass(0);
    expect(charged()).toBe('pm_1');
    // At the payment service.
    service.firstCard = 'pm_0';
    expect(await usedFirst()).toBe('pm_0');
    await invoice();
    await pass(0);
    expect(charged()).toBe('pm_0');
    // A payment method that is not a card, or a card that is gone.
    service.firstCard = 'pm_link';
    expect(await usedFirst()).toBe('pm_1');
    service.cards.splice(1, 1);
    expect(await usedFirst()).toBe('pm_0');
    await invoice();
    await pass(0);
    expect([charged(), (await seen())[0]]).toEqual(['pm_0', 'PAID']);
  });

  test('are charged again on the third, fifth and seventh day while the card is declined', async () => {
    service.declining = true;
    await invoice();
    await pass(0);
    expect(await seen()).toEqual(['OPEN', 'PAST_DUE']);
    await pass(20);
    expect(confirmed().map(({ parameters }) => parameters.payment_method)).toEqual(['pm_0', 'pm_0', 'pm_0', 'pm_0']);
    expect(new Set(confirmed().map(({ call }) => call)).size, 'tries of one payment').toBe(1);
    expect(told()).toHaveLength(4);
  });

  test('are paid by a later charge, which makes the subscription active again', async () => {
    service.declining = true;
    await invoice();
    await pass(0);
    service.declining = false;
    // Subscribing again does not help.
    await backend.services.database.transaction((queries) => subscribe(queries, ada.uid, backend.services.now()));
    expect(await seen()).toEqual(['OPEN', 'PAST_DUE']);
    await pass(3);
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
  });

  test('wait for their owner, with one line in the log, if their payment was cancelled at the payment service', async () => {
    service.declining = true;
    const invoiceId = await invoice();
    await pass(0);
    service.declining = false;
    service.cancelPayments();
    await pass(10);
    expect([await seen(), confirmed().length]).toEqual([['OPEN', 'PAST_DUE'], 1]);
    const lines = backend.logged.filter(({ level }) => Number(level) >= 40);
    expect(lines).toMatchObject([{ msg: expect.stringContaining('was cancelled at the payment service') }]);
    const token = await signInAgain(backend, ada.uid);
    const { body } = await backend.post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId }, { token });
    service.pages.set(body.data.sessionId, 'complete');
    await pass(5);
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
  });

  test('are charged by a payment that an earlier version began, which may redirect', async () => {
    service.declining = true;
    await invoice();
    await pass(0);
    service.declining = false;
    const { database } = backend.services;
    const customer = await database.one(z.object({ customer: z.string() }), 'SELECT customer FROM stripe_customer');
    const parameters = { amount: '1234', currency: 'usd', ...customer, 'metadata[invoiceId]': 'of an earlier version' };
    const begun = await fetch(`${service.url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_key' },
      body: new URLSearchParams(parameters),
    });
    const { id } = z.object({ id: z.string() }).parse(await begun.json());
    await database.run('UPDATE invoice SET payment_intent = $1', [id]);
    await pass(3);
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
    expect(confirmed().at(-1)).toMatchObject({
      call: `POST /v1/payment_intents/${id}/confirm`,
      parameters: { return_url: `${backend.services.config.cloudAppUrl}/invoices` },
    });
  });

  test.each([
    ['begin', /^POST \/v1\/payment_intents$/],
    ['charge', /\/confirm$/],
  ])(
    'are late, with a line in the log for each try, if the payment service refuses the request to %s their payment',
    async (_what, refusing) => {
      service.refusing = refusing;
      const invoiceId = await invoice();
      await pass(2);
      const tries = () => service.seen.filter(({ call }) => refusing.test(call)).length;
      const before = tries();
      expect([await seen(), told().length]).toEqual([['OPEN', 'PAST_DUE'], 1]);
      const lines = () => backend.logged.filter(({ level }) => Number(level) >= 40);
      const line = { level: 50, invoice: expect.any(String), refusal: 'Refused.' };
      expect(lines()).toMatchObject([line]);
      // The page on which its owner pays stays open until the next try.
      const token = await signInAgain(backend, ada.uid);
      const { body } = await backend.post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId }, { token });
      await pass(0);
      expect(service.pages.get(body.data.sessionId)).toBe('open');
      await pass(1);
      expect([tries() - before, lines()]).toMatchObject([1, [line, line]]);
      service.refusing = null;
      await pass(2);
      expect(await seen()).toEqual(['PAID', 'ACTIVE']);
    },
  );

  test('are charged and payable after the operator has changed to other keys, such as live ones', async () => {
    service.declining = true;
    const invoiceId = await invoice();
    await pass(0);
    service.declining = false;
    const token = await signInAgain(backend, ada.uid);
    const open = async () =>
      (await backend.post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId }, { token })).body;
    const before = (await open()).data.sessionId;
    service.forgetAll();
    const after = (await open()).data.sessionId;
    expect(after).not.toBe(before);
    service.forgetAll();
    const cards = await backend.post(calls.listPaymentMethods, {}, { token });
    expect(cards.body.data).toHaveLength(2);
    service.forgetAll();
    await pass(3);
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
    expect(backend.logged.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });

  test('are not charged again if a charge succeeded but its answer was lost', async () => {
    await invoice();
    const { database } = backend.services;
    await runDueTasks(backend.services);
    await database.run("UPDATE invoice SET status = 'OPEN', paid_at = NULL");
    await database.run(
      "INSERT INTO task (id, kind, task_key, payload, due_at) SELECT 'again', 'collect-invoice', id, '', 0 FROM invoice",
    );
    backend.pass(3 * day);
    service.forgetKeys();
    await runDueTasks(backend.services);
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
    expect(confirmed()).toHaveLength(1);
  });

  test.each(['by a charge', 'on a page'])(
    'are not charged again if they were paid %s after the backup from which the store was restored',
    async (how) => {
      const { database } = backend.services;
      service.declining = how === 'on a page';
      const invoiceId = await invoice(1234, '2026-10');
      await pass(0);
      if (service.declining) {
        const token = await signInAgain(backend, ada.uid);
        const { body } = await backend.post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId }, { token });
        service.pages.set(body.data.sessionId, 'complete');
      }
      service.declining = false;
      const charges = confirmed().length;
      for (const table of ['invoice', 'stripe_event', 'task', 'counter']) await database.run(`DELETE FROM ${table}`);
      service.forgetKeys();
      await invoice(1200, '2026-10');
      await pass(0);
      expect([await seen(), confirmed().length]).toEqual([['PAID', expect.any(String)], charges]);
      expect(backend.logged.filter(({ level }) => level === 40)).toMatchObject([
        { total: '12.00 USD', paid: '12.34 USD', msg: expect.stringContaining('before this store was restored') },
      ]);
      // Another month is charged.
      await invoice(700, '2026-11');
      await pass(0);
      expect(confirmed()).toHaveLength(charges + 1);
    },
  );

  test('are charged to no card if their owner pays on the payment page', async () => {
    service.declining = true;
    const invoiceId = await invoice();
    await pass(0);
    const open = async () => {
      const token = await signInAgain(backend, ada.uid);
      return (await backend.post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId }, { token })).body;
    };
    const first = (await open()).data;
    expect((await open()).data).toEqual(first);
    // The next charge expires the page, so the invoice is not paid on both.
    await pass(3);
    expect(service.pages.get(first.sessionId)).toBe('expired');
    service.declining = false;
    const second = (await open()).data;
    expect(second.sessionId).not.toBe(first.sessionId);
    const charges = confirmed().length;
    // It is paid, and never reported.
    service.pages.set(second.sessionId, 'complete');
    await pass(4);
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
    expect(confirmed()).toHaveLength(charges);
    expect((await open()).code).toBe('NO_INVOICE');
  });

  test('can no longer be paid on a page opened while their card is charged', async () => {
    const invoiceId = await invoice();
    const { services } = backend;
    const token = await signInAgain(backend, ada.uid);
    const opened: string[] = [];
    const wasRun = beforeStatement(services, 'UPDATE invoice SET payment_intent', async () => {
      const { body } = await backend.post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId }, { token });
      opened.push(body.data.sessionId);
    });
    await runDueTasks(services);
    wasRun();
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
    expect(opened.map((page) => service.pages.get(page))).toEqual(['expired']);
  });

  test('are paid by a charge that the server died before recording, not again on a page', async () => {
    const invoiceId = await invoice();
    const { services } = backend;
    const { database } = services;
    services.database = Object.assign(Object.create(database), {
      transaction: () => Promise.reject(new Error('The server died.')),
    });
    await runDueTasks(services);
    services.database = database;
    expect([confirmed().length, ...(await seen())]).toEqual([1, 'OPEN', 'ACTIVE']);
    const token = await signInAgain(backend, ada.uid);
    const { body } = await backend.post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId }, { token });
    expect(body.code).toBe('NO_INVOICE');
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
    backend.pass(day);
    await runDueTasks(services);
    expect(confirmed()).toHaveLength(1);
  });

  test('are paid once, without an error, if their page is requested before their charge is recorded', async () => {
    const invoiceId = await invoice();
    const { services } = backend;
    const { database } = services;
    const token = await signInAgain(backend, ada.uid);
    const answers: string[] = [];
    services.database = Object.assign(Object.create(database), {
      async transaction(act: Parameters<typeof database.transaction>[0]) {
        services.database = database;
        const { body } = await backend.post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId }, { token });
        answers.push(body.code);
        return database.transaction(act);
      },
    });
    await runDueTasks(services);
    expect(answers).toEqual(['NO_INVOICE']);
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
    expect(backend.logged.filter(({ level }) => level === 50)).toEqual([]);
  });

  test.each(['first', 'last'])(
    'are logged if both a charge and an earlier page, reported %s, have paid them',
    async (told) => {
      const id = await invoice();
      const { services } = backend;
      const { database } = services;
      const token = await signInAgain(backend, ada.uid);
      const opened: string[] = [];
      const dying: typeof database = Object.assign(Object.create(database), {
        transaction: () => Promise.reject(new Error('The server died.')),
        async run(sql: string, values: (string | number | null)[]) {
          if (sql.startsWith('UPDATE invoice SET payment_intent')) {
            services.database = database;
            const about = { purpose: 'PAY_INVOICE', invoiceId: id };
            opened.push((await backend.post(calls.createSession, about, { token })).body.data.sessionId);
            services.database = dying;
          }
          return database.run(sql, values);
        },
      });
      services.database = dying;
      await runDueTasks(services);
      services.database = database;
      expect([confirmed().length, opened.length, ...(await seen())]).toEqual([1, 1, 'OPEN', 'ACTIVE']);
      for (const page of opened) {
        service.pages.set(page, 'complete');
        const metadata = { uid: ada.uid, purpose: 'PAY_INVOICE', invoiceId: id };
        const paid = { id: page, payment_status: 'paid', metadata };
        if (told === 'first') await fulfilCheckout(services, paid, services.now());
      }
      backend.pass(day);
      await runDueTasks(services);
      expect(await seen()).toEqual(['PAID', 'ACTIVE']);
      const lines = backend.logged.filter(({ msg }) => String(msg).startsWith('a payment arrived that nothing'));
      expect(lines).toMatchObject([{ uid: ada.uid, invoiceId: id }]);
    },
  );

  test('are marked paid when a page whose payment was never reported is requested again', async () => {
    service.cards.length = 0;
    const invoiceId = await invoice();
    const open = async () => {
      const token = await signInAgain(backend, ada.uid);
      return (await backend.post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId }, { token })).body;
    };
    service.pages.set((await open()).data.sessionId, 'complete');
    expect((await open()).code).toBe('NO_INVOICE');
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
  });

  test.each([
    [49, 'small'],
    [100_000_000, 'large'],
  ])('wait for a transfer if %i cents are too %s for a card', async (cents) => {
    await invoice(cents);
    await pass(1);
    expect(await seen()).toEqual(['OPEN', 'ACTIVE']);
    expect(backend.logged.filter(({ level }) => level === 50)).toEqual([]);
  });

  test('are logged if they were paid by other means while their card was charged', async () => {
    const id = await invoice();
    const { services } = backend;
    service.atCharge = () => services.database.transaction((queries) => payInvoice(queries, id, services.now()));
    await runDueTasks(services);
    delete service.atCharge;
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
    expect(confirmed()).toHaveLength(1);
    const told = backend.logged.filter(({ msg }) => String(msg).startsWith('a payment arrived that nothing'));
    expect(told).toMatchObject([{ uid: ada.uid, invoiceId: id }]);
  });

  test('are not charged if they became paid or void while their payment was prepared', async () => {
    const id = await invoice();
    const { services } = backend;
    const wasRun = beforeStatement(services, 'UPDATE invoice SET payment_intent', () =>
      services.database.transaction((queries) => payInvoice(queries, id, services.now())),
    );
    await runDueTasks(services);
    wasRun();
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
    expect(confirmed()).toEqual([]);
  });

  test('wait two weeks for a transfer if there is no card', async () => {
    service.cards.length = 0;
    const id = await invoice();
    await pass(13);
    expect(await seen()).toEqual(['OPEN', 'ACTIVE']);
    await pass(1);
    expect(await seen()).toEqual(['OPEN', 'PAST_DUE']);
    await pass(5);
    expect(told()).toHaveLength(1);
    const { database, now } = backend.services;
    expect(await database.transaction((queries) => payInvoice(queries, id, now()))).toBe(true);
    expect(await seen()).toEqual(['PAID', 'ACTIVE']);
  });

  test('wait for a transfer if no payment service is set up', async () => {
    await backend.close();
    await open({});
    await invoice();
    await pass(14);
    expect(await seen()).toEqual(['OPEN', 'PAST_DUE']);
    expect(service.seen).toEqual([]);
  });
});
