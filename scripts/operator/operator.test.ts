import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { dayOf } from '../../client/contract/dates.ts';
import { readConsoleConfig } from '../../server/config/console.ts';
import { migrations, openStore } from '../../server/console/open-store.ts';
import { openSecretKey } from '../../server/console/secret-key.ts';
import { supervisorLock } from '../../server/jobs/supervisor-lock.ts';
import type { Database } from '../../server/storage/database.ts';
import { migrate } from '../../server/storage/migrate.ts';
import { openPostgres } from '../../server/storage/postgres.ts';
import { startBackendProcess } from '../../server/testing/backend-process.ts';
import { runOperator } from '../../server/testing/operator.ts';
import { patience, patientStore } from '../../server/testing/patience.ts';
import { createDatabase } from '../../server/testing/postgres.ts';
import { storeAccount } from '../../server/testing/store-account.ts';

const day = 86_400_000;
const amount = z.object({ credits: z.number() });

describe.each(['sqlite', 'postgres'] as const)('operator commands on %s', (kind) => {
  let folder: string;
  let env: Record<string, string>;
  let uid: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-operator-'));
    env = { DATA_DIR: join(folder, 'data') };
    if (kind === 'postgres') env.DATABASE_URL = await createDatabase(inject('postgresUrl'));
    // Like the first start of a server.
    openSecretKey(undefined, join(folder, 'data'), true);
    uid = await withStore((database) =>
      storeAccount(database, 'ada@site.example', { company: 'Mill Ltd', credits: 500 }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function withStore<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    const database = await openStore(readConsoleConfig(env), pino({ level: 'silent' }), true);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  const run = (command: string, ...args: string[]) => runOperator(env, command, ...args);

  test('accounts can be found, given credits and signed out', () => {
    expect(run('account', 'list', 'mill').said).toContain('ada@site.example');
    expect(run('account', 'credit', 'ADA@site.example', '12.50').said).toBe('Credits now: 17.50 USD.');
    expect(run('account', 'credit', uid, '-12.50').said).toBe('Credits now: 5.00 USD.');
    expect(run('account', 'credit', uid, '-6')).toMatchObject({ status: 2, fault: expect.stringContaining('fewer') });
    expect(run('account', 'end-sessions', uid).said).toBe('0 sessions ended.');
    expect(run('account', 'show', 'nobody@site.example')).toMatchObject({
      status: 2,
      fault: expect.stringContaining('There is no account “nobody@site.example”.'),
    });
  });

  test('usage is imported once, a faulty line is named, and yesterday is billed', async () => {
    const file = join(folder, 'usage.ndjson');
    const record = { id: 'a', uid, day: dayOf(Date.now() - day), dataJobId: '7', dataJobName: 'orders' };
    const line = JSON.stringify({ ...record, item: 'INCREMENT', rows: 100_000 });
    writeFileSync(file, `${line}\n${line}\n`);
    expect(run('usage', 'import', file).said).toContain('2 lines read, 1 new records');
    const other = JSON.stringify({ ...record, item: 'INCREMENT', rows: 200_000 });
    writeFileSync(file, `${other}\n`);
    expect(run('usage', 'import', file).said).toContain('1 lines read, 0 new records, 1 corrected.');
    writeFileSync(file, `${line}\n`);
    expect(run('usage', 'import', file).said).toContain('0 new records, 1 corrected.');
    writeFileSync(file, `${line}\n{"id":"b"}\n`);
    expect(run('usage', 'import', file)).toMatchObject({ status: 2, fault: expect.stringContaining(`${file}:2 uid`) });
    expect(run('usage', 'bill').said).toBe('1 bill created.');
    const account = await withStore((database) => database.one(amount, 'SELECT credits FROM account'));
    expect(account).toEqual({ credits: 400 });
    writeFileSync(file, `${line}\n`);
    expect(run('usage', 'import', file).said).toContain('0 new records. ');
    writeFileSync(file, `${line}\n${other}\n`);
    expect(run('usage', 'import', file)).toMatchObject({
      status: 2,
      fault: expect.stringContaining(`${file}:2 differs from the record of its id, which is billed already.`),
    });
  });

  test('page views become a table and a chart, safely for any text that visitors sent', async () => {
    await withStore(async (database) => {
      const add =
        'INSERT INTO page_view (id, at, day, uri, src, kw, vb_id, client_id, address) VALUES ($1, 0, $2, $3, $4, $5, $6, $6, $6)';
      const today = dayOf(Date.now());
      for (const id of ['1', '2']) await database.run(add, [id, today, '/why', 'https://a.example/', 'cdc', '']);
      await database.run(add, ['3', dayOf(Date.now() - 40 * day), '/old', '', '', '']);
      await database.run(add, ['4', today, '/', '', '<b>\u001b[31m&', '']);
    });
    const chart = join(folder, 'chart.svg');
    const { said } = run('page-views', '30', chart);
    expect(said).toMatch(/\/why +2/);
    expect(said).not.toContain('/old');
    expect(said).not.toContain('\u001b');
    const svg = readFileSync(chart, 'utf8');
    for (const title of ['Days', 'Pages', 'Sources', 'Keywords']) expect(svg).toContain(`>${title}<`);
    expect(svg).toContain('&lt;b&gt;\ufffd[31m&amp;');
    expect(svg).toContain('https://a.example/');
    expect(run('page-views', 'all')).toMatchObject({ status: 2, fault: expect.stringContaining('“all”') });
  });

  test('a restore brings back the store of the backup, with its key', async () => {
    const backup = join(folder, 'backup');
    const key = run('licence', 'public-key').said;
    expect(run('backup', backup)).toMatchObject({ status: 0 });
    // Only the user of the command may read it.
    const written = ['', ...readdirSync(backup)].map((name) => statSync(join(backup, name)).mode & 0o777);
    expect(written).toEqual([0o700, 0o600, 0o600]);
    expect(run('backup', backup)).toMatchObject({ status: 1, fault: `${backup} is not empty.` });
    expect(run('account', 'credit', uid, '100').said).toBe('Credits now: 104.00 USD.');
    const server = await startBackendProcess(env);
    expect(run('restore', backup)).toMatchObject({ status: 1, fault: 'The server is running: stop it first.' });
    // When killed, it leaves a log of the writes since the backup, which must not be restored with it.
    expect(run('account', 'credit', uid, '50').said).toBe('Credits now: 154.00 USD.');
    await server.kill();
    expect(existsSync(join(folder, 'data/console.sqlite-wal'))).toBe(kind === 'sqlite');
    // PostgreSQL may not have noticed yet that the server is gone.
    if (kind === 'postgres')
      await withStore((database) => expect.poll(() => database.isHeld(supervisorLock), patience).toBe(false));
    rmSync(join(folder, 'data/secret.key'));
    expect(run('restore', backup)).toMatchObject({ status: 0, said: 'Restored. Start the server.' });
    const account = await withStore((database) => database.one(amount, 'SELECT credits FROM account'));
    expect(account).toEqual({ credits: 400 });
    expect(run('licence', 'public-key').said).toBe(key);
  });
});

test('an older backup replaces a newer PostgreSQL store and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-older-'));
  const older = join(folder, 'older');
  cpSync(migrations, older, { recursive: true });
  for (const name of readdirSync(older).slice(5)) rmSync(join(older, name));
  const DATABASE_URL = await createDatabase(inject('postgresUrl'));
  const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL };
  const backup = join(folder, 'backup');
  const database = openPostgres(DATABASE_URL, pino({ level: 'silent' }), patientStore);
  const count = async (table: string) =>
    (await database.one(z.object({ rows: z.number() }), `SELECT count(*) AS rows FROM ${table}`))?.rows;
  try {
    await migrate(database, older);
    await database.script('CREATE SCHEMA others; CREATE TABLE others.bill (id INT)');
    expect(runOperator(env, 'backup', backup)).toMatchObject({ status: 0 });
    expect(await migrate(database, migrations)).not.toEqual([]);
    // The indexes of a dump come after its rows.
    await database.script(`INSERT INTO others.bill VALUES (1); CREATE TABLE of_others (id INT);
      CREATE FUNCTION others.refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'no index'; END$$;
      CREATE EVENT TRIGGER in_the_way ON ddl_command_start WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION others.refuse()`);
    expect(runOperator(env, 'restore', backup)).toMatchObject({
      status: 1,
      fault: expect.stringMatching(/no index(.|\n)*psql failed, see above: nothing was changed\.$/),
    });
    expect(await migrate(database, migrations)).toEqual([]);
    expect(await count('job_worker')).toBe(0);
    await database.run('DROP EVENT TRIGGER in_the_way');
    const newer = `'9999_of_tomorrow.sql'`;
    await database.run(`INSERT INTO migration VALUES (${newer}, '', 0)`);
    expect(runOperator(env, 'restore', backup)).toMatchObject({
      status: 1,
      fault: 'The database was last used by a newer version (it has 9999_of_tomorrow.sql): restore with that one.',
    });
    await database.run(`DELETE FROM migration WHERE name = ${newer}`);
    expect(runOperator(env, 'restore', backup)).toEqual({
      status: 0,
      said: 'Restored. Start the server.',
      fault: '',
    });
    expect(await count('migration')).toBe(5);
    expect([await count('others.bill'), await count('of_others')]).toEqual([1, 0]);
    // A server of the older version may run on it.
    expect(runOperator(env, 'account')).toMatchObject({
      status: 1,
      fault: expect.stringMatching(
        /^The database was last used by an older version \(it lacks \S+\): run the commands of that version, /,
      ),
    });
    expect(await count('migration')).toBe(5);
    expect(readdirSync(env.DATA_DIR)).toEqual([]);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true });
  }
});
