import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { calls } from '../../client/contract/calls.ts';
import { migrations } from '../console/open-store.ts';
import { openSecretKey } from '../console/secret-key.ts';
import { migrate } from '../storage/migrate.ts';
import { openPostgres } from '../storage/postgres.ts';
import { type BackendProcess, startBackendProcess } from '../testing/backend-process.ts';
import { bareEnv } from '../testing/bare-env.ts';
import { freePort } from '../testing/free-port.ts';
import { startMutingProxy } from '../testing/muting-proxy.ts';
import { onLoopback } from '../testing/on-loopback.ts';
import { patience, patientStore } from '../testing/patience.ts';
import { createDatabase } from '../testing/postgres.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = 'the secret of an installation with two servers';

/** Queues a message to an address. */
async function askForCode(server: BackendProcess, email: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const form = { email, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'REGISTER' };
  await fetch(server.url + calls.sendCode, { method: 'POST', headers, body: JSON.stringify(form) });
}

test('a port in use is reported, with what to do', async () => {
  const other = await onLoopback(createServer());
  const { port } = other;
  const start = startBackendProcess({ DATA_DIR: join(folder, 'port'), CONSOLE_PORT: String(port) });
  await expect(start).rejects.toThrow(`Port ${port} is in use by another program: stop it or set CONSOLE_PORT`);
  await other.close();
});

test('a misspelt setting is reported at the start, without its value', async () => {
  const server = await startBackendProcess({ DATA_DIR: join(folder, 'misspelt'), DATABASE_URI: 'a-secret' });
  onTestFinished(() => server.kill());
  expect(server.log()).toContain('DATABASE_URI is not a server setting: did you mean DATABASE_URL?');
  expect(server.log()).not.toContain('a-secret');
});

test('a folder that is not writable is reported, with what to do', async () => {
  const dataDir = join(folder, 'read-only');
  // A folder in place of the lock, since root may write everywhere.
  mkdirSync(join(dataDir, 'console.sqlite.lock'), { recursive: true });
  const start = startBackendProcess({ DATA_DIR: dataDir });
  await expect(start).rejects.toThrow(
    `${dataDir}/console.sqlite.lock cannot be opened or created (unable to open database file): check that ${dataDir} and its contents belong to the server's user`,
  );
});

test("a new store is accessible only to the server's user", async () => {
  const DATA_DIR = join(folder, 'private');
  const server = await startBackendProcess({ DATA_DIR });
  onTestFinished(() => server.kill());
  const rightsOf = (name: string) => [name, statSync(join(DATA_DIR, name)).mode & 0o777];
  const names = ['console.sqlite', 'console.sqlite-wal', 'console.sqlite-shm', 'secret.key'];
  expect(names.map(rightsOf)).toEqual(names.map((name) => [name, 0o600]));
});

test('a store that is not writable is reported, with what to do', async () => {
  const DATA_DIR = join(folder, 'read-only-store');
  const file = join(DATA_DIR, 'console.sqlite');
  await (await startBackendProcess({ DATA_DIR })).terminate();
  const bytes = readFileSync(file);
  // SQLite only reads a file whose write format is newer than it knows; root may write all others.
  bytes.writeUInt8(3, 18);
  writeFileSync(file, bytes);
  await expect(startBackendProcess({ DATA_DIR })).rejects.toThrow(
    `${file} is not writable (attempt to write a readonly database): check that it belongs to the server's user, as must console.sqlite-wal and console.sqlite-shm beside it.`,
  );
});

test('a server whose store stops answering gives up its jobs before another takes them', async () => {
  const url = new URL(await createDatabase(inject('postgresUrl')));
  const way = await startMutingProxy({ host: url.hostname, port: Number(url.port) });
  onTestFinished(() => way.close());
  const throughWay = new URL(url);
  throughWay.port = String(way.port);
  const server = await startBackendProcess({
    DATA_DIR: join(folder, 'muted'),
    DATABASE_URL: throughWay.href,
  });
  onTestFinished(() => server.kill());
  way.mute();
  await expect.poll(() => server.log(), patience).toContain('the supervisor lost its lock');
});

test('a key that cannot be read is reported, with what to do', async () => {
  const dataDir = join(folder, 'unreadable-key');
  // A folder in place of the key, since root may read everything.
  mkdirSync(join(dataDir, 'secret.key'), { recursive: true });
  await expect(startBackendProcess({ DATA_DIR: dataDir })).rejects.toThrow(
    `${dataDir}/secret.key cannot be read or created (EISDIR: illegal operation on a directory, read): check that DATA_DIR and its contents belong to the server's user, or set SECRET_KEY.`,
  );
});

test('a stop does not wait for a silent mail server, and the next server sends the message', async () => {
  const asked = Promise.withResolvers<void>();
  const { port, close } = await onLoopback(createServer(() => asked.resolve()));
  onTestFinished(close);
  const DATA_DIR = join(folder, 'silent-mail');
  const server = await startBackendProcess({ DATA_DIR, SMTP_URL: `smtp://127.0.0.1:${port}` });
  await askForCode(server, 'ada@site.example');
  await asked.promise;
  expect(await server.terminate()).toBe(0);
  expect(server.log()).not.toContain('"level":50');
  const next = await startBackendProcess({ DATA_DIR });
  onTestFinished(() => next.kill());
  await expect.poll(() => next.log(), patience).toContain('a message was written to the outbox');
});

test('a terminal that closes stops the server in an orderly way', async () => {
  const server = await startBackendProcess({ DATA_DIR: join(folder, 'hang-up') });
  onTestFinished(() => server.kill());
  process.kill(server.pid, 'SIGHUP');
  await expect.poll(() => server.log(), patience).toContain('"msg":"stopped"');
});

test('an unavailable mail server is logged once, however many messages wait for it', async () => {
  let tries = 0;
  const away = createServer((socket) => {
    tries += 1;
    socket.end('421 away\r\n');
  });
  const { port, close } = await onLoopback(away);
  onTestFinished(close);
  const server = await startBackendProcess({
    DATA_DIR: join(folder, 'mail-away'),
    SMTP_URL: `smtp://127.0.0.1:${port}`,
  });
  onTestFinished(() => server.kill());
  for (const name of ['ada', 'bob', 'eve', 'zoe']) await askForCode(server, `${name}@site.example`);
  await expect.poll(() => tries, patience).toBeGreaterThanOrEqual(2);
  await server.terminate();
  expect(server.log().match(/The mail was not accepted[^\n]*they wait and are sent/g)).toHaveLength(1);
  expect(server.log()).not.toContain('a task failed');
});

test('an address that a mail server refuses is logged once, and not as an unavailable server', async () => {
  const tried: string[] = [];
  const mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      tried.push(address);
      done(new Error('no such mailbox'));
    },
  });
  const { port, close } = await onLoopback(mailServer.server);
  onTestFinished(close);
  const env = { DATA_DIR: join(folder, 'refused'), SMTP_URL: `smtp://127.0.0.1:${port}` };
  const server = await startBackendProcess(env);
  onTestFinished(() => server.kill());
  await askForCode(server, 'gone@site.example');
  await expect.poll(() => tried.length, patience).toBeGreaterThanOrEqual(2);
  await server.terminate();
  expect(server.log().match(/no such mailbox[^\n]*a task failed and will be retried/g)).toHaveLength(1);
  expect(server.log()).not.toContain('mails are');
});

test('faults in the settings of both servers are reported together, each once', () => {
  const faults = settingsFaults({ PUBLIC_URL: 'a', EDIT_URL: 'b', JOB_PLACES: 'c', GOOGLE_CLIENT_ID: 'd' });
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
    'PUBLIC_URL',
    'EDIT_URL',
    'JOB_PLACES',
    'GOOGLE_CLIENT_SECRET',
  ]);
});

test('a port that is set for both the site and the console backend is reported', () => {
  expect(settingsFaults({ PORT: '8111', LOG_LEVEL: 'loud' })).toEqual([
    expect.stringMatching(/^LOG_LEVEL must be one of /),
    expect.stringMatching(/^CONSOLE_PORT must not be 8111, /),
  ]);
  expect(settingsFaults({ PORT: '8111' })).toEqual([
    'CONSOLE_PORT must not be 8111, which is the PORT of the site: set one of them to another number.',
  ]);
});

/** The faults with which a server ends at once. */
function settingsFaults(settings: Record<string, string>): string[] {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../main.ts')], {
    env: { ...bareEnv(), ...settings },
    encoding: 'utf8',
    timeout: patience.timeout,
  });
  const [title, ...faults] = stderr.trimEnd().split('\n');
  expect([status, title]).toEqual([1, 'The settings are not usable:']);
  return faults.map((fault) => fault.trim());
}

test('a key other than the one the store was written with is reported, with what to do', async () => {
  const DATA_DIR = join(folder, 'key');
  const SECRET_KEY = 'the secret that the store was written with';
  const first = await startBackendProcess({ DATA_DIR, SECRET_KEY });
  expect((await fetch(first.url + calls.getPublicKey, { method: 'POST' })).status).toBe(200);
  await first.terminate();
  const other = startBackendProcess({ DATA_DIR, SECRET_KEY: 'another secret than the one of the store' });
  await expect(other).rejects.toThrow(
    'SECRET_KEY is not the key that the store was written with: set that one, or none ',
  );
  await expect(startBackendProcess({ DATA_DIR })).rejects.toThrow(
    `${DATA_DIR}/secret.key is not the key that the store was written with: copy it from a backup or from another server of this store, or set the SECRET_KEY that was set then.`,
  );
  // A key that a start created is readable by its owner only.
  expect(statSync(join(DATA_DIR, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(await (await startBackendProcess({ DATA_DIR, SECRET_KEY })).terminate()).toBe(0);
});

test('of two servers that begin a PostgreSQL store, each with a key of its own, one does not start', async () => {
  const DATABASE_URL = await createDatabase(inject('postgresUrl'));
  const starts = ['one-of-two', 'other-of-two'].map((name) =>
    startBackendProcess({ DATA_DIR: join(folder, name), DATABASE_URL }),
  );
  const ends = await Promise.allSettled(starts);
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  for (const end of ends) {
    if (end.status === 'fulfilled') await end.value.terminate();
    else
      expect(String(end.reason)).toContain('secret.key is not the key that the store was written with: copy it from');
  }
});

test('a server with another key leaves an older store as it is, so that the servers of that version go on', async () => {
  const DATABASE_URL = await createDatabase(inject('postgresUrl'));
  const older = join(folder, 'older-migrations');
  cpSync(migrations, older, { recursive: true });
  for (const name of readdirSync(older).slice(5)) rmSync(join(older, name));
  const database = openPostgres(DATABASE_URL, pino({ level: 'silent' }), patientStore);
  onTestFinished(() => database.close());
  await migrate(database, older);
  const key = openSecretKey('the secret of the servers that run already', folder, true).encrypt(
    'password key',
    'k',
    'x',
  );
  await database.run("INSERT INTO password_key VALUES ('k', '', $1, 0)", [key]);
  await expect(startBackendProcess({ DATA_DIR: join(folder, 'stranger'), DATABASE_URL })).rejects.toThrow(
    'secret.key is not the key that the store was written with',
  );
  const count = z.object({ n: z.number() });
  expect(await database.one(count, 'SELECT count(*) AS n FROM migration')).toEqual({ n: 5 });
});

test('an invalid invoice font is reported, with what to do', async () => {
  const font = join(import.meta.dirname, 'start.test.ts');
  const start = startBackendProcess({ DATA_DIR: join(folder, 'font'), INVOICE_FONT: font });
  await expect(start).rejects.toThrow(
    `INVOICE_FONT ${font} cannot be used for invoices (Unknown font format): name a TTF or OTF file.`,
  );
});

/** The error code of a call that needs the store; undefined if it succeeded. */
async function refusalOf(server: BackendProcess): Promise<string | undefined> {
  const answer = await fetch(server.url + calls.getPublicKey, { method: 'POST' });
  return z.object({ code: z.string().optional() }).parse(await answer.json()).code;
}

test.each([
  ['not a database', 'file is not a database', () => 'no database'],
  // Its first page, which opening reads, is intact.
  ['half overwritten', 'database disk image is malformed', (sound: Buffer) => Buffer.from(sound).fill(0xff, 4_096)],
])('a store that is %s is reported, with what to do, and used once it is restored', async (what, reason, damage) => {
  const DATA_DIR = join(folder, what);
  const file = join(DATA_DIR, 'console.sqlite');
  await (await startBackendProcess({ DATA_DIR })).terminate();
  const sound = readFileSync(file);
  writeFileSync(file, damage(sound));
  const server = await startBackendProcess({ DATA_DIR });
  onTestFinished(() => server.kill());
  expect(server.log()).toContain(
    `${file} is damaged (${reason}): stop the server and restore a backup with npm run restore.`,
  );
  expect((await fetch(`${server.url}/healthz`)).status).toBe(503);
  expect(await refusalOf(server)).toBe('STORE_SILENT');
  // The operator may remove it first to repair it: no empty store is created in its place.
  rmSync(file);
  const nextReason = async () => (await refusalOf(server)) && server.log();
  await expect.poll(nextReason, patience).toContain(`${file} is gone: restore a backup`);
  expect(existsSync(file)).toBe(false);
  writeFileSync(`${file}.part`, sound);
  renameSync(`${file}.part`, file);
  await expect.poll(() => refusalOf(server), patience).toBeUndefined();
  await expect.poll(() => server.log(), patience).toContain('the store is open');
  // Once for each of the two reasons.
  expect(server.log().match(/"msg":"the store cannot be opened/g)).toHaveLength(2);
});

test('a store damaged in another way is checked again, and the server does not mistake itself for another', async () => {
  const DATA_DIR = join(folder, 'damaged twice');
  const file = join(DATA_DIR, 'console.sqlite');
  await (await startBackendProcess({ DATA_DIR })).terminate();
  const sound = readFileSync(file);
  writeFileSync(file, 'no database');
  // With this much room for new objects, nothing is freed by chance.
  const room = '--min-semi-space-size=128 --max-semi-space-size=128';
  const server = await startBackendProcess({ DATA_DIR }, ['sh', '-c', `exec "$0" ${room} "$@"`]);
  onTestFinished(() => server.kill());
  expect(server.log()).toContain('console.sqlite is damaged (file is not a database)');
  writeFileSync(file, Buffer.from(sound).fill(0xff, 4_096));
  await expect.poll(server.log, patience).toMatch(/console\.sqlite is damaged \(database disk image|Another server/);
  expect(server.log()).not.toContain('Another server process');
});

test('a store without room is reported, and opened once there is room', async () => {
  const env = { DATA_DIR: join(folder, 'full'), SECRET_KEY: 'the secret of an installation without room' };
  const server = await startBackendProcess(env, ['prlimit', '--fsize=0:unlimited']);
  onTestFinished(() => server.kill());
  expect(server.log()).toMatch(/console\.sqlite accepts no writes \([^)]+\): check that its disk has room/);
  expect(await refusalOf(server)).toBe('STORE_SILENT');
  execFileSync('prlimit', ['--pid', String(server.pid), '--fsize=unlimited']);
  await expect.poll(() => refusalOf(server), patience).toBeUndefined();
});

test('a store without room answers no guess at a password, since it cannot count it', async () => {
  const server = await startBackendProcess({ DATA_DIR: join(folder, 'full-later'), ALLOW_PLAIN_PASSWORD: 'on' });
  onTestFinished(() => server.kill());
  const guess = async () => {
    const form = { account: 'ada@site.example', loginType: 'PASSWORD', password: 'a wrong password' };
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(server.url + calls.login, { method: 'POST', headers, body: JSON.stringify(form) });
    return z.object({ code: z.string() }).parse(await answer.json()).code;
  };
  expect(await guess()).toBe('BAD_CREDENTIALS');
  execFileSync('prlimit', ['--pid', String(server.pid), '--fsize=0:unlimited']);
  expect(await guess()).toBe('STORE_SILENT');
  execFileSync('prlimit', ['--pid', String(server.pid), '--fsize=unlimited']);
  await expect.poll(guess, patience).toBe('BAD_CREDENTIALS');
});

test('a database whose encoding lacks most letters is refused as a new store', async () => {
  const url = new URL(inject('postgresUrl'));
  const admin = new pg.Client(url.href);
  await admin.connect();
  await admin.query("CREATE DATABASE store_latin1 TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'");
  onTestFinished(async () => {
    await admin.query('DROP DATABASE store_latin1 WITH (FORCE)');
    await admin.end();
  });
  url.pathname = '/store_latin1';
  const start = startBackendProcess({ DATA_DIR: join(folder, 'latin1'), DATABASE_URL: url.href });
  await expect(start).rejects.toThrow('The database of DATABASE_URL has the encoding LATIN1, which lacks most letters');
});

const bouncer = '/usr/sbin/pgbouncer';
test.runIf(existsSync(bouncer)).each([
  ['transaction', 'gives each transaction a different session, as pgbouncer does with pool_mode=transaction'],
  ['session', 'does not pass on statement timeouts (unsupported startup parameter: statement_timeout)'],
])('a pooler in %s mode in front of the store is refused, with the reason', async (mode, reason) => {
  const address = new URL(await createDatabase(inject('postgresUrl')));
  const place = mkdtempSync(join(tmpdir(), 'millrace-pooler-'));
  chmodSync(place, 0o755);
  const [settings, users] = [join(place, 'settings'), join(place, 'users')];
  const port = await freePort();
  writeFileSync(users, '"postgres" ""');
  writeFileSync(
    settings,
    `[databases]\n* = host=${address.hostname} port=${address.port}\n[pgbouncer]\npool_mode = ${mode}
    listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = trust\nauth_file = ${users}`,
  );
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const pooler = spawn(bouncer, ['-q', ...user, settings], { stdio: 'ignore' });
  onTestFinished(async () => {
    pooler.kill('SIGKILL');
    rmSync(place, { recursive: true });
  });
  address.port = String(port);
  const isThere = async () => {
    const client = new pg.Client(address.href);
    await client.connect();
    await client.end();
  };
  await vi.waitFor(isThere, patience);
  const start = startBackendProcess({ DATA_DIR: join(folder, `pooled-${mode}`), DATABASE_URL: address.href });
  await expect(start).rejects.toThrow(`DATABASE_URL leads through a pooler that ${reason}`);
});

test('a PostgreSQL store of too old a release is refused, with the release it needs', async () => {
  const address = new URL(await createDatabase(inject('postgresUrl')));
  const place = { host: address.hostname, port: Number(address.port) };
  const client = new pg.Client(address.href);
  await client.connect();
  const { rows } = await client.query("SELECT current_setting('server_version_num')::int / 10000 AS major");
  await client.end();
  const written = new RegExp(`\\b${rows[0].major}(?=\\.|\\d{4}\\b)`, 'g');
  // Only the server's version is altered in transit, nothing else.
  const older = (data: Buffer) => Buffer.from(data.toString('latin1').replaceAll(written, '14'), 'latin1');
  const proxy = await onLoopback(
    createServer((client) => {
      const server = connect(place);
      client.pipe(server);
      server.on('data', (data) => client.write(older(data)));
      for (const socket of [client, server])
        socket.on('error', () => undefined).on('close', () => [client, server].map((one) => one.destroy()));
    }),
  );
  onTestFinished(() => proxy.close());
  address.port = String(proxy.port);
  const start = startBackendProcess({ DATA_DIR: join(folder, 'older'), DATABASE_URL: address.href });
  await expect(start).rejects.toThrow(/is PostgreSQL 14\.[^,]*, and the store needs 15 or later/);
});

test('a server stops once a newer version has changed its store', async () => {
  const DATABASE_URL = await createDatabase(inject('postgresUrl'));
  const server = await startBackendProcess({ DATA_DIR: join(folder, 'older'), DATABASE_URL });
  onTestFinished(() => server.kill());
  const newer = new pg.Client(DATABASE_URL);
  await newer.connect();
  await newer.query("INSERT INTO migration (name, hash, applied_at) VALUES ('9999-newer.sql', '', 0)");
  await newer.end();
  await expect.poll(() => server.log(), patience).toContain('"msg":"stopped"');
  expect(server.log()).toContain(
    'The database was last used by a newer version (it has 9999-newer.sql): start that version.',
  );
  expect(await server.terminate()).toBe(1);
});

test("a clock that differs from the database's is logged", async () => {
  const DATABASE_URL = await createDatabase(inject('postgresUrl'));
  const ahead = 'data:text/javascript,const { now } = Date; Date.now = () => now() + 360_000;';
  const clocks: [string, string, boolean][] = [
    ['right', '', false],
    ['ahead', `--import="${ahead}"`, true],
  ];
  for (const [name, NODE_OPTIONS, isTold] of clocks) {
    const server = await startBackendProcess({
      DATA_DIR: join(folder, name),
      SECRET_KEY: secret,
      DATABASE_URL,
      NODE_OPTIONS,
    });
    onTestFinished(() => server.kill());
    expect(/"secondsAhead":36\d,/.test(server.log())).toBe(isTold);
    expect(server.log().includes('the clock of this machine differs from that of the database')).toBe(isTold);
  }
});

test('a start fails if the PostgreSQL database does not exist', async () => {
  const url = new URL(inject('postgresUrl'));
  url.pathname = '/nowhere';
  const start = startBackendProcess({ DATA_DIR: join(folder, 'nowhere'), DATABASE_URL: url.href });
  await expect(start).rejects.toThrow(
    'The database of DATABASE_URL cannot be reached: database \\"nowhere\\" does not exist',
  );
});

test('a PostgreSQL server without TLS ends a start that asks for it, with what to do', async () => {
  const warnings = join(folder, 'warnings');
  const env = { DATA_DIR: join(folder, 'no-tls'), NODE_OPTIONS: `--redirect-warnings=${warnings}` };
  for (const mode of ['prefer', 'require', 'verify-ca']) {
    const DATABASE_URL = `${await createDatabase(inject('postgresUrl'))}?sslmode=${mode}`;
    await expect(startBackendProcess({ ...env, DATABASE_URL })).rejects.toThrow(
      'The server does not support SSL connections: turn on TLS there, or connect in plain text with sslmode=disable in DATABASE_URL.',
    );
  }
  // Those of the driver are for its developers.
  expect(existsSync(warnings)).toBe(false);
});

test('a data folder that the system does not allow ends the start', async () => {
  await expect(startBackendProcess({ DATA_DIR: '/proc/millrace/data' })).rejects.toThrow(
    "/proc/millrace/data/console.sqlite.lock cannot be opened or created (ENOENT: no such file or directory, mkdir '/proc/millrace')",
  );
});

test('a store that goes away is logged once, however often it is used, and again when it is back', async () => {
  const url = await createDatabase(inject('postgresUrl'));
  const name = new URL(url).pathname.slice(1);
  const admin = new pg.Client(inject('postgresUrl'));
  await admin.connect();
  onTestFinished(() => admin.end());
  const server = await startBackendProcess({ DATA_DIR: join(folder, 'goes-away'), DATABASE_URL: url });
  onTestFinished(() => server.kill());
  // Takes several connections.
  await Promise.all(Array.from({ length: 5 }, () => refusalOf(server)));
  await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
  // Waits until they have ended: one that has not still answers.
  const end = 'SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1';
  await admin.query(end, [name]);
  for (let turn = 0; turn < 3; turn += 1) {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(503);
    expect(await refusalOf(server)).toBe('STORE_SILENT');
  }
  await admin.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
  await expect.poll(() => refusalOf(server), patience).toBeUndefined();
  await expect.poll(() => server.log(), patience).toContain('the store answers again');
  expect(server.log()).toContain('"msg":"the store does not answer: calls get 503"');
  expect(server.log()).not.toMatch(/"level":50[^\n]*"route"/);
  expect(server.log()).not.toMatch(/(?:tasks|jobs) could not be looked up/);
  expect(server.log().match(/idle connections to the database were lost/g)).toHaveLength(1);
  // With it, a reader of the log could cancel the connection's queries.
  expect(server.log()).not.toContain('secretKey');
});

test('a temporarily read-only store, such as a standby, is logged as one fault until it accepts writes', async () => {
  const url = await createDatabase(inject('postgresUrl'));
  const name = new URL(url).pathname.slice(1);
  const admin = new pg.Client(inject('postgresUrl'));
  await admin.connect();
  onTestFinished(() => admin.end());
  const becomes = async (change: string) => {
    await admin.query(`ALTER DATABASE "${name}" ${change}`);
    // Waits until they have ended: one that has not still writes.
    await admin.query('SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1', [name]);
  };
  const server = await startBackendProcess({ DATA_DIR: join(folder, 'only-reads'), DATABASE_URL: url });
  onTestFinished(() => server.kill());
  await becomes('SET default_transaction_read_only = on');
  await expect.poll(() => server.log(), patience).toContain('in a read-only transaction');
  for (let turn = 0; turn < 5; turn += 1) {
    await askForCode(server, 'ada@site.example');
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  }
  expect(server.log()).not.toContain('the store answers again');
  await becomes('RESET default_transaction_read_only');
  await expect.poll(() => server.log(), patience).toContain('the store answers again');
});

test('a PostgreSQL store that accepts no connections is used once it does, and does not delay a stop', async () => {
  const url = await createDatabase(inject('postgresUrl'));
  const admin = new pg.Client(inject('postgresUrl'));
  await admin.connect();
  onTestFinished(() => admin.end());
  const allow = (may: boolean) =>
    admin.query(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" ALLOW_CONNECTIONS ${may}`);
  await allow(false);
  const env = { DATA_DIR: join(folder, 'away'), DATABASE_URL: url };
  const first = await startBackendProcess(env);
  expect(await refusalOf(first)).toBe('STORE_SILENT');
  expect(await first.terminate()).toBe(0);
  const second = await startBackendProcess(env);
  await allow(true);
  await expect.poll(() => refusalOf(second), patience).toBeUndefined();
  expect(await second.terminate()).toBe(0);
});
