import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logicalCluster, type PostgresServer, startPostgres } from '../../../testing/postgres.ts';
import { newJob, openSourceDatabase, type SourceDatabase, Told } from '../../../testing/postgres-source.ts';
import type { Position } from '../../position.ts';
import type { Table } from '../../table.ts';
import { SameServer } from './same-server.ts';
import { Sessions } from './sessions.ts';
import { openStream } from './stream.ts';

let server: PostgresServer;
let db: SourceDatabase;
let tables: Table[];
let from: Position;
const job = newJob();

beforeEach(async () => {
  server = await startPostgres({
    ...logicalCluster,
    settings: {
      ...logicalCluster.settings,
      fsync: 'on',
      max_slot_wal_keep_size: '1MB',
      max_wal_size: '32MB',
      wal_keep_size: '0',
    },
  });
  db = await openSourceDatabase(server.url);
  await db.sql('CREATE TABLE t (id int PRIMARY KEY, v text)');
  tables = await db.source.catalog(['public']);
  from = await db.source.reserve(job, tables);
});

afterEach(() => server.stop());

test('a server that was killed resumes the stream from the same position', async () => {
  const stream = await db.source.stream(job, from, tables);
  const told = new Told(stream);
  await db.sql('INSERT INTO t SELECT generate_series(1, 100)');
  const first = await told.until(await db.source.now());
  const position = first.flatMap((one) => (one.kind === 'commit' ? [one.position] : []))[0] ?? from;
  stream.acknowledge(position);
  const failure = told.failure();
  await server.killAndRestart();
  expect(await failure).toMatchObject({ code: 'CONNECTION_LOST' });
  const source = db.open();
  const again = new Told(await source.stream(job, position, tables));
  const user = new pg.Client({ connectionString: db.url });
  await user.connect();
  await user.query('INSERT INTO t VALUES (200)');
  await user.end();
  const rest = await again.until(await source.now());
  expect(rest.flatMap((one) => (one.kind === 'row' ? [one.after?.[0]] : []))).toEqual(['200']);
});

test('the source reports how much log it can still write before it invalidates a slot', async () => {
  const before = Number(await db.source.logRoom?.(job));
  await db.sql("INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series(1, 5000) i");
  const after = Number(await db.source.logRoom?.(job));
  expect(after).toBeLessThan(before);
  expect(before).toBeGreaterThan(0);
});

test('a stopping server is released although the target never caught up', async () => {
  const own = { signal: db.abort.signal, server: new SameServer() };
  const sessions = new Sessions(db.settings, { side: 'source', ...own });
  const patience = { silence: 300_000, pause: 500, stop: 500 };
  const { settings } = db;
  const stream = await openStream({ settings, own, sessions, job, from, tables, patience });
  const told = new Told(stream);
  await db.sql('INSERT INTO t VALUES (1)');
  await told.until(await db.source.now());
  const failure = told.failure();
  await db.source.close();
  // It waits for its readers, and forever for one that reports itself alive but lacks something.
  await server.stop();
  expect(await failure).toMatchObject({ code: 'SERVER_SHUTTING_DOWN' });
  server = await startPostgres();
});

test('a stopping server waits for a target that catches up', async () => {
  const stream = await db.source.stream(job, from, tables);
  const told = new Told(stream);
  await db.sql('INSERT INTO t VALUES (1)');
  await told.until(await db.source.now());
  await db.source.close();
  const stopped = server.stop();
  const failure = (async () => {
    try {
      for (;;) {
        const last = (await told.next())?.at(-1);
        if (last?.kind === 'alive' || last?.kind === 'commit') stream.acknowledge(last.position);
      }
    } catch (error) {
      return error;
    }
  })();
  await stopped;
  expect(await failure).toMatchObject({ code: 'SERVER_SHUTTING_DOWN' });
  server = await startPostgres();
});

test('a slot that lost its log is not read, and is recreated when it is reserved again', async () => {
  for (let round = 0; round < 8; round++) {
    await db.sql(`INSERT INTO t VALUES (${round})`);
    await db.sql('SELECT pg_switch_wal()');
  }
  await db.sql('CHECKPOINT');
  expect(await db.sql('SELECT wal_status FROM pg_replication_slots')).toEqual([['lost']]);
  await expect(db.source.stream(job, from, tables)).rejects.toMatchObject({
    code: 'SLOT_MISSING',
    place: { state: 'wal_removed' },
  });
  const again = await db.source.reserve(job, tables);
  expect(again.order > from.order).toBe(true);
  await (await db.source.stream(job, again, tables)).close();
});
