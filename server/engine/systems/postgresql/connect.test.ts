import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { startMutingProxy } from '../../../testing/muting-proxy.ts';
import { type PostgresServer, startPostgres } from '../../../testing/postgres.ts';
import { openSourceDatabase, type SourceDatabase, settingsOf } from '../../../testing/postgres-source.ts';
import type { PostgresSettings } from './card.ts';
import { connect, type SessionOptions } from './connect.ts';
import { engineError } from './errors.ts';
import { Sessions } from './sessions.ts';

const options: SessionOptions = { side: 'source', signal: new AbortController().signal };

describe('TLS', () => {
  let server: PostgresServer;
  let folder: string;
  let settings: PostgresSettings;
  let ca: string;
  let certificate: Record<string, Buffer>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-tls-'));
    const path = (name: string) => join(folder, name);
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
    const key = ['-newkey', 'rsa:2048', '-nodes', '-sha256'];
    openssl(
      'req',
      '-x509',
      ...key,
      '-days',
      '2',
      '-subj',
      '/CN=Test CA',
      '-keyout',
      path('ca.key'),
      '-out',
      path('ca.pem'),
    );
    openssl(
      'req',
      ...key,
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      path('own.key'),
      '-out',
      path('own.csr'),
    );
    openssl(
      'x509',
      '-req',
      '-in',
      path('own.csr'),
      '-CA',
      path('ca.pem'),
      '-CAkey',
      path('ca.key'),
      '-CAcreateserial',
      '-days',
      '2',
      '-copy_extensions',
      'copy',
      '-out',
      path('own.pem'),
    );
    ca = readFileSync(path('ca.pem'), 'utf8');
    certificate = { 'server.key': readFileSync(path('own.key')), 'server.crt': readFileSync(path('own.pem')) };
    server = await startPostgres({ files: certificate, settings: { ssl: 'on' } });
    settings = settingsOf(server.url);
  });

  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  async function isEncrypted(changes: Partial<PostgresSettings>): Promise<unknown> {
    const session = await connect({ ...settings, ...changes }, options);
    const { rows } = await session.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    await session.end();
    return rows[0];
  }

  test('disable, require, verify-ca and verify-full connect where they should', async () => {
    expect(await isEncrypted({ tls: 'disable' })).toEqual({ ssl: 'f' });
    expect(await isEncrypted({ tls: 'require' })).toEqual({ ssl: 't' });
    expect(await isEncrypted({ tls: 'verify-ca', ca })).toEqual({ ssl: 't' });
    expect(await isEncrypted({ tls: 'verify-full', ca, host: 'localhost' })).toEqual({ ssl: 't' });
  });

  test('an unknown authority and a certificate for another host are refused', async () => {
    const code = 'CERTIFICATE_REFUSED';
    const unknown = { code, place: { state: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' } };
    await expect(isEncrypted({ tls: 'verify-ca' })).rejects.toMatchObject(unknown);
    await expect(isEncrypted({ tls: 'verify-full', host: 'localhost' })).rejects.toMatchObject(unknown);
    await expect(isEncrypted({ tls: 'verify-full', ca })).rejects.toMatchObject({
      code,
      place: { state: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
  });

  test('every mode that requires TLS refuses a server without it', async () => {
    const plain = settingsOf(inject('postgresUrl'));
    for (const tls of ['require', 'verify-ca', 'verify-full'] as const)
      await expect(connect({ ...plain, tls }, options)).rejects.toMatchObject({ code: 'TLS_NOT_OFFERED' });
  });

  /** Settings for a port at which something else answers. @param reply to the first packet */
  async function atOther(greeting: string | undefined, reply: string | undefined): Promise<PostgresSettings> {
    const other = createServer((socket) => {
      socket.on('error', () => undefined);
      if (greeting) socket.write(greeting);
      socket.once('data', () => reply && socket.end(reply));
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    return { ...settingsOf(inject('postgresUrl')), port: typeof address === 'object' && address ? address.port : 0 };
  }

  test.each([
    ['SSH, which speaks first', 'SSH-2.0-OpenSSH_9.2\r\n', undefined],
    ['HTTP', undefined, 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'],
  ])('a port at which another service answers is named as such: %s', async (_service, greeting, reply) => {
    const settings = await atOther(greeting, reply);
    for (const tls of ['require', 'verify-full'] as const)
      await expect(connect({ ...settings, tls }, options)).rejects.toMatchObject({ code: 'NOT_POSTGRESQL' });
  });

  test('a server that cannot start a process is tried again', async () => {
    const settings = await atOther(undefined, 'Ecould not fork new process for connection: Cannot allocate memory\n\0');
    await expect(connect({ ...settings, tls: 'require' }, options)).rejects.toMatchObject({
      code: 'SERVER_FAULT',
      retry: 'timed',
    });
  });

  test('outdated TLS versions and missing required TLS are distinguished', async () => {
    const rules = 'host all postgres 127.0.0.1/32 trust\nhostssl all all 127.0.0.1/32 trust\n';
    const old = await startPostgres({
      files: { ...certificate, 'pg_hba.conf': Buffer.from(rules) },
      settings: { ssl: 'on', ssl_min_protocol_version: 'TLSv1', ssl_max_protocol_version: 'TLSv1.1' },
    });
    onTestFinished(() => old.stop());
    const plain = { ...settingsOf(old.url), user: 'guest' };
    await expect(connect(plain, options)).rejects.toMatchObject({
      code: 'SIGN_IN_NOT_ALLOWED',
      place: { state: '28000' },
    });
    await expect(connect({ ...plain, tls: 'require' }, options)).rejects.toMatchObject({ code: 'TLS_FAILED' });
  });
});

describe('a server that cannot be reached', () => {
  const settings = settingsOf('postgres://someone:secret@127.0.0.1:1/x');

  test('is reported with the cause', async () => {
    await expect(connect(settings, options)).rejects.toMatchObject({
      code: 'CONNECTION_REFUSED',
      place: { state: 'ECONNREFUSED' },
    });
    await expect(connect({ ...settings, host: 'no.such.host.invalid' }, options)).rejects.toMatchObject({
      code: 'HOST_NOT_FOUND',
    });
    const own = settingsOf(inject('postgresUrl'));
    await expect(connect({ ...own, database: 'no_such' }, options)).rejects.toMatchObject({
      code: 'DATABASE_NOT_FOUND',
    });
    await expect(connect({ ...own, user: 'no_such' }, options)).rejects.toMatchObject({
      code: 'SIGN_IN_NOT_ALLOWED',
    });
  });

  test('because it says nothing is given up on abort', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    if (typeof address !== 'object' || !address) throw new Error('The system gave no port.');
    const abort = new AbortController();
    const connecting = connect({ ...settings, port: address.port }, { side: 'source', signal: abort.signal });
    const [socket] = await once(silent, 'connection');
    abort.abort();
    await expect(connecting).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    socket.destroy();
    silent.close();
    await expect(connect(settings, { side: 'source', signal: abort.signal })).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
    });
  });
});

test('a pooler that drops session settings is recognised', async () => {
  const { host, port } = settingsOf(inject('postgresUrl'));
  // Forwards everything except the options in the first packet, as a pooler with ignore_startup_parameters does.
  const pooler = createServer((client) => {
    const server = createConnection(port, host);
    client.once('data', (first: Buffer) => {
      server.write(withoutOptions(first));
      client.pipe(server);
      server.pipe(client);
    });
    for (const socket of [client, server]) socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const address = pooler.address();
  if (typeof address !== 'object' || !address) throw new Error('The system gave no port.');
  const settings = { ...settingsOf(inject('postgresUrl')), port: address.port };
  await expect(connect(settings, { ...options, side: 'target' })).rejects.toMatchObject({
    code: 'BEHIND_A_POOLER',
    // A target replicates nothing.
    message: expect.not.stringContaining('replication'),
  });
  pooler.close();
});

function withoutOptions(packet: Buffer): Buffer {
  const text = packet.toString('latin1');
  const start = text.indexOf('options\0');
  const end = text.indexOf('\0', start + 'options\0'.length) + 1;
  const kept = Buffer.from(text.slice(0, start) + text.slice(end), 'latin1');
  kept.writeUInt32BE(kept.length, 0);
  return kept;
}

describe('a server error', () => {
  const marker = 'MARKER_4711';
  let db: SourceDatabase;

  beforeEach(async () => {
    db = await openSourceDatabase(inject('postgresUrl'));
    await db.sql(`
      CREATE TABLE public.t (id text PRIMARY KEY, n int CHECK (n > 0), v varchar(3), d date, u text UNIQUE, f text REFERENCES public.t, j json);
      INSERT INTO public.t (id, u) VALUES ('${marker}', '${marker}')`);
  });

  afterEach(() => db.close());

  test.each([
    [`INSERT INTO public.t (id) VALUES ('MARKER_4711')`, 'UNIQUE_REFUSED', '23505'],
    [`INSERT INTO public.t (id, n) VALUES ('MARKER_4711 b', -1)`, 'CONSTRAINT_REFUSED', '23514'],
    [`INSERT INTO public.t (id) VALUES (NULL), ('MARKER_4711')`, 'CONSTRAINT_REFUSED', '23502'],
    [`INSERT INTO public.t (id, f) VALUES ('x', 'MARKER_4711 b')`, 'CONSTRAINT_REFUSED', '23503'],
    [`INSERT INTO public.t (id, v) VALUES ('x', 'MARKER_4711')`, 'VALUE_REFUSED', '22001'],
    [`INSERT INTO public.t (id, d) VALUES ('x', 'MARKER_4711')`, 'VALUE_REFUSED', '22007'],
    [`INSERT INTO public.t (id, j) VALUES ('x', '{"MARKER_4711')`, 'VALUE_REFUSED', '22P02'],
    [`SELECT 'MARKER_4711'::int`, 'VALUE_REFUSED', '22P02'],
    [`SELECT 1 / 0 AS "MARKER_4711"`, 'VALUE_REFUSED', '22012'],
    [
      `DO $$ BEGIN RAISE EXCEPTION 'MARKER_4711' USING DETAIL = 'MARKER_4711', HINT = 'MARKER_4711'; END $$`,
      'UNEXPECTED',
      'P0001',
    ],
    [`SELECT * FROM public.nothing WHERE x = 'MARKER_4711'`, 'TABLE_MISSING', '42P01'],
    [`SELECT nothing FROM public.t WHERE id = 'MARKER_4711'`, 'COLUMN_MISSING', '42703'],
    [`SELECT convert_from('\\xff', 'UTF8') || 'MARKER_4711'`, 'ENCODING_REFUSED', '22021'],
    [`SELECT 'MARKER_4711' FROM public.t FOR`, 'UNEXPECTED', '42601'],
  ])('from %s contains no value', async (statement, code, state) => {
    const sessions = new Sessions(db.settings, { ...options });
    const error = await sessions.use((session) => session.query(statement)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, place: { state } });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(marker);
    expect(JSON.stringify(error)).not.toContain(marker);
    await sessions.close();
  });

  test('about a wrong password does not contain it', async () => {
    const error = await connect({ ...db.settings, user: 'no_such', password: marker }, options).catch(
      (reason: unknown) => reason,
    );
    expect(inspect(engineError(error), { depth: 10, showHidden: true })).not.toContain(marker);
  });
});

test('a refused walsender connection names the setting that limits it', async () => {
  const server = await startPostgres({ settings: { wal_level: 'logical', max_wal_senders: '1' } });
  onTestFinished(() => server.stop());
  const own = settingsOf(server.url);
  const first = await connect(own, { ...options, replication: true });
  await expect(connect(own, { ...options, replication: true })).rejects.toMatchObject({
    code: 'TOO_MANY_CONNECTIONS',
    place: { subject: 'max_wal_senders' },
  });
  await first.end();
});

test('a cancelled or timed-out statement is reported as cancelled by the server', async () => {
  const db = await openSourceDatabase(inject('postgresUrl'));
  onTestFinished(() => db.close());
  const told = { code: 'STATEMENT_CANCELLED', retry: 'timed' };
  const sessions = new Sessions(db.settings, options);
  const cancelled = expect(sessions.use((session) => session.query('SELECT pg_sleep(600)'))).rejects.toMatchObject(
    told,
  );
  const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE '%pg_sleep(600)' AND pid <> pg_backend_pid()`;
  while ((await db.sql(cancel)).length === 0);
  await cancelled;
  await sessions.close();
  const hurried = new Sessions(db.settings, { ...options, statementTimeout: 100 });
  await expect(hurried.use((session) => session.query('SELECT pg_sleep(600)'))).rejects.toMatchObject(told);
  await hurried.close();
});

test('a statement without room for its files names the setting that limits them', async () => {
  const db = await openSourceDatabase(inject('postgresUrl'));
  onTestFinished(() => db.close());
  await db.sql(`ALTER DATABASE ${db.settings.database} SET temp_file_limit = '64kB'`);
  const sessions = new Sessions(db.settings, options);
  const sorted = 'SELECT i FROM generate_series(1, 1000000) AS i ORDER BY i DESC';
  await expect(sessions.use((session) => session.query(sorted))).rejects.toMatchObject({
    code: 'TEMP_FILE_LIMIT',
    place: { subject: 'temp_file_limit' },
  });
  await sessions.close();
});

test('session settings of a database alter no value and end no statement', async () => {
  const db = await openSourceDatabase(inject('postgresUrl'));
  onTestFinished(() => db.close());
  const name = new URL(db.url).pathname.slice(1);
  const [known] = await db.sql("SELECT FROM pg_settings WHERE name = 'transaction_timeout'");
  await db.sql(`ALTER DATABASE ${name} SET array_nulls = off`);
  if (known) await db.sql(`ALTER DATABASE ${name} SET transaction_timeout = '1min'`);
  for (const replication of [false, true]) {
    const session = await connect(db.settings, { ...options, replication });
    const ask = async (setting: string) => (await session.query(`SHOW ${setting}`)).rows;
    expect(await ask('array_nulls')).toEqual([expect.objectContaining({ array_nulls: 'on' })]);
    if (known)
      expect(await ask('transaction_timeout')).toEqual([expect.objectContaining({ transaction_timeout: '0' })]);
    await session.end();
  }
});

test('a server that answers no statement, not even with a timeout, is abandoned', async () => {
  const own = settingsOf(inject('postgresUrl'));
  const proxy = await startMutingProxy(own);
  const statementTimeout = 600_000;
  const sessions = new Sessions({ ...own, port: proxy.port }, { ...options, side: 'target', statementTimeout });
  await sessions.use((session) => session.query('SELECT 1'));
  proxy.mute();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = expect(sessions.use((session) => session.query('SELECT 1'))).rejects.toMatchObject({
    code: 'CONNECTION_TIMED_OUT',
    place: { side: 'target' },
  });
  await vi.advanceTimersByTimeAsync(2 * statementTimeout);
  await asked;
  await sessions.close();
  await proxy.close();
});
