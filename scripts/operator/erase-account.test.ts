import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../client/contract/calls.ts';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { eraseAccount } from '../../server/console/account/erase-account.ts';
import { makeInvoice } from '../../server/console/billing/invoices.ts';
import { writeApplyCode } from '../../server/console/licensing/apply-code.ts';
import { queueMessage } from '../../server/console/messages/queue-message.ts';
import { openTestConsole, type TestConsole } from '../../server/testing/console.ts';
import { newcomer } from '../../server/testing/newcomer.ts';
import { runOperator } from '../../server/testing/operator.ts';
import { pdfText } from '../../server/testing/pdf-text.ts';
import { createStoreDatabase } from '../../server/testing/store-database.ts';
import { untilWaiting } from '../../server/testing/until-waiting.ts';

const mail = 'ada@site.example';

describe.each(['sqlite', 'postgres'] as const)('erasing an account, on %s', (kind) => {
  let backend: TestConsole;
  let uid: string;
  let token: string;
  let erase: (...args: string[]) => ReturnType<typeof runOperator>;
  let run: typeof erase;
  beforeEach(async () => {
    const url = kind === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    // Commands know only the real time.
    backend = await openTestConsole({}, url, { now: Date.now });
    await newcomer(backend, 'owner@site.example');
    ({ uid, token } = await newcomer(backend, mail));
    const env = { DATA_DIR: backend.services.config.dataDir, ...(url && { DATABASE_URL: url }) };
    run = (command = '', ...args) => runOperator(env, command, ...args);
    erase = (...args) => run('account', 'erase', ...args);
    return () => backend.close();
  });

  const data = async (path: string, body: object = {}) => (await backend.post(path, body, { token })).body.data;

  async function order(): Promise<{ orderId: string; transfer: { reference: string } }> {
    const applyCode = writeApplyCode({ installation: 'installation-number-1', used: 0 });
    const wanted = { applyCode, productType: 'MILLRACE', edition: 'ENTERPRISE', links: 10 };
    const { quoteId } = await data(calls.calculatePrice, { ...wanted, period: { num: 1, unit: 'MONTH' } });
    return data(calls.createOrder, { quoteId, payMethod: 'BANK_TRANSFER' });
  }

  /** Inserts a row of the account; what its table needs besides is given. */
  async function insert(table: string, values: Record<string, string | number>): Promise<void> {
    const row = { uid, ...values };
    const places = Object.keys(row).map((_, index) => `$${index + 1}`);
    await backend.services.database.run(
      `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
      Object.values(row),
    );
  }

  /** Tables that have rows of the account, of all tables that can. */
  async function tablesWithRows(): Promise<string[]> {
    const { database } = backend.services;
    const tables = await database.all(
      z.object({ name: z.string() }),
      kind === 'sqlite'
        ? `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'uid' WHERE m.type = 'table'`
        : `SELECT table_name AS name FROM information_schema.columns
           WHERE column_name = 'uid' AND table_schema = current_schema()`,
    );
    const filled: string[] = [];
    for (const { name } of tables)
      if (await database.one(z.object({ uid: z.string() }), `SELECT uid FROM ${name} WHERE uid = $1 LIMIT 1`, [uid]))
        filled.push(name);
    return filled.sort();
  }

  const begun = (asked: readonly [string, object][]) =>
    Promise.all(asked.map(([path, body]) => backend.post(path, body, { token })));

  async function queue(to: string, name?: string): Promise<void> {
    const { services } = backend;
    const message = { channel: 'mail', to, subject: 'S', text: 'T' } as const;
    await queueMessage(services.database, services, message, { kind: 'code', uid: name });
  }

  /** Every kind of row that belongs to the account alone. */
  async function fill(): Promise<void> {
    run('account', 'admit', mail);
    const settings = { host: '127.0.0.1', port: 1, database: 'shop', user: 'ada', password: 'old', tls: 'disable' };
    await data(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 'Shop', settings });
    await data(jobCalls.createApiKey, { name: 'a' });
    await backend.services.database.run(
      `INSERT INTO verification_code (id, target, purpose, code_mac, created_at, expires_at)
       VALUES ('v', $1, 'RESET_PASSWD', 'm', 1, 2)`,
      [mail],
    );
    await insert('identity', { issuer: 'https://sso.example', subject: 'ada', created_at: 1 });
    await insert('download', { id: 'd', product_type: 'a', version_type: 'b', version: 'c', at: Date.now() });
    await insert('marketplace_purchase', {
      token_hash: 'h',
      marketplace: 'aws',
      purchase: 'p',
      customer: 'c',
      product: 'd',
      created_at: 1,
    });
    await insert('stripe_customer', { customer: 'cus_ada' });
    // One names the account, one only the address, as a code for the sign-up does.
    await queue('new@site.example', uid);
    await queue(mail.toUpperCase());
  }

  test('all of it goes, after a look at what that means', async () => {
    await fill();
    await queue('bob@site.example');
    expect(await backend.queued()).toHaveLength(3);
    const filled = await tablesWithRows();
    expect(filled).toEqual([
      'account',
      'api_key',
      'data_source',
      'download',
      'identity',
      'job_admission',
      'marketplace_purchase',
      'session',
      'stripe_customer',
    ]);
    expect(erase(mail)).toMatchObject({ status: 0, said: expect.stringContaining(`erase ${mail} --confirm`) });
    expect(await tablesWithRows()).toEqual(filled);
    expect(erase(mail, '--confirm').said.split('\n')).toEqual([
      'Ada is erased.',
      'Delete the customer cus_ada at the payment service, too.',
      'Backups made before still contain the account.',
    ]);
    expect(await tablesWithRows()).toEqual([]);
    const codes = z.object({ target: z.string() });
    expect(await backend.services.database.all(codes, 'SELECT target FROM verification_code')).toEqual([]);
    expect((await backend.queued()).map(({ to }) => to)).toEqual(['bob@site.example']);
    expect((await backend.post(calls.queryLoginUser, {}, { token })).status).toBe(401);
    expect(erase(mail, '--confirm').fault).toContain(`There is no account “${mail}”.`);
    // The address is free again.
    expect((await newcomer(backend, mail)).uid).not.toBe(uid);
  });

  test('orders, licences and invoices stay, the person does not', async () => {
    await fill();
    const { transfer } = await order();
    run('order', 'confirm', transfer.reference);
    const { database } = backend.services;
    await database.run("UPDATE licence_order SET idempotency_key = 'call ada'");
    await insert('subscription', { id: 's', status: 'CANCELED', cancel_reason: 'ada', period_start: 1, period_end: 2 });
    // Too little to be invoiced.
    await insert('bill', { id: 'b', day: '2026-11-19', amount: 5, credits: 0, due: 5, created_at: 1 });
    const [{ number }] = (await data(calls.listInvoices)).items;
    expect(erase(uid, '--confirm').said).toContain('Ada is erased.\nOrders, bills and invoices stay');
    expect(await tablesWithRows()).toEqual(['account', 'bill', 'invoice', 'licence', 'licence_order', 'subscription']);
    const typed = 'SELECT o.idempotency_key AS key, s.cancel_reason AS why FROM licence_order o, subscription s';
    const nothing = z.object({ key: z.null(), why: z.null() });
    expect(await database.all(nothing, typed)).toHaveLength(1);
    expect(run('account', 'credit', uid, '5')).toMatchObject({
      status: 1,
      fault: `The account ${uid} was erased, so nothing was changed.`,
    });
    const [left] = await database.all(z.looseObject({}), 'SELECT * FROM account WHERE uid = $1', [uid]);
    expect(JSON.stringify(left)).not.toMatch(/ada|argon2/i);
    expect(run('order', 'list').said).toContain(transfer.reference);
    const folder = mkdtempSync(join(tmpdir(), 'millrace-erased-'));
    const file = join(folder, 'invoice.pdf');
    run('invoice', 'pdf', number, file);
    expect(pdfText(readFileSync(file))).toContain('Ada');
    rmSync(folder, { recursive: true });
  });

  test('what an account asked for before it was erased is refused', async () => {
    const { transfer } = await order();
    run('order', 'confirm', transfer.reference);
    run('account', 'admit', mail);
    const { services } = backend;
    const source = { type: 'SQLite', instanceDesc: 'late', settings: { file: 'late.sqlite' } };
    const asked: [string, object][] = [
      [calls.updateProfile, { userName: 'Ada again' }],
      [jobCalls.createApiKey, { name: 'late' }],
      [jobCalls.addDataSource, source],
    ];
    let late: Promise<{ body: { code: string } }[]> | undefined;
    await services.database.transaction(async (queries) => {
      await eraseAccount(queries, services, uid);
      // Their session is still there for them.
      late = kind === 'postgres' ? begun(asked) : undefined;
      if (late) await untilWaiting(services.database, asked.length);
    });
    if (late) for (const { body } of await late) expect(body.code).toBe('SIGNED_OUT');
    for (const [path, body] of asked) expect((await backend.post(path, body, { token })).status).toBe(401);
    expect(await tablesWithRows()).toEqual(['account', 'invoice', 'licence', 'licence_order']);
  });

  test('nothing goes while something is open, and all reasons are named', async () => {
    await order();
    await insert('subscription', { id: 's', status: 'CANCELS_AT_PERIOD_END', period_start: 1, period_end: 2 });
    await insert('usage_record', {
      id: 'u',
      day: '2026-11-20',
      data_job_id: '1',
      data_job_name: 'a',
      item: 'FULL',
      units: 1,
    });
    await insert('bill', { id: 'b', day: '2026-11-19', amount: 700, credits: 0, due: 700, created_at: 1 });
    const { services } = backend;
    const lines = [{ text: 'Usage', amount: 700 }];
    await services.database.transaction((queries) => makeInvoice(queries, services, { uid, lines, status: 'OPEN' }));
    const source = { family: 'sqlite', description: '', settings: '{}', labels: '{}', created_at: 1 };
    await insert('data_source', { id: 1, instance_id: 'a', ...source });
    await insert('data_job', {
      id: 1,
      name: 'a',
      description: '',
      type: 'SYNC',
      source_id: 1,
      target_id: 1,
      request: '{}',
      request_hash: '',
      life_cycle: 'CREATED',
      phase: 'INIT',
      status: 'INIT',
      created_at: 1,
    });
    const before = await tablesWithRows();
    for (const end of [erase(mail), erase(mail, '--confirm')]) {
      expect(end).toMatchObject({ status: 1, said: '' });
      expect(end.fault.split('\n- ').map((line) => line.split(':')[0])).toEqual([
        'Ada cannot be erased now, and nothing was.',
        'It has data jobs',
        'It has unfinished orders',
        'Its subscription has not ended',
        'It has usage that is not billed yet',
        'It has bills without an invoice',
        'It has open invoices',
      ]);
    }
    expect(await tablesWithRows()).toEqual(before);
  });

  test('the owner of the installation stays until another account is', () => {
    expect(erase('owner@site.example', '--confirm')).toMatchObject({
      status: 1,
      fault: expect.stringContaining('It owns this installation: make another account its owner first'),
    });
    expect(run('account', 'own', mail).said).toMatch(/^Ada owns this installation now\./);
    expect(erase(mail, '--confirm').status).toBe(1);
    expect(erase('owner@site.example', '--confirm')).toMatchObject({ status: 0 });
  });
});
