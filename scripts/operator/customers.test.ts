import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../client/contract/calls.ts';
import { dayMs, dayOf } from '../../client/contract/dates.ts';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { readConsoleConfig } from '../../server/config/console.ts';
import { makeInvoice } from '../../server/console/billing/invoices.ts';
import { writeApplyCode } from '../../server/console/licensing/apply-code.ts';
import { fallBehind } from '../../server/console/saas/arrears.ts';
import { openPayments } from '../../server/console/saas/stripe.ts';
import { subscribe } from '../../server/console/saas/subscriptions.ts';
import { openTestConsole, type TestConsole } from '../../server/testing/console.ts';
import { newcomer } from '../../server/testing/newcomer.ts';
import { runOperator, startOperator } from '../../server/testing/operator.ts';
import { pdfText } from '../../server/testing/pdf-text.ts';
import { createStoreDatabase } from '../../server/testing/store-database.ts';
import { startStripe } from '../../server/testing/stripe.ts';

const count = z.object({ n: z.number() });
const licence = z.object({ auth_code: z.string() });

describe.each(['sqlite', 'postgres'] as const)('what commands change for a customer, on %s', (kind) => {
  let backend: TestConsole;
  let uid: string;
  let token: string;
  let folder: string;
  let env: Record<string, string>;
  let run: (command: string, ...args: string[]) => { status: number | null; said: string; fault: string };
  beforeEach(async () => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    // Commands know only the real time.
    backend = await openTestConsole({}, url, { now: Date.now });
    await newcomer(backend, 'owner@site.example');
    ({ uid, token } = await newcomer(backend, 'ada@site.example', 500));
    folder = mkdtempSync(join(tmpdir(), 'millrace-customers-'));
    env = { DATA_DIR: backend.services.config.dataDir, ...(url && { DATABASE_URL: url }) };
    run = (...args) => runOperator(env, ...args);
    return async () => {
      rmSync(folder, { recursive: true });
      await backend.close();
    };
  });
  const post = async (path: string, body: object = {}) => (await backend.post(path, body, { token })).body;

  async function order(links: number, payMethod = 'BANK_TRANSFER') {
    const applyCode = writeApplyCode({ installation: 'installation-number-1', used: 0 });
    const wanted = { applyCode, productType: 'MILLRACE', edition: 'ENTERPRISE', links };
    const { data } = await post(calls.calculatePrice, { ...wanted, period: { num: 1, unit: 'MONTH' } });
    return (await post(calls.createOrder, { quoteId: data.quoteId, payMethod })).data;
  }
  async function stateOf(id: string) {
    const { items } = (await post(calls.queryOrders)).data;
    return items.find(({ orderId }: { orderId: string }) => orderId === id)?.status;
  }

  test('an account can be admitted to jobs, revoked, and signed out everywhere', async () => {
    const mayHaveJobs = async () => (await post(jobCalls.listJobs)).success;
    expect(await mayHaveJobs()).toBe(false);
    expect(run('account', 'admit', 'ada@site.example').said).toBe('Ada may have data jobs.');
    expect(run('account', 'list').said).toMatch(/ada@site\.example .* admitted /);
    expect(await mayHaveJobs()).toBe(true);
    expect(run('account', 'revoke', uid).said).toBe('Ada may no longer have data jobs.');
    expect(await mayHaveJobs()).toBe(false);
    expect(run('account', 'revoke', uid).said).toBe('Ada was not admitted.');
    expect(run('account', 'show', uid).said.match(/ada@site\.example/g)).toHaveLength(1);
    expect(run('account', 'end-sessions', uid).said).toBe('1 sessions ended.');
    expect((await backend.post(calls.queryLoginUser, {}, { token })).status).toBe(401);
  });

  test('a paid order becomes a licence once, and a closed order returns its credits', async () => {
    const paid = await order(10);
    const { reference } = paid.transfer;
    expect(run('order', 'list', 'WAIT_PAY').said).toContain(reference);
    expect(run('order', 'confirm', reference.toLowerCase()).said).toBe(`Order ${reference} is ISSUED.`);
    expect(await stateOf(paid.orderId)).toBe('ISSUED');
    const again = {
      status: 2,
      fault: expect.stringContaining(`Order ${reference} is ISSUED, so nothing was changed.`),
    };
    expect(run('order', 'confirm', paid.orderId)).toMatchObject(again);
    expect(run('order', 'close', reference)).toMatchObject(again);

    const { database } = backend.services;
    const issued = await database.all(licence, 'SELECT auth_code FROM licence');
    expect(issued).toHaveLength(1);
    const [{ auth_code: code } = { auth_code: '' }] = issued;
    expect(run('licence', 'verify', code).said).toMatch(/^Valid: ENTERPRISE, 10 links, /);
    const keyFile = join(folder, 'key.json');
    writeFileSync(keyFile, run('licence', 'public-key').said);
    expect(run('licence', 'verify', code, keyFile).said).toMatch(/^Valid: ENTERPRISE, 10 links, /);
    const forged = run('licence', 'verify', `${code.slice(0, -8)}AAAAAAAA`, keyFile);
    expect(forged).toMatchObject({ status: 1, said: '', fault: expect.stringContaining('Not valid: ') });

    const creditsOf = async () => (await post(calls.queryLoginUser)).data.credits.amount;
    expect(await creditsOf()).toBe(0);
    await database.run('UPDATE account SET credits = 300 WHERE uid = $1', [uid]);
    const unpaid = await order(12);
    expect(await creditsOf()).toBe(0);
    expect(run('order', 'close', unpaid.orderId).said).toMatch(/ is CLOSED\.$/);
    expect([await stateOf(unpaid.orderId), await creditsOf()]).toEqual(['CLOSED', 300]);
    expect((await backend.queued()).map(({ subject }) => subject)).toContain(
      `Order ${unpaid.transfer.reference} was closed`,
    );
    // Its transfer came late.
    expect(run('order', 'confirm', unpaid.orderId).fault).toContain('then confirm the new order.');
  });

  test('an invoice can be listed, written as a PDF, and paid once', async () => {
    const { services } = backend;
    const lines = [{ text: 'Usage', amount: 700 }];
    await services.database.transaction((queries) => makeInvoice(queries, services, { uid, lines, status: 'OPEN' }));
    const [{ number }] = (await post(calls.listInvoices)).data.items;
    expect(run('invoice', 'list', 'OPEN').said).toMatch(new RegExp(`${number} +OPEN +\\$?7\\.00`));
    const file = join(folder, 'invoice.pdf');
    expect(run('invoice', 'pdf', number, file).said).toBe(`Written: ${file}`);
    expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
    await services.database.run("UPDATE invoice SET document = replace(document, 'Usage', '田中 Usage')");
    expect(run('invoice', 'pdf', number, file)).toMatchObject({
      said: `Written: ${file}`,
      fault: expect.stringMatching(/^田 中: .* INVOICE_FONT/),
    });
    expect(run('invoice', 'pdf', number).fault).toMatch(/^Name the file to write\.\n/);
    expect(run('invoice', 'paid', number).said).toBe(`Invoice ${number} is PAID.`);
    expect((await post(calls.listInvoices)).data.items).toMatchObject([{ number, status: 'PAID' }]);
    expect(run('invoice', 'paid', number)).toMatchObject({
      status: 2,
      fault: expect.stringContaining(`Invoice ${number} is PAID, so nothing was changed.`),
    });
  });

  test('the invoices and credit notes of a month are a table for bookkeeping, and no cell is a formula', async () => {
    const { services } = backend;
    services.brand = { ...services.brand, taxRate: 0.19 };
    await services.database.run(`UPDATE account SET company = '=1+2, "Ltd"', country = 'DE'`);
    const about = { uid, lines: [{ text: 'Usage', amount: 700 }], status: 'OPEN' as const };
    const make = () => services.database.transaction((queries) => makeInvoice(queries, services, about));
    const id = await make();
    await make();
    const number = (await post(calls.listInvoices)).data.items.find((one: { id: string }) => one.id === id).number;
    run('invoice', 'paid', number);
    run('invoice', 'credit', number, '2.50');
    const [january, february] = [Date.UTC(2020, 1, 1) - 1, Date.UTC(2020, 2, 1) - 1];
    await services.database.run('UPDATE invoice SET created_at = $1', [january]);
    await services.database.run('UPDATE invoice SET created_at = $1, paid_at = $1 WHERE id = $2', [february, id]);
    await services.database.run('UPDATE credit_note SET created_at = $1', [february]);
    const [head, ...rows] = run('invoice', 'journal', '2020-02').said.split('\r\n');
    expect(head).toBe('number,date,kind,for,status,paid,company,name,country,tax rate,net,tax,total,currency');
    const buyer = `"'=1+2, ""Ltd""",Ada,DE,0.19`;
    expect(rows).toEqual([
      `${number},2020-02-29,invoice,,PAID,2020-02-29,${buyer},5.88,1.12,7.00,USD`,
      `CN-${number.slice(0, 4)}-000001,2020-02-29,credit note,${number},,,${buyer},-2.10,-0.40,-2.50,USD`,
    ]);
    expect(run('invoice', 'journal', '2020-03').said).toBe(head);
    expect(run('invoice', 'journal', '2020-13').fault).toContain('Name the month, such as 2026-11.');
  });

  test('a part of a paid invoice that was returned by transfer gets a credit note', async () => {
    const { services } = backend;
    const about = { uid, lines: [{ text: 'Usage', amount: 700 }], status: 'OPEN' as const };
    await services.database.transaction((queries) => makeInvoice(queries, services, about));
    const [{ number }] = (await post(calls.listInvoices)).data.items;
    expect(run('invoice', 'credit', number, '7').fault).toContain(`Invoice ${number} is OPEN, so nothing was changed.`);
    run('invoice', 'paid', number);
    for (const amount of ['7.5', '-1', '1,00', '']) {
      expect(run('invoice', 'credit', number, amount).fault).toContain('Name the amount in USD, such as 50 or 50.40.');
    }
    const made = run('invoice', 'credit', number, '2.50').said;
    const [note = ''] = /CN-\d{4}-000001/.exec(made) ?? [];
    expect(made).toBe(`Credit note ${note} is made: 2.50 USD of invoice ${number}.`);
    for (const amount of ['4.51', '0']) {
      expect(run('invoice', 'credit', number, amount)).toMatchObject({
        status: 2,
        fault: expect.stringContaining(`Of invoice ${number}, 4.50 USD can be credited, so nothing was changed.`),
      });
    }
    expect(run('invoice', 'list').said).toMatch(new RegExp(`${number} +PAID +7\\.00 USD +2\\.50 USD .* ${note}`));
    const file = join(folder, 'note.pdf');
    expect(run('invoice', 'pdf', note, file).said).toBe(`Written: ${file}`);
    expect(pdfText(readFileSync(file))).toContain(`Credit note ${note}`);
    expect((await post(calls.listInvoices)).data.items).toMatchObject([
      { status: 'PAID', creditNotes: [{ number: note, amount: { amount: 250 } }] },
    ]);
    // The refund that a note was made for has failed, and the money is returned in another way.
    const { database } = services;
    await database.run(`UPDATE credit_note SET refund = 're_1', refund_failed = 1`);
    const kept = `Credit note ${note}, whose refund failed, counts for it: 2.50 USD of invoice ${number}.`;
    expect(run('invoice', 'credit', number, '2.50').said).toBe(kept);
    expect(await database.all(count, 'SELECT count(*) AS n FROM credit_note WHERE refund IS NULL')).toEqual([{ n: 1 }]);
    expect(run('invoice', 'credit', number, '2.50').said).toMatch(/^Credit note CN-\d{4}-000002 is made/);
  });

  test('an unpaid invoice is made void once by a credit note, and a paid one is refused', async () => {
    const { services } = backend;
    const { database } = services;
    const about = { uid, lines: [{ text: 'Usage', amount: 700 }], status: 'OPEN' as const };
    const make = () => database.transaction((queries) => makeInvoice(queries, services, about));
    const id = await make();
    await database.run(
      `INSERT INTO bill (id, uid, day, amount, credits, due, invoice_id, created_at)
       VALUES ('b1', $1, '2026-11-20', 700, 0, 700, $2, 0)`,
      [uid, id],
    );
    await database.transaction(async (queries) => {
      await subscribe(queries, uid, services.now());
      const why = 'It was due.';
      await fallBehind(queries, services, { id, uid, number: '', email: null }, why);
    });
    const [{ number, createdAt }] = (await post(calls.listInvoices)).data.items;
    const year = number.slice(0, 4);
    expect(run('invoice', 'void', number).said).toBe(
      `Invoice ${number} is VOID: credit note CN-${year}-000001 is made.`,
    );
    expect((await post(calls.listInvoices)).data.items).toMatchObject([
      { number, status: 'VOID', creditNotes: [{ number: `CN-${year}-000001`, amount: { amount: 700 } }] },
    ]);
    // Nothing is owed any more.
    expect((await post(calls.listBilling)).data.items).toMatchObject([{ status: 'VOID' }]);
    expect((await post(calls.subscription)).data.status).toBe('ACTIVE');
    const mail = (await backend.queued()).find(({ subject }) => subject === `Invoice ${number} is void`);
    expect(mail?.to).toBe('ada@site.example');
    expect(mail?.text).toContain(`Invoice ${number} of 7.00 USD is void: nothing has to be paid for it.`);
    const [, invoiced, credited] = run('invoice', 'journal', dayOf(createdAt).slice(0, 7)).said.split('\r\n');
    expect(invoiced).toMatch(new RegExp(`^${number},.*,invoice,,VOID,,.*,7\\.00,USD$`));
    expect(credited).toMatch(new RegExp(`^CN-${year}-000001,.*,credit note,${number},,.*,-7\\.00,USD$`));
    const drawn = (which: string) => {
      const file = join(folder, 'paper.pdf');
      run('invoice', 'pdf', which, file);
      return pdfText(readFileSync(file)).join(' ');
    };
    expect(drawn(number)).toMatch(/ · void (?!.*refunded)/);
    expect(drawn(`CN-${year}-000001`)).toMatch(new RegExp(`Cancellation of invoice ${number} .* Total cancelled`));

    for (const [action, ...more] of [['void'], ['paid'], ['credit', '7']])
      expect(run('invoice', action ?? '', number, ...more)).toMatchObject({
        status: 2,
        fault: expect.stringMatching(new RegExp(`Invoice ${number} is VOID.*, so nothing was changed`)),
      });
    expect(run('invoice', 'void', number).fault).toContain(`is VOID already (CN-${year}-000001)`);
    await make();
    const next = (await post(calls.listInvoices)).data.items.find((one: { status: string }) => one.status === 'OPEN');
    run('invoice', 'paid', next.number);
    expect(run('invoice', 'void', next.number)).toMatchObject({
      status: 2,
      fault: expect.stringContaining(`Invoice ${next.number} is PAID, so nothing was changed: refund it`),
    });
    // No number was lost.
    expect(run('invoice', 'credit', next.number, '7').said).toContain(`CN-${year}-000002`);
  });

  /** A payment service for the server and its commands; it answers in this process, which they must not block. */
  async function withPayments() {
    const service = await startStripe();
    const stripe = {
      STRIPE_SECRET_KEY: 'sk_test_key',
      STRIPE_WEBHOOK_SECRET: 'whsec_test_secret',
      STRIPE_API_URL: service.url,
    };
    backend.services.payments = await openPayments(readConsoleConfig({ ...env, ...stripe }));
    const type = (...args: [string, ...string[]]) => startOperator({ ...env, ...stripe }, ...args).end;
    return { service, type };
  }

  test('what was paid by card but never reported can be neither closed nor paid by hand', async () => {
    const { services } = backend;
    const { service, type } = await withPayments();
    const pay = () => {
      for (const page of service.pages.keys()) service.pages.set(page, 'complete');
    };
    const { orderId } = await order(10, 'STRIPE');
    pay();
    expect(await type('order', 'close', orderId)).toMatchObject({
      status: 2,
      fault: expect.stringMatching(/^Order MR-.{8} was paid by card, so nothing was changed\./),
    });
    expect(await stateOf(orderId)).toBe('ISSUED');
    const lines = [{ text: 'Usage', amount: 700 }];
    const invoiceId = await services.database.transaction((queries) =>
      makeInvoice(queries, services, { uid, lines, status: 'OPEN' }),
    );
    await post(calls.createSession, { purpose: 'PAY_INVOICE', invoiceId });
    pay();
    const { items } = (await post(calls.listInvoices)).data;
    const { number } = items.find(({ id }: { id: string }) => id === invoiceId);
    expect(await type('invoice', 'paid', number)).toMatchObject({
      status: 2,
      fault: expect.stringContaining(`Invoice ${number} was paid by card, so nothing was changed.`),
    });
    await service.close();
  });

  test('the page that could pay an order stays open if its licence cannot be signed', async () => {
    const { services } = backend;
    const { service, type } = await withPayments();
    const { orderId } = await order(10, 'STRIPE');
    await services.database.run("UPDATE licence_key SET private_key = 'damaged'");
    const { status } = await type('order', 'confirm', orderId);
    expect([status === 0, ...service.pages.values()]).toEqual([false, 'open']);
    await service.close();
  });

  test('usage before a faulty line is imported, and counts once if the file is imported again', async () => {
    const file = join(folder, 'usage.ndjson');
    const about = { uid, day: dayOf(Date.now()), dataJobId: '7', dataJobName: 'orders', item: 'FULL', rows: 1 };
    const good = Array.from({ length: 600 }, (_, at) => JSON.stringify({ id: `${at}`, ...about }));
    const records = async () =>
      (await backend.services.database.one(count, 'SELECT count(*) AS n FROM usage_record'))?.n;
    for (const row of [
      () => ['{"id":', 'is not JSON'],
      () => [
        JSON.stringify({ ...about, id: 'x', uid: 'nobody' }),
        'names the account nobody, which does not exist or was erased',
      ],
      () => [JSON.stringify({ ...about, id: 'job:x' }), 'has an id that only jobs use (job:…)'],
      () => [JSON.stringify({ ...about, id: 'x', dataJobName: 'a\0b' }), 'dataJobName contains a NUL character'],
      // Midnight may pass during the others.
      () => [
        JSON.stringify({ ...about, id: 'x', day: dayOf(Date.now() + dayMs) }),
        `has a day after today, ${dayOf(Date.now())} in UTC`,
      ],
    ]) {
      const [bad, fault] = row();
      writeFileSync(file, [...good, '', bad].join('\n'));
      const sentence = `${file}:602 ${fault}. Correct the line and import the file again: records already imported count once.`;
      const { status, fault: told } = run('usage', 'import', file);
      expect([status, told.split('\n')[0], await records()]).toEqual([2, sentence, 500]);
    }
    writeFileSync(file, good.join('\n'));
    expect(run('usage', 'import', file).said).toContain('600 lines read, 100 new records.');
    expect(await records()).toBe(600);
  });

  test('the marketplace command prints a test token and how to sign up with it', async () => {
    const { status, said, fault } = run('marketplace', 'token');
    expect([status, said.split('\n')]).toEqual([0, [expect.stringMatching(/^[\w.-]+$/)]]);
    expect(fault).toContain(`x-amzn-marketplace-token=${said} `);
    expect(fault).toContain('MARKETPLACE_LOCAL=on');
  });
});
