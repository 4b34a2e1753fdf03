import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../client/contract/calls.ts';
import { readConsoleConfig } from '../../server/config/console.ts';
import { openStore } from '../../server/console/open-store.ts';
import { openSecretKey } from '../../server/console/secret-key.ts';
import { lockFile } from '../../server/storage/file-lock.ts';
import { openPostgres } from '../../server/storage/postgres.ts';
import { openSqlite } from '../../server/storage/sqlite.ts';
import { startBackendProcess } from '../../server/testing/backend-process.ts';
import { runOperator } from '../../server/testing/operator.ts';
import { patientStore } from '../../server/testing/patience.ts';
import { createDatabase, findPostgres, startPostgres } from '../../server/testing/postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-refusals-'));
afterAll(() => rmSync(folder, { recursive: true }));

const env = { DATA_DIR: join(folder, 'data') };
beforeAll(() => makeStore(env));

/** Creates a store as the first start of a server does, without a key of its own beside it. */
async function makeStore(env: Record<string, string>): Promise<void> {
  const config = readConsoleConfig({ SECRET_KEY: 'k'.repeat(32), ...env });
  await (await openStore(config, pino({ level: 'silent' }), true)).close();
}

const missing = join(folder, 'missing/file');
/** An address where nothing listens. */
const nowhere = 'postgres://ada:a-secret@127.0.0.1:1/none';

test('a backup into a place where the system allows no folder ends, and says so', () => {
  expect(runOperator(env, 'backup', '/proc/millrace/backup')).toEqual({
    status: 1,
    said: '',
    fault:
      "/proc/millrace/backup cannot be created (ENOENT: no such file or directory, mkdir '/proc/millrace'): name a folder that this user may write.",
  });
});

test.each([
  ['account', ['frob'], 'There is no action “frob”.'],
  ['order', ['frob'], 'There is no action “frob”.'],
  ['order', ['list', 'paid'], 'There is no status “paid”.'],
  ['order', ['confirm', 'MR-NOTHING1'], 'There is no order “MR-NOTHING1”.'],
  ['invoice', ['frob'], 'There is no action “frob”.'],
  ['invoice', ['list', 'open'], 'There is no status “open”.'],
  ['invoice', ['paid', '2026-1'], 'There is no invoice “2026-1”.'],
  ['licence', [], 'There is no action “”.'],
  ['licence', ['verify'], 'There is no action “verify”.'],
  ['licence', ['apply-code', '-5'], '“-5” is not a number of links.'],
  ['usage', ['frob'], 'There is no action “frob”.'],
  ['usage', ['import'], 'Name a file to import.'],
  ['marketplace', ['frob'], 'There is no action “frob”.'],
  ['backup', [], 'Name an empty folder.'],
  ['restore', [], 'Name the folder of a backup.'],
])('%s %j is refused as wrong usage, with the right usage', (command, args, sentence) => {
  const { status, fault } = runOperator(env, command, ...args);
  expect([status, fault.split('\n')[0]]).toEqual([2, sentence]);
  expect(fault).toContain(`\n\nnpm run ${command} -- `);
});

/** Creates a file that no one can open, not even root: a socket; the returned function removes it. */
async function cannotBeOpened(path: string): Promise<() => Promise<unknown>> {
  const server = createServer().listen(path);
  await once(server, 'listening');
  return () => once(server.close(), 'close');
}

/** One line with these words, and no stack trace. */
function expectSentence(end: { status: number | null; fault: string }, words: string) {
  expect(end.fault.split('\n')).toEqual([expect.stringContaining(words)]);
  expect(end.status).toBe(1);
}

test.each([
  ['licence', ['verify', 'code', missing]],
  ['usage', ['import', missing]],
  ['page-views', ['30', missing]],
])('%s names a file that it cannot use', (command, args) => {
  expectSentence(runOperator(env, command, ...args), missing);
});

test('every command reports wrong settings', () => {
  for (const command of ['account', 'backup', 'restore']) {
    const { status, fault } = runOperator({ ...env, CONSOLE_PORT: 'a' }, command, folder);
    expect([status, fault]).toEqual([1, expect.stringMatching(/^The settings are not usable:\n {2}CONSOLE_PORT .*$/)]);
  }
});

test('an unreachable database is reported without its password', () => {
  const end = runOperator({ ...env, DATABASE_URL: nowhere }, 'account');
  expectSentence(end, 'The database of DATABASE_URL cannot be reached: ');
  expect(end.fault).not.toContain('a-secret');
});

test('a damaged store and a damaged key are reported and left unchanged', async () => {
  const DATA_DIR = join(folder, 'damaged');
  mkdirSync(DATA_DIR);
  const [store, key] = [join(DATA_DIR, 'console.sqlite'), join(DATA_DIR, 'secret.key')];
  writeFileSync(store, 'no database');
  expectSentence(
    runOperator({ DATA_DIR }, 'account'),
    `${store} is damaged (file is not a database): stop the server and restore a backup`,
  );
  expect(readFileSync(store, 'utf8')).toBe('no database');
  rmSync(store);
  await makeStore({ DATA_DIR });
  writeFileSync(key, 'short');
  expectSentence(runOperator({ DATA_DIR }, 'account'), `${key} does not hold a key: restore its copy`);
  expect(readFileSync(key, 'utf8')).toBe('short');
});

test('a command creates no store if there is none, since the folder or address may be mistyped', async () => {
  const DATA_DIR = join(folder, 'mistyped');
  const DATABASE_URL = await createDatabase(inject('postgresUrl'));
  const next = 'or start the server once.';
  expectSentence(
    runOperator({ DATA_DIR }, 'account'),
    `There is no store in ${DATA_DIR}: set DATA_DIR to the server's folder, ${next}`,
  );
  expectSentence(
    runOperator({ DATA_DIR, DATABASE_URL }, 'account'),
    `The database of DATABASE_URL holds no store: set DATABASE_URL as for the server, ${next}`,
  );
  expect(existsSync(DATA_DIR)).toBe(false);
  const database = openPostgres(DATABASE_URL, pino({ level: 'silent' }), patientStore);
  const names = z.object({ relname: z.string() });
  expect(await database.all(names, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual(
    [],
  );
  await database.close();
});

test('a store with tables of another program is reported, with what to do', async () => {
  const DATA_DIR = join(folder, 'of-others');
  const DATABASE_URL = await createDatabase(inject('postgresUrl'));
  mkdirSync(DATA_DIR);
  const file = join(DATA_DIR, 'console.sqlite');
  for (const store of [openSqlite(file), openPostgres(DATABASE_URL, pino({ level: 'silent' }), patientStore)]) {
    await store.script(
      'CREATE TABLE account (id INT); CREATE TABLE migration (name TEXT PRIMARY KEY, hash TEXT, applied_at BIGINT)',
    );
    await store.close();
  }
  await expect(makeStore({ DATA_DIR })).rejects.toThrow(
    `${file} cannot be used as a store (table account already exists): `,
  );
  await expect(makeStore({ DATA_DIR, DATABASE_URL })).rejects.toThrow(
    'The database of DATABASE_URL cannot be used as a store (relation "account" already exists): use a separate database',
  );
  for (const env of [{ DATA_DIR }, { DATA_DIR, DATABASE_URL }])
    expectSentence(runOperator(env, 'account'), 'The database holds no store: ');
});

test('a refused backup writes nothing, and a failed one leaves nothing', () => {
  const target = join(folder, 'backup');
  expectSentence(runOperator({ DATA_DIR: join(folder, 'empty') }, 'backup', target), 'There is no store in ');
  expect(existsSync(target)).toBe(false);
  const unreachable = runOperator({ ...env, DATABASE_URL: nowhere }, 'backup', target);
  expectSentence(unreachable, 'not be reached');
  // The same command is not refused because of what the first run left.
  expect(runOperator({ ...env, DATABASE_URL: nowhere }, 'backup', target).fault).toBe(unreachable.fault);
});

test("a PostgreSQL store's password is never a program argument, which anyone could read", async () => {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  // Each writes its file: `pg_restore` the table of contents of the dump.
  const act = `#!/bin/sh
    echo "$0 $* with $PGPASSWORD" >&2
    for word; do case "$word" in --file=*.part | --file=*.list) echo '1; 1259 1 TABLE public migration ada' > "\${word#--file=}";; esac; done
  `;
  for (const program of ['pg_dump', 'pg_restore', 'psql']) writeFileSync(join(programs, program), act, { mode: 0o755 });
  const database = new URL(await createDatabase(inject('postgresUrl')));
  await makeStore({ DATABASE_URL: database.href });
  database.password = 'a%23secret';
  const own = { DATA_DIR: join(folder, 'programs-data'), PATH: `${programs}:${process.env.PATH}` };
  const target = join(folder, 'backup-by-programs');
  const inQuery = `postgres://${database.username}@${database.host}${database.pathname}?password=a%23secret`;
  for (const DATABASE_URL of [database.href, inQuery]) {
    const { fault } = runOperator({ ...own, DATABASE_URL }, 'backup', target);
    expect(fault).toContain('with a#secret');
    expect(fault).not.toContain('a%23secret');
    const restored = runOperator({ ...own, DATABASE_URL }, 'restore', target).fault;
    expect(restored).toMatch(/psql .* with a#secret/);
    expect(restored).not.toContain('a%23secret');
    rmSync(target, { recursive: true });
  }
});

test('an address that the driver takes serves for a backup and a restore too', async () => {
  const DATABASE_URL = new URL(await createDatabase(inject('postgresUrl')));
  DATABASE_URL.password = 's3cr%et';
  DATABASE_URL.search = '?sslmode=disable&uselibpqcompat=true&statement_timeout=60000&options=-c%20search_path=public';
  const own = { DATA_DIR: join(folder, 'driver-address'), DATABASE_URL: DATABASE_URL.href };
  await makeStore(own);
  const target = join(folder, 'backup-of-driver-address');
  expect(runOperator(own, 'backup', target)).toMatchObject({ status: 0 });
  expect(runOperator(own, 'restore', target)).toMatchObject({ status: 0 });
  // PostgreSQL's programs have another name for TLS without a check of the certificate.
  DATABASE_URL.search = '?sslmode=no-verify';
  const refused = runOperator({ ...own, DATABASE_URL: DATABASE_URL.href }, 'backup', `${target}-with-tls`);
  expect(refused.fault).toContain('The server does not support SSL connections');
});

test('a backup trusts the certificates that the server trusts', async () => {
  const [key, authority] = [join(folder, 'tls.key'), join(folder, 'tls.crt')];
  const request = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...request, '-keyout', key, '-out', authority], { stdio: 'pipe' });
  const files = { 'server.key': readFileSync(key), 'server.crt': readFileSync(authority) };
  const server = await startPostgres({ files, settings: { ssl: 'on' } });
  const DATABASE_URL = new URL(server.url);
  await makeStore({ DATABASE_URL: DATABASE_URL.href });
  const target = join(folder, 'backup-by-tls');
  for (const search of ['?sslmode=verify-full', '?sslmode=require', '?ssl=true']) {
    DATABASE_URL.search = search;
    const own = { DATA_DIR: join(folder, 'tls'), DATABASE_URL: DATABASE_URL.href, HOME: folder };
    expect(runOperator(own, 'backup', target).fault, search).toContain('self-signed certificate');
    const trusting = { ...own, NODE_EXTRA_CA_CERTS: authority };
    expect(runOperator(trusting, 'backup', target), search).toMatchObject({ status: 0 });
    expect(runOperator(trusting, 'restore', target), search).toMatchObject({ status: 0 });
    rmSync(target, { recursive: true });
  }
  await server.stop();
});

test("a command without the server's key writes nothing that the server could not read", async () => {
  const DATABASE_URL = await createDatabase(inject('postgresUrl'));
  const DATA_DIR = join(folder, 'of-no-server');
  await makeStore({ DATABASE_URL });
  const elsewhere = { DATABASE_URL, DATA_DIR };
  const sentence = `This needs the server's key, and ${DATA_DIR}/secret.key does not exist: `;
  expectSentence(runOperator(elsewhere, 'licence', 'public-key'), sentence);
  expect(existsSync(DATA_DIR)).toBe(false);
  // Commands that need no key are carried out.
  expect(runOperator(elsewhere, 'account')).toMatchObject({ status: 0, said: 'Nothing found.' });
});

test('a backup that lacks the key says so', async () => {
  const SECRET_KEY = 'a secret of the operator, kept elsewhere';
  const target = join(folder, 'backup-without-key');
  expect(runOperator({ ...env, SECRET_KEY }, 'backup', target)).toMatchObject({
    status: 0,
    fault: 'SECRET_KEY is not in it: keep it too, since nothing encrypted can be read without it.',
  });
  // As on a machine other than the server's.
  const DATABASE_URL = await createDatabase(inject('postgresUrl'));
  await makeStore({ DATABASE_URL });
  const DATA_DIR = join(folder, 'no-key');
  const other = join(folder, 'backup-from-elsewhere');
  expect(runOperator({ DATA_DIR, DATABASE_URL }, 'backup', other)).toMatchObject({
    status: 0,
    fault: `The key is not in it, since ${DATA_DIR} has no secret.key: copy the server's into ${other}, or nothing encrypted can be read.`,
  });
});

test('a backup of a damaged store leaves its folder empty for the next try', async () => {
  const DATA_DIR = join(folder, 'unreadable');
  const target = join(folder, 'backup-of-damaged');
  mkdirSync(DATA_DIR);
  const store = join(DATA_DIR, 'console.sqlite');
  const backUp = () => runOperator({ DATA_DIR }, 'backup', target);
  writeFileSync(store, 'no database'.repeat(1000));
  expectSentence(backUp(), `${store} could not be copied (file is not a database): nothing was written.`);
  expect(readdirSync(target)).toEqual([]);
  rmSync(store);
  const close = await cannotBeOpened(store);
  expectSentence(backUp(), `${store} could not be copied (unable to open database file): nothing was written.`);
  expect(readdirSync(target)).toEqual([]);
  await close();
});

test('a killed backup leaves nothing that looks like a backup or blocks the next one', async () => {
  const DATA_DIR = join(folder, 'killed');
  const target = join(folder, 'backup-killed');
  await makeStore({ DATA_DIR });
  const store = new DatabaseSync(join(DATA_DIR, 'console.sqlite'));
  // More than is copied in one step.
  store.exec('CREATE TABLE filler AS SELECT zeroblob(10000000) AS bytes');
  store.close();
  const killer = join(folder, 'killer.mjs');
  // Loaded before the command: kills it between two steps of the copy.
  writeFileSync(
    killer,
    `import { existsSync, readdirSync } from 'node:fs';
    const { TARGET } = process.env;
    const look = () => {
      if (existsSync(TARGET) && readdirSync(TARGET).length > 0) process.kill(process.pid, 'SIGKILL');
      setImmediate(look).unref();
    };
    look();`,
  );
  const NODE_OPTIONS = `--import=${killer}`;
  expect(runOperator({ DATA_DIR, NODE_OPTIONS, TARGET: target }, 'backup', target)).toMatchObject({ status: null });
  const left = readdirSync(target);
  expect(left.length).toBeGreaterThan(0);
  expect(left).not.toContain('console.sqlite');
  expect(runOperator({ DATA_DIR }, 'backup', target)).toMatchObject({ status: 0 });
  expect(readdirSync(target)).toEqual(['console.sqlite']);
  expect(runOperator({ DATA_DIR }, 'backup', target).fault).toBe(`${target} is not empty.`);
});

test('a backup whose key cannot be read leaves no store behind', async () => {
  const DATA_DIR = join(folder, 'key-unreadable');
  const target = join(folder, 'backup-key-unreadable');
  await makeStore({ DATA_DIR });
  // A folder in place of the key, since root may read everything.
  mkdirSync(join(DATA_DIR, 'secret.key'));
  expect(runOperator({ DATA_DIR }, 'backup', target)).toMatchObject({ status: 1 });
  expect(readdirSync(target)).not.toContain('console.sqlite');
  rmdirSync(join(DATA_DIR, 'secret.key'));
  expect(runOperator({ DATA_DIR }, 'backup', target)).toMatchObject({ status: 0 });
});

test.runIf(process.getuid?.() === 0)('files that root restores belong to the owner of DATA_DIR', async () => {
  const DATA_DIR = join(folder, 'of-the-server');
  const backup = join(folder, 'restored-by-root');
  await makeStore({ DATA_DIR });
  openSecretKey(undefined, DATA_DIR, true);
  expect(runOperator({ DATA_DIR }, 'backup', backup).status).toBe(0);
  // As on a new machine.
  rmSync(DATA_DIR, { recursive: true });
  mkdirSync(DATA_DIR);
  chownSync(DATA_DIR, 65_534, 65_534);
  expect(runOperator({ DATA_DIR }, 'restore', backup).status).toBe(0);
  const owners = readdirSync(DATA_DIR).map((name) => [name, statSync(join(DATA_DIR, name)).uid]);
  expect(Object.fromEntries(owners)).toEqual({
    'console.sqlite': 65_534,
    'console.sqlite.lock': 65_534,
    'secret.key': 65_534,
  });
});

test("a backup with a key that is not its store's replaces nothing", async () => {
  const DATA_DIR = join(folder, 'key-kept');
  const target = join(folder, 'backup-with-other-key');
  const server = await startBackendProcess({ DATA_DIR });
  // Stores a key pair that is encrypted with the key.
  await fetch(server.url + calls.getPublicKey, { method: 'POST' });
  await server.terminate();
  expect(runOperator({ DATA_DIR }, 'backup', target).status).toBe(0);
  const key = readFileSync(join(DATA_DIR, 'secret.key'), 'utf8');
  for (const other of ['no key', Buffer.alloc(32, 7).toString('base64url')]) {
    writeFileSync(join(target, 'secret.key'), other);
    expectSentence(
      runOperator({ DATA_DIR }, 'restore', target),
      `${target}/secret.key is not the key of the backup's store, so nothing was changed: `,
    );
    expect(readFileSync(join(DATA_DIR, 'secret.key'), 'utf8')).toBe(key);
  }
  const DATABASE_URL = await createDatabase(inject('postgresUrl'));
  const shared = await startBackendProcess({ DATA_DIR, DATABASE_URL });
  await fetch(shared.url + calls.getPublicKey, { method: 'POST' });
  await shared.terminate();
  const ofPostgres = join(folder, 'dump-with-no-key');
  expect(runOperator({ DATA_DIR, DATABASE_URL }, 'backup', ofPostgres).status).toBe(0);
  writeFileSync(join(ofPostgres, 'secret.key'), 'no key');
  expectSentence(runOperator({ DATA_DIR, DATABASE_URL }, 'restore', ofPostgres), 'so nothing was changed: ');
  writeFileSync(join(ofPostgres, 'secret.key'), Buffer.alloc(32, 7).toString('base64url'));
  const notCopied = `The store is restored, but ${ofPostgres}/secret.key is not its key, so it was not copied `;
  expectSentence(runOperator({ DATA_DIR, DATABASE_URL }, 'restore', ofPostgres), notCopied);
  expect(readFileSync(join(DATA_DIR, 'secret.key'), 'utf8')).toBe(key);
});

test("a restored store is accessible only to the server's user, whatever the backup's rights", async () => {
  const DATA_DIR = join(folder, 'private-again');
  const target = join(folder, 'readable-backup');
  await makeStore({ DATA_DIR });
  openSecretKey(undefined, DATA_DIR, true);
  expect(runOperator({ DATA_DIR }, 'backup', target).status).toBe(0);
  for (const name of readdirSync(target)) chmodSync(join(target, name), 0o644);
  expect(runOperator({ DATA_DIR }, 'restore', target).status).toBe(0);
  const rights = ['console.sqlite', 'secret.key'].map((name) => statSync(join(DATA_DIR, name)).mode & 0o777);
  expect(rights).toEqual([0o600, 0o600]);
});

test('a restore from a folder without a store leaves the store unchanged', async () => {
  const DATA_DIR = join(folder, 'kept-from-others');
  const other = join(folder, 'of-another-program');
  await makeStore({ DATA_DIR });
  const store = join(DATA_DIR, 'console.sqlite');
  const before = readFileSync(store);
  mkdirSync(other);
  const file = join(other, 'console.sqlite');
  const sentence = `${file} contains no store, so nothing was changed.`;
  writeFileSync(file, '');
  expectSentence(runOperator({ DATA_DIR }, 'restore', other), sentence);
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE account (id INT)');
  database.close();
  expectSentence(runOperator({ DATA_DIR }, 'restore', other), sentence);
  expect(readFileSync(store).equals(before)).toBe(true);
  expect(readdirSync(DATA_DIR).sort()).toEqual(['console.sqlite', 'console.sqlite.lock']);

  const DATABASE_URL = await createDatabase(inject('postgresUrl'));
  await makeStore({ DATABASE_URL });
  const dump = join(other, 'console.dump');
  const address = await createDatabase(inject('postgresUrl'));
  spawnSync(join(findPostgres() ?? '', 'pg_dump'), ['--format=custom', `--file=${dump}`, address]);
  expectSentence(
    runOperator({ DATA_DIR, DATABASE_URL }, 'restore', other),
    `${dump} contains no store, so nothing was changed.`,
  );
  expect(runOperator({ DATA_DIR, DATABASE_URL }, 'account')).toMatchObject({ status: 0, said: 'Nothing found.' });
});

test('a restore that fails leaves the store unchanged', async () => {
  const data = join(folder, 'kept');
  const backup = join(folder, 'sound');
  const broken = join(folder, 'broken');
  await makeStore({ DATA_DIR: data });
  openSecretKey(undefined, data, true);
  expect(runOperator({ DATA_DIR: data }, 'account')).toMatchObject({ status: 0, said: 'Nothing found.' });
  expect(runOperator({ DATA_DIR: data }, 'backup', backup).status).toBe(0);
  const store = join(data, 'console.sqlite');
  const before = readFileSync(store);
  const restore = (from: string, env = {}) => runOperator({ DATA_DIR: data, ...env }, 'restore', from);

  expectSentence(restore(join(folder, 'none')), 'has no console.sqlite');
  expectSentence(restore(backup, { DATABASE_URL: nowhere }), 'has no console.dump');
  mkdirSync(broken);
  writeFileSync(join(broken, 'console.sqlite'), 'no database');
  expectSentence(restore(broken), 'console.sqlite is damaged (file is not a database), so nothing was changed.');
  rmSync(join(broken, 'console.sqlite'));
  const close = await cannotBeOpened(join(broken, 'console.sqlite'));
  expectSentence(restore(broken), 'console.sqlite could not be copied (ENXIO: ');
  await close();
  mkdirSync(join(broken, 'console.sqlite'));
  expectSentence(restore(broken), 'console.sqlite could not be copied (EISDIR: ');
  rmSync(join(broken, 'console.sqlite'), { recursive: true });
  const cut = readFileSync(join(backup, 'console.sqlite'));
  writeFileSync(join(broken, 'console.sqlite'), cut.fill(7, cut.length / 2));
  expectSentence(restore(broken), 'console.sqlite is damaged (');
  copyFileSync(join(backup, 'console.sqlite'), join(broken, 'console.dump'));
  expectSentence(restore(broken, { DATABASE_URL: nowhere }), 'not be reached');
  const noDump = restore(broken, { DATABASE_URL: await createDatabase(inject('postgresUrl')) });
  expect(noDump).toMatchObject({ status: 1, fault: expect.stringContaining('see above: nothing was changed.') });
  const unlock = lockFile(store);
  expectSentence(restore(backup), 'The server is running: stop it first.');
  unlock();

  expect(readFileSync(store).equals(before)).toBe(true);
  expect(restore(backup)).toMatchObject({ status: 0 });
  expect(readdirSync(data).filter((name) => name.includes('.part'))).toEqual([]);
  // A backup's folder may be read-only.
  expect(readdirSync(backup)).toEqual(['console.sqlite', 'secret.key']);
});
