import http from 'node:http';
import request from 'supertest';
import { beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { dayMs } from '../../../client/contract/dates.ts';
import { StorageSilent } from '../../storage/database.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { newcomer, signInAgain } from '../../testing/newcomer.ts';
import { pdfHeights, pdfText } from '../../testing/pdf-text.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { untilWaiting } from '../../testing/until-waiting.ts';
import { reasonsAgainstErasing } from '../account/erase-account.ts';
import { subscribe } from '../saas/subscriptions.ts';
import { runDueTasks } from '../tasks/run-tasks.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';
import { addJobUsage } from './add-job-usage.ts';
import { makeDailyBills } from './daily-bills.ts';
import { importUsage, type UsageRecord } from './import-usage.ts';
import { makeInvoice, payInvoice } from './invoices.ts';
import { makeMonthlyInvoices } from './monthly-invoices.ts';
import { lineAmount } from './prices.ts';

test('a line is rounded once, half up, and is exact for any number of rows', () => {
  expect(lineAmount(1_000_000, { cents: 1000, unitSize: 1_000_000 })).toBe(1000);
  expect(lineAmount(499_999, { cents: 1, unitSize: 1_000_000 })).toBe(0);
  expect(lineAmount(500_000, { cents: 1, unitSize: 1_000_000 })).toBe(1);
  expect(lineAmount(9_007_199_254_740_991, { cents: 10, unitSize: 100 })).toBe(900_719_925_474_099);
});

describe.each(['sqlite', 'postgres'] as const)('billing on %s', (kind) => {
  let backend: TestConsole;
  let ada: { uid: string; token: string };
  let eve: { uid: string; token: string };
  beforeEach(async () => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    backend = await openTestConsole({}, url);
    ada = await newcomer(backend, 'ada@site.example', 500);
    await backend.post(calls.updateProfile, { company: 'Łódź Ελλάς Київ' }, { token: ada.token });
    eve = await newcomer(backend, 'eve@site.example');
    for (const { uid } of [ada, eve])
      await backend.services.database.transaction((queries) => subscribe(queries, uid, backend.services.now() - dayMs));
    return () => backend.close();
  });

  // The clock is set to noon on 21 November 2026.
  const usage = (id: string, rows: number, more: Partial<UsageRecord> = {}): UsageRecord => ({
    id,
    uid: ada.uid,
    day: '2026-11-20',
    dataJobId: '7',
    dataJobName: 'orders',
    item: 'INCREMENT',
    rows,
    ...more,
  });
  const report = async (...records: UsageRecord[]) => {
    const taken = [];
    for (const record of records) taken.push(await importUsage(backend.services.database, record));
    return taken;
  };
  const bills = async () => {
    const { body } = await backend.post(calls.listBilling, {}, { token: ada.token });
    return body.data;
  };

  test('usage counts once, a day becomes one bill, and credits are used first', async () => {
    expect(await report(usage('a', 1_000_000), usage('a', 1_000_000), usage('b', 500_000, { item: 'FULL' }))).toEqual([
      true,
      false,
      true,
    ]);
    await Promise.all([makeDailyBills(backend.services), makeDailyBills(backend.services)]);
    expect(await bills()).toMatchObject({
      total: 1,
      items: [
        { day: '2026-11-20', amount: { amount: 1001 }, credits: { amount: 500 }, due: { amount: 501 }, status: 'OPEN' },
      ],
    });
    const { id } = (await bills()).items[0];
    const detail = await backend.post(calls.getBillingDetail, { id }, { token: ada.token });
    expect(detail.body.data.lines).toMatchObject([
      { dataJobName: 'orders', item: 'FULL', rows: 500_000, amount: { amount: 1 } },
      { item: 'INCREMENT', rows: 1_000_000, unitPrice: { amount: 1000 }, amount: { amount: 1000 } },
    ]);
    expect((await backend.post(calls.getBillingDetail, { id }, { token: eve.token })).status).toBe(404);
    expect((await backend.post(calls.listBilling, {}, { token: eve.token })).body.data).toMatchObject({ total: 0 });
  });

  test('a bill takes no more credits than its amount', async () => {
    await report(usage('a', 300_000));
    await makeDailyBills(backend.services);
    expect((await bills()).items).toMatchObject([{ credits: { amount: 300 }, due: { amount: 0 }, status: 'COVERED' }]);
    const me = await backend.post(calls.queryLoginUser, {}, { token: ada.token });
    expect(me.body.data.credits.amount).toBe(200);
  });

  // SQLite runs one transaction at a time.
  test.runIf(kind === 'postgres')('credits spent while a bill is created are not used for it', async () => {
    const { database } = backend.services;
    await report(usage('a', 1_000_000));
    let made: ReturnType<typeof makeDailyBills> | undefined;
    await database.transaction(async (queries) => {
      await queries.run('UPDATE account SET credits = 0 WHERE uid = $1', [ada.uid]);
      made = makeDailyBills(backend.services);
      await untilWaiting(database, 1);
    });
    expect(await made).toEqual({ made: 1, failed: 0 });
    expect((await bills()).items).toMatchObject([{ credits: { amount: 0 }, due: { amount: 1000 } }]);
    const me = await backend.post(calls.queryLoginUser, {}, { token: ada.token });
    expect(me.body.data.credits.amount).toBe(0);
  });

  test('without a subscription a bill takes only credits', async () => {
    await backend.services.database.run('DELETE FROM subscription');
    await report(usage('a', 1_000_000));
    await makeDailyBills(backend.services);
    expect((await bills()).items).toMatchObject([
      { amount: { amount: 1000 }, credits: { amount: 500 }, due: { amount: 0 }, status: 'COVERED' },
    ]);
  });

  test('a day is owed if there was a subscription on it, however late its bill is created', async () => {
    const { database } = backend.services;
    await database.run('UPDATE account SET credits = 0');
    const dues: unknown[] = [];
    const due = async (day: string) => {
      await report(usage(day, 1_000_000, { day }));
      backend.pass(Date.parse(day) + dayMs + 3_600_000 - backend.services.now());
      await makeDailyBills(backend.services);
      ada.token = await signInAgain(backend, ada.uid);
      const { items } = await bills();
      dues.push([items[0].day, items[0].due.amount]);
    };
    const ends = (status: string, begun: string, end: string) =>
      database.run('UPDATE subscription SET status = $1, begun_at = $2, period_start = $2, period_end = $3', [
        status,
        Date.parse(begun),
        Date.parse(end),
      ]);
    // It ended before the bill for its last day was created.
    await ends('CANCELED', '2026-11-01T10:00:00Z', '2026-11-21T10:00:00Z');
    await due('2026-11-21');
    await due('2026-11-22');
    // It started again before the bill for the day before was created.
    await ends('ACTIVE', '2026-11-24T00:30:00Z', '2026-12-24T00:30:00Z');
    await due('2026-11-23');
    await due('2026-11-24');
    expect(dues).toEqual([
      ['2026-11-21', 1000],
      ['2026-11-22', 0],
      ['2026-11-23', 0],
      ['2026-11-24', 1000],
    ]);
  });

  test("today's usage waits, and late usage goes into the next bill", async () => {
    await report(usage('a', 1_000_000), usage('today', 1_000_000, { day: '2026-11-21' }));
    await makeDailyBills(backend.services);
    await report(usage('late', 2_000_000, { day: '2026-11-19' }));
    expect(await makeDailyBills(backend.services)).toEqual({ made: 0, failed: 0 });
    backend.pass(dayMs - 1);
    ada.token = await signInAgain(backend, ada.uid);
    await makeDailyBills(backend.services);
    expect((await bills()).items.map(({ day, amount }: { day: string; amount: object }) => [day, amount])).toEqual([
      ['2026-11-21', { amount: 3000, currency: 'USD' }],
      ['2026-11-20', { amount: 1000, currency: 'USD' }],
    ]);
  });

  test('a day is billed at its own prices, the lower if they changed on it, even when reported late', async () => {
    const { services } = backend;
    const { pricing } = services;
    const sell = (cents: number) => {
      const cloud = pricing.cloud.map((row) => (row.id === 'increment' ? { ...row, cents } : row));
      services.pricing = { ...pricing, cloud };
    };
    const at = async (moment: string) => {
      backend.pass(Date.parse(moment) - services.now());
      await runDueTasks(services);
      ada.token = await signInAgain(backend, ada.uid);
    };
    const lines = async () => {
      const { id } = (await bills()).items[0];
      const { body } = await backend.post(calls.getBillingDetail, { id }, { token: ada.token });
      return body.data.lines.map(({ rows, unitPrice, amount }: Record<string, { amount: number }>) => [
        rows,
        unitPrice?.amount,
        amount?.amount,
      ]);
    };
    await scheduleTask(services.database, { kind: 'bills', key: 'hourly', payload: '', dueAt: services.now() });
    await runDueTasks(services);
    // Raised on the 21st: applies from the 22nd.
    sell(3000);
    await report(usage('a', 1_000_000, { day: '2026-11-21' }));
    await at('2026-11-21T18:00:00Z');
    await at('2026-11-22T01:00:00Z');
    expect(await lines()).toEqual([[1_000_000, 1000, 1000]]);
    await report(usage('b', 1_000_000, { day: '2026-11-22' }), usage('late', 2_000_000, { day: '2026-11-21' }));
    await at('2026-11-23T01:00:00Z');
    expect(await lines()).toEqual([
      [2_000_000, 1000, 2000],
      [1_000_000, 3000, 3000],
    ]);
    // Lowered on the 23rd: applies to the whole day.
    sell(500);
    await report(usage('c', 1_000_000, { day: '2026-11-23' }));
    await at('2026-11-23T18:00:00Z');
    await at('2026-11-24T01:00:00Z');
    expect(await lines()).toEqual([[1_000_000, 500, 500]]);
  });

  describe('for a customer who subscribes and cancels', () => {
    let bob: { uid: string; token: string };
    const ask = async (path: string, about: object = {}) => {
      bob.token = await signInAgain(backend, bob.uid);
      return (await backend.post(path, about, { token: bob.token })).body.data;
    };
    const moved = (day: string, rows: number) => report(usage(day, rows, { uid: bob.uid, day }));
    const until = (moment: string) => backend.pass(Date.parse(moment) - backend.services.now());
    const lastBill = async () => {
      await makeDailyBills(backend.services);
      const [{ day, amount, credits, due }] = (await ask(calls.listBilling)).items;
      return [day, amount.amount, credits.amount, due.amount];
    };
    const cancel = async () => {
      const { subscriptionId } = await ask(calls.subscription);
      return ask(calls.cancelSubscription, { subscriptionId });
    };
    const subscribes = () => ask(calls.subscription, { action: 'SUBSCRIBE' });

    test.each([
      [0, 1000],
      [1500, 0],
    ])('late usage is owed only if its own day had a subscription, with %i in credits', async (credits, due) => {
      bob = await newcomer(backend, 'bob@site.example', credits);
      await moved('2026-11-19', 2_000_000);
      await subscribes();
      await moved('2026-11-21', 1_000_000);
      until('2026-11-22T01:00:00Z');
      expect(await lastBill()).toEqual(['2026-11-21', 3000, credits, due]);
    });

    test('the last day is owed even if a new subscription begins before its bill', async () => {
      bob = await newcomer(backend, 'bob@site.example');
      await subscribes();
      const { periodEnd } = await cancel();
      expect(periodEnd).toBe(Date.UTC(2026, 11, 21, 12));
      await moved('2026-12-20', 1_000_000);
      await moved('2026-12-21', 2_000_000);
      until('2026-12-22T00:30:00Z');
      await runDueTasks(backend.services);
      await subscribes();
      expect(await lastBill()).toEqual(['2026-12-21', 3000, 0, 3000]);
    });

    test('a day after a cancelled period is not owed, even if the server was down when it ended', async () => {
      bob = await newcomer(backend, 'bob@site.example');
      await subscribes();
      await cancel();
      await moved('2026-12-23', 1_000_000);
      until('2026-12-24T00:30:00Z');
      expect(await lastBill()).toEqual(['2026-12-23', 1000, 0, 0]);
    });
  });

  test('bills are listed in pages and filtered by day', async () => {
    for (const day of [18, 19, 20]) {
      await report(usage(`${day}`, 1_000_000, { day: `2026-11-${day}` }));
      const moment = Date.UTC(2026, 10, day + 1, 1);
      await makeDailyBills({ ...backend.services, now: () => moment });
    }
    const days = async (about: object) => {
      const { body } = await backend.post(calls.listBilling, about, { token: ada.token });
      return [body.data.total, body.data.items.map(({ day }: { day: string }) => Number(day.slice(-2)))];
    };
    expect(await days({ pageSize: 2 })).toEqual([3, [20, 19]]);
    expect(await days({ pageSize: 2, page: 2 })).toEqual([3, [18]]);
    expect(await days({ from: '2026-11-19', to: '2026-11-19' })).toEqual([1, [19]]);
    const wrong = await backend.post(calls.listBilling, { from: '19/11/2026' }, { token: ada.token });
    expect(Object.keys(wrong.body.fields)).toEqual(['from']);
  });

  test('a damaged account is logged, holds up no other, and is billed once repaired', async () => {
    const { services, logged } = backend;
    const { database } = services;
    await scheduleTask(database, { kind: 'bills', key: 'hourly', payload: '', dueAt: services.now() });
    // More than the store can add up, for the first account.
    const [first, second] = ada.uid < eve.uid ? [ada, eve] : [eve, ada];
    const most = 9_223_372_036_854_775_807n;
    await report(usage('a', 1, { uid: first.uid }), usage('b', 1, { uid: first.uid }));
    await report(usage('c', 3_000_000, { uid: second.uid }));
    await database.run('UPDATE usage_record SET units = $1 WHERE uid = $2', [most, first.uid]);
    const billed = () => database.all(z.object({ uid: z.string() }), 'SELECT uid FROM bill');
    const told = (msg: string) => logged.filter((line) => line.msg === msg).map(({ uid }) => uid);
    await runDueTasks(services);
    expect(await billed()).toEqual([{ uid: second.uid }]);
    expect(told('the bill of an account failed and will be retried')).toEqual([first.uid]);
    await database.run('UPDATE usage_record SET units = 2000000 WHERE uid = $1', [first.uid]);
    backend.pass(5_000);
    await runDueTasks(services);
    expect(await billed()).toHaveLength(2);

    await database.run('UPDATE bill SET due = $1 WHERE uid = $2', [most, first.uid]);
    backend.pass(10 * dayMs);
    await runDueTasks(services);
    const invoiced = () => database.all(z.object({ uid: z.string() }), 'SELECT uid FROM invoice');
    expect(await invoiced()).toEqual([{ uid: second.uid }]);
    expect(told('the invoice of an account failed and will be retried')).toEqual([first.uid]);
    await database.run('UPDATE bill SET due = 300 WHERE uid = $1', [first.uid]);
    backend.pass(5_000);
    await runDueTasks(services);
    expect(await invoiced()).toHaveLength(2);
  });

  test('what a job reports becomes one record a minute, also if it is repeated or its day was billed meanwhile', async () => {
    const { database } = backend.services;
    const { uid } = ada;
    const about = {
      uid,
      dataJobId: '7',
      dataJobName: 'orders',
      item: 'INCREMENT',
      job: 'mr_1',
      process: '9-1',
    } as const;
    const reported = (number: number, rows: number, second: number) =>
      addJobUsage(database, { ...about, number, rows, at: Date.parse('2026-11-20T23:58:00Z') + second * 1_000 });
    const records = () =>
      database.all(z.object({ units: z.number() }), 'SELECT units FROM usage_record ORDER BY units DESC');
    for (const [number, rows, second] of [
      [0, 1_000_000, 0],
      [1, 500_000, 59],
      [1, 500_000, 59],
      [0, 1_000_000, 0],
      [2, 100_000, 60],
    ] as const)
      await reported(number, rows, second);
    expect(await records()).toEqual([{ units: 1_500_000 }, { units: 100_000 }]);
    await makeDailyBills(backend.services);
    // The store was away from the server of the jobs, and the answer of the first try was lost.
    for (let time = 0; time < 2; time++) await reported(3, 200_000, 61);
    await reported(2, 100_000, 60);
    expect(await records()).toEqual([{ units: 1_500_000 }, { units: 200_000 }, { units: 100_000 }]);
    backend.pass(dayMs);
    await makeDailyBills(backend.services);
    ada.token = await signInAgain(backend, uid);
    expect((await bills()).items).toMatchObject([{ amount: { amount: 200 } }, { amount: { amount: 1600 } }]);
  });

  test('an account for which the store is silent holds up no other bill and no invoice', async () => {
    const { services, logged } = backend;
    const { database } = services;
    await scheduleTask(database, { kind: 'bills', key: 'hourly', payload: '', dueAt: services.now() });
    const [first, second] = ada.uid < eve.uid ? [ada, eve] : [eve, ada];
    const both = (day: string) =>
      report(...[first, second].map(({ uid }) => usage(day + uid, 3_000_000, { uid, day })));
    await both('2026-11-20');
    await runDueTasks(services);
    backend.pass(10 * dayMs);
    await both('2026-11-30');
    const { transaction } = database;
    const silent = vi.spyOn(database, 'transaction').mockImplementation((work) =>
      transaction((queries) =>
        work({
          ...queries,
          all: async (schema, sql, parameters) => {
            if (sql.startsWith('UPDATE usage_record') && parameters?.includes(first.uid))
              throw new StorageSilent('It took too long.');
            return queries.all(schema, sql, parameters);
          },
        }),
      ),
    );
    await runDueTasks(services);
    const uids = (sql: string) => database.all(z.object({ uid: z.string() }), sql);
    expect(await uids("SELECT uid FROM bill WHERE day = '2026-11-30'")).toEqual([{ uid: second.uid }]);
    expect(await uids('SELECT uid FROM invoice')).toHaveLength(2);
    const told = () => logged.filter(({ msg }) => msg === 'the bill of an account failed and will be retried');
    expect(told()).toMatchObject([{ uid: first.uid }]);
    // A store that accepts nothing is asked once, and not for each account.
    const away = vi.spyOn(database, 'run').mockRejectedValue(new StorageSilent('away'));
    await expect(makeDailyBills(services)).rejects.toThrow('It took too long.');
    away.mockRestore();
    silent.mockRestore();
    expect(told()).toHaveLength(1);
  });

  test('a day of very many records is billed in parts, exactly, even if the process dies between two of them', async () => {
    const { services } = backend;
    const { database } = services;
    await database.run(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10001)
       INSERT INTO usage_record (id, uid, day, data_job_id, data_job_name, item, units)
       SELECT 'many' || n, $1, '2026-11-20', '7', 'orders', 'INCREMENT', 100 FROM numbers`,
      [ada.uid],
    );
    const unbilled = async () =>
      (await database.one(z.object({ n: z.number() }), 'SELECT count(*) AS n FROM usage_record WHERE bill_id IS NULL'))
        ?.n;
    const { transaction } = database;
    const left: unknown[] = [];
    const transactions = vi.spyOn(database, 'transaction').mockImplementation(async (work) => {
      // Others use the store meanwhile.
      left.push(await unbilled());
      if (left.length === 2) throw new Error('The process died.');
      return transaction(work);
    });
    expect(await makeDailyBills(services)).toEqual({ made: 0, failed: 1 });
    transactions.mockRestore();
    expect(left).toEqual([10_001, 5_001]);
    expect((await bills()).items).toEqual([]);
    expect(await reasonsAgainstErasing(database, ada.uid)).toContainEqual(expect.stringContaining('not billed yet'));
    await report(usage('late', 900, { day: '2026-11-19', dataJobName: 'orders before' }));
    expect(await makeDailyBills(services)).toEqual({ made: 1, failed: 0 });
    const [bill, ...others] = (await bills()).items;
    expect([bill.amount.amount, bill.credits.amount, bill.due.amount, others]).toEqual([1001, 500, 500, []]);
    const { lines } = (await backend.post(calls.getBillingDetail, { id: bill.id }, { token: ada.token })).body.data;
    expect(lines).toMatchObject([{ dataJobName: 'orders', rows: 1_001_000 }]);
    const records = 'SELECT count(*) AS n FROM usage_record WHERE bill_id = $1';
    expect(await database.one(z.object({ n: z.number() }), records, [bill.id])).toEqual({ n: 10_002 });
    // The next bill begins anew.
    backend.pass(dayMs);
    await report(usage('next', 2_000_000, { day: '2026-11-21' }));
    await makeDailyBills(services);
    ada.token = await signInAgain(backend, ada.uid);
    expect((await bills()).items).toMatchObject([{ amount: { amount: 2000 } }, { amount: { amount: 1001 } }]);
  });

  test('bills and invoices that two servers create in parallel are created once without errors', async () => {
    const { services, logged } = backend;
    for (let round = 1; round <= 3; round += 1) {
      await report(usage(`${round}`, 1_000_000), usage(`e${round}`, 1_000_000, { uid: eve.uid }));
      const both = await Promise.all([makeDailyBills(services), makeDailyBills(services)]);
      backend.pass(31 * dayMs);
      const invoices = await Promise.all([makeMonthlyInvoices(services), makeMonthlyInvoices(services)]);
      expect([...both, ...invoices].map(({ failed }) => failed)).toEqual([0, 0, 0, 0]);
    }
    expect(logged.filter(({ level }) => level === 50)).toEqual([]);
    ada.token = await signInAgain(backend, ada.uid);
    const { body } = await backend.post(calls.listInvoices, {}, { token: ada.token });
    // Credits paid 500 of the first.
    expect(body.data.items.map(({ total }: { total: { amount: number } }) => total.amount)).toEqual([1000, 1000, 500]);
  });

  test("an amount too small for a card goes into the next month's invoice", async () => {
    const totals = async () => {
      const { body } = await backend.post(calls.listInvoices, {}, { token: await signInAgain(backend, eve.uid) });
      return body.data.items.map(({ total }: { total: { amount: number } }) => total.amount);
    };
    for (const [day, expected] of [
      ['2026-11-20', []],
      ['2026-12-20', [60]],
    ] as const) {
      await report(usage(day, 30_000, { uid: eve.uid, day }));
      await makeDailyBills(backend.services);
      backend.pass(31 * dayMs);
      await makeDailyBills(backend.services);
      await makeMonthlyInvoices(backend.services);
      expect(await totals()).toEqual(expected);
    }
  });

  test('a month becomes one invoice, numbered without gaps, with a PDF at a signed address', async () => {
    await report(usage('a', 1_000_000), usage('e', 3_000_000, { uid: eve.uid }));
    await makeDailyBills(backend.services);
    expect(await makeMonthlyInvoices(backend.services)).toEqual({ made: 0, failed: 0 });
    backend.pass(10 * dayMs);
    ada.token = await signInAgain(backend, ada.uid);
    await Promise.allSettled([makeMonthlyInvoices(backend.services), makeMonthlyInvoices(backend.services)]);
    const { body } = await backend.post(calls.listInvoices, {}, { token: ada.token });
    expect(body.data).toMatchObject({ total: 1, items: [{ status: 'OPEN', total: { amount: 500 } }] });
    const eveToken = await signInAgain(backend, eve.uid);
    const others = await backend.post(calls.listInvoices, {}, { token: eveToken });
    const numbers = [body.data.items[0].number, others.body.data.items[0].number].toSorted();
    expect(numbers).toEqual(['2026-000001', '2026-000002']);

    const address = new URL(body.data.items[0].pdfUrl);
    const server = http.createServer(backend.listener);
    const pdf = await request(server).get(address.pathname + address.search);
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(pdfText(pdf.body)).toEqual([
      `Invoice ${body.data.items[0].number}`,
      'December 1, 2026 · to be paid',
      ...['Seller', 'Millrace', 'support@millrace.example'],
      ...['Buyer', 'Łódź Ελλάς Київ', 'Ada', 'ada@site.example'],
      ...['5.00 USD', 'Usage on 2026-11-20'],
      ...['0.00 USD', 'Tax 0 %, included'],
      ...['5.00 USD', 'Total'],
      'Payment by transfer',
      ...['December 15, 2026', 'By'],
      ...['Millrace', 'To'],
      ...['ask support@millrace.example', 'Account'],
      ...[body.data.items[0].number, 'Reference'],
    ]);
    const { database, now } = backend.services;
    await database.transaction((queries) => payInvoice(queries, body.data.items[0].id, now()));
    const paid = pdfText((await request(server).get(address.pathname + address.search)).body);
    expect(paid).toContain('December 1, 2026 · paid');
    expect(paid).not.toContain('Payment by transfer');
    expect((await request(server).get(address.pathname)).status).toBe(404);
    expect(
      (await request(server).get(address.pathname + address.search.replace(/signature=./, 'signature=!'))).status,
    ).toBe(404);
    backend.pass(3_600_001);
    expect((await request(server).get(address.pathname + address.search)).status).toBe(404);
  });

  /** Makes an invoice. @returns the account's invoices, and the PDF of the newest */
  async function drawnInvoice(lines: { text: string; amount: number }[], status: 'OPEN' | 'PAID') {
    const { services } = backend;
    await services.database.transaction((queries) => makeInvoice(queries, services, { uid: ada.uid, lines, status }));
    const { items } = (await backend.post(calls.listInvoices, {}, { token: ada.token })).body.data;
    const { pathname, search } = new URL(items[0].pdfUrl);
    const pdf: Buffer = (await request(http.createServer(backend.listener)).get(pathname + search)).body;
    return { items, pdf };
  }

  test("tax is included in an invoice's total, not added to it", async () => {
    const { services } = backend;
    services.brand = { ...services.brand, taxLabel: 'VAT', taxRate: 0.19 };
    const { items, pdf } = await drawnInvoice([{ text: 'Usage', amount: 11_900 }], 'OPEN');
    expect(items).toMatchObject([{ total: { amount: 11_900 } }]);
    const said = pdfText(pdf);
    const sums = ['119.00 USD', 'Usage', '19.00 USD', 'VAT 19 %, included', '119.00 USD', 'Total'];
    expect(said.join('\n')).toContain(sums.join('\n'));
  });

  test("no line of an invoice covers another, however long the seller's and the buyer's names are", async () => {
    const { services } = backend;
    services.brand = {
      ...services.brand,
      legalName: 'Gesellschaft für Datenübertragung und Datenabgleich mit beschränkter Haftung & Co. KG '
        .repeat(3)
        .trim(),
      account: 'IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX, '.repeat(4).trim(),
      taxLabel: 'QST',
      taxRate: 0.09975,
    };
    await backend.post(calls.updateProfile, { company: 'W'.repeat(128) }, { token: ada.token });
    const { pdf } = await drawnInvoice([{ text: 'Usage', amount: 10_000 }], 'OPEN');
    expect(pdfText(pdf)).toContain('QST 9.975 %, included');
    const heights = pdfHeights(pdf);
    expect(heights.length).toBeGreaterThan(15);
    // Parties are side by side, so their lines are at the same heights.
    const apart = heights.slice(1).map((height, at) => (heights[at] ?? 0) - height);
    expect(Math.min(...apart)).toBeGreaterThan(10);
  });

  test('a name is drawn as it is read, also from right to left, and letters that no font has are logged', async () => {
    const { services } = backend;
    services.brand = { ...services.brand, legalName: 'شركة البيانات', taxLabel: 'מע"מ', taxRate: 0.17 };
    const company = 'אלפא נתונים בע"מ (Alpha 2000) 田中';
    await backend.post(calls.updateProfile, { company }, { token: ada.token });
    const { items, pdf } = await drawnInvoice([{ text: 'Usage', amount: 11_700 }], 'PAID');
    // Glyphs from left to right; a box stands for U+0000.
    const drawn = pdfText(pdf).join('');
    expect(drawn).toContain('\0\0 (Alpha 2000) מ"עב םינותנ אפלא');
    expect(drawn).toContain('تانايبلا ةكرش');
    expect(drawn).toContain('מ"עמ 17 %, included');
    expect(backend.logged.filter(({ invoice }) => invoice === items[0].number)).toMatchObject([
      { letters: '田 中', msg: expect.stringContaining('INVOICE_FONT') },
    ]);
  });

  test('digits of Arabic and Persian are drawn in their order, between letters of either direction', async () => {
    const { services } = backend;
    services.brand = { ...services.brand, account: 'IR۰۶ ۴۵۶ ٤٥٦٧' };
    await backend.post(calls.updateProfile, { company: 'شركة ١٢٣ (٢٠٢٦)' }, { token: ada.token });
    const { pdf } = await drawnInvoice([{ text: 'رخصة ۵۶ روابط', amount: 100 }], 'OPEN');
    const drawn = pdfText(pdf).join('');
    expect(drawn).toContain('(٢٠٢٦) ١٢٣ ةكرش');
    expect(drawn).toContain('طباور ۵۶ ةصخر');
    expect(drawn).toContain('IR۰۶ ۴۵۶ ٤٥٦٧');
  });

  test('a long invoice continues on the next page, and its address answers only GET and HEAD', async () => {
    const { services } = backend;
    const lines = Array.from({ length: 40 }, (_, at) => ({ text: `Line ${at + 1}`, amount: 100 }));
    await services.database.transaction((queries) =>
      makeInvoice(queries, services, { uid: ada.uid, lines, status: 'PAID' }),
    );
    const { body } = await backend.post(calls.listInvoices, {}, { token: ada.token });
    const { pathname, search } = new URL(body.data.items[0].pdfUrl);
    const server = http.createServer(backend.listener);
    const pdf = await request(server).get(pathname + search);
    expect(String(pdf.body).match(/\/Type \/Page\b/g)).toHaveLength(2);
    expect(pdfText(pdf.body)).toEqual(expect.arrayContaining(['Line 1', 'Line 40', '40.00 USD']));
    const head = await request(server).head(pathname + search);
    expect([head.status, head.headers['content-length']]).toEqual([200, String(pdf.body.length)]);
    const sent = await request(server).post(pathname + search);
    expect([sent.status, sent.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});
