import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { startMutingProxy } from '../../../testing/muting-proxy.ts';
import { patience } from '../../../testing/patience.ts';
import { newJob, openSourceDatabase, type SourceDatabase, Told } from '../../../testing/postgres-source.ts';
import { type Change, type RowChange, UNCHANGED } from '../../change.ts';
import { EngineError } from '../../errors.ts';
import type { Position } from '../../position.ts';
import type { ChangeStream } from '../../source.ts';
import type { Table } from '../../table.ts';
import { SameServer } from './same-server.ts';
import { Sessions } from './sessions.ts';
import { openStream } from './stream.ts';

let db: SourceDatabase;
let job: string;

beforeEach(async () => {
  db = await openSourceDatabase(inject('postgresUrl'));
  job = newJob();
});

afterEach(() => db.close());

/** Follows every table of the database from now on. */
async function follow(): Promise<{ stream: ChangeStream; told: Told; from: Position; tables: Table[] }> {
  const tables = await db.source.catalog(['public']);
  const from = await db.source.reserve(job, tables);
  const stream = await db.source.stream(job, from, tables);
  return { stream, told: new Told(stream), from, tables };
}

function rowsOf(changes: readonly Change[]): RowChange[] {
  return changes.filter((change) => change.kind === 'row');
}

/** The operation, old row and new row of every row message. */
function told(changes: readonly Change[]): unknown[] {
  return rowsOf(changes).map(({ op, before, after }) => [op, before, after]);
}

describe('rows', () => {
  test('of several tables arrive in commit order, with transaction and time', async () => {
    await db.sql('CREATE TABLE a (id int PRIMARY KEY, v text); CREATE TABLE b (id int PRIMARY KEY, v text)');
    const { told: changes } = await follow();
    const begun = Date.now();
    await db.sql("BEGIN; INSERT INTO a VALUES (1, 'x'); INSERT INTO b VALUES (1, NULL); UPDATE a SET v = 'y'");
    const [[number] = []] = await db.sql('SELECT pg_current_xact_id()');
    await db.sql('COMMIT');
    await db.sql('DELETE FROM b');
    const all = await changes.until(await db.source.now());
    const kinds = all.filter(({ kind }) => kind !== 'alive').map((one) => (one.kind === 'row' ? one.op : one.kind));
    expect(kinds).toEqual(['begin', 'insert', 'insert', 'update', 'commit', 'begin', 'delete', 'commit']);
    expect(rowsOf(all).map(({ table }) => table.name)).toEqual(['a', 'b', 'a', 'b']);
    const [begin] = all.filter((one) => one.kind === 'begin');
    expect(begin?.transaction).toBe(number);
    expect(Math.abs((begin?.committedAt ?? 0) - begun)).toBeLessThan(600_000);
  });

  test('leave out what the log does not contain: unchanged TOAST and generated columns', async () => {
    await db.sql(`CREATE TABLE t (id int PRIMARY KEY, big text, n int, double int GENERATED ALWAYS AS (n * 2) STORED)`);
    await db.sql('ALTER TABLE t ALTER big SET STORAGE EXTERNAL');
    const { told: changes } = await follow();
    const big = 'é'.repeat(20_000);
    await db.sql('INSERT INTO t VALUES (1, $1, 1)', [big]);
    await db.sql('UPDATE t SET n = 2');
    await db.sql('UPDATE t SET id = 2');
    expect(told(await changes.until(await db.source.now()))).toEqual([
      ['insert', null, ['1', big, '1', UNCHANGED]],
      ['update', null, ['1', UNCHANGED, '2', UNCHANGED]],
      ['update', ['1', UNCHANGED, UNCHANGED, UNCHANGED], ['2', UNCHANGED, '2', UNCHANGED]],
    ]);
  });

  test('include whole old rows under replica identity FULL, which complete the new ones', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY, big text, n int); ALTER TABLE t REPLICA IDENTITY FULL');
    await db.sql('ALTER TABLE t ALTER big SET STORAGE EXTERNAL');
    const { told: changes } = await follow();
    const big = 'x'.repeat(20_000);
    await db.sql('INSERT INTO t VALUES (1, $1, 1)', [big]);
    await db.sql('UPDATE t SET n = 2; UPDATE t SET id = 2; DELETE FROM t');
    expect(told(await changes.until(await db.source.now()))).toEqual([
      ['insert', null, ['1', big, '1']],
      ['update', null, ['1', big, '2']],
      ['update', ['1', big, '2'], ['2', big, '2']],
      ['delete', ['2', big, '2'], null],
    ]);
  });

  test('have the key of the replica identity index, in the order of that index', async () => {
    await db.sql(`
      CREATE TABLE t (id int PRIMARY KEY, a text NOT NULL, b int NOT NULL, v text);
      CREATE UNIQUE INDEX t_ba ON t (b, a); ALTER TABLE t REPLICA IDENTITY USING INDEX t_ba`);
    const { told: changes, tables } = await follow();
    expect(tables[0]?.key).toEqual([2, 1]);
    await db.sql("INSERT INTO t VALUES (1, 'x', 7, 'v'); UPDATE t SET id = 2; UPDATE t SET a = 'y'; DELETE FROM t");
    expect(told(await changes.until(await db.source.now()))).toEqual([
      ['insert', null, ['1', 'x', '7', 'v']],
      ['update', null, ['2', 'x', '7', 'v']],
      ['update', [UNCHANGED, 'x', '7', UNCHANGED], ['2', 'y', '7', 'v']],
      ['delete', [UNCHANGED, 'y', '7', UNCHANGED], null],
    ]);
  });

  test('from an earlier table version have the key in its order', async () => {
    await db.sql('CREATE TABLE t (a int, b int, v text, PRIMARY KEY (b, a))');
    await db.sql('CREATE TABLE s (a int, b text, PRIMARY KEY (b, a))');
    const from = await db.source.reserve(job, await db.source.catalog(['public']));
    await db.sql('INSERT INTO t VALUES (1, 2); DELETE FROM t; ALTER TABLE t ADD COLUMN w int');
    await db.sql("INSERT INTO s VALUES (1, 'x'); ALTER TABLE s ALTER b TYPE uuid USING gen_random_uuid()");
    const stream = await db.source.stream(job, from, await db.source.catalog(['public']));
    const rows = rowsOf(await new Told(stream).until(await db.source.now()));
    expect(rows.map(({ op, table, before }) => [op, table.key, table.ordered, before])).toEqual([
      ['insert', [1, 0], true, null],
      ['delete', [1, 0], true, ['1', '2', UNCHANGED]],
      ['insert', [1, 0], false, null],
    ]);
    await stream.close();
  });

  test('of partitions arrive as rows of the root, whatever a partition logs', async () => {
    await db.sql(`
      CREATE TABLE t (id int, r int, v text, PRIMARY KEY (r, id)) PARTITION BY RANGE (r);
      CREATE TABLE t_1 PARTITION OF t FOR VALUES FROM (0) TO (10);
      CREATE TABLE t_2 (v text, r int NOT NULL, id int NOT NULL); ALTER TABLE t ATTACH PARTITION t_2 FOR VALUES FROM (10) TO (20);
      ALTER TABLE t_2 REPLICA IDENTITY FULL`);
    const { told: changes, tables } = await follow();
    expect(tables.map(({ name }) => name)).toEqual(['t']);
    await db.sql("INSERT INTO t VALUES (1, 1, 'a'), (2, 11, 'b')");
    await db.sql("UPDATE t SET v = 'c'; DELETE FROM t WHERE id = 2; UPDATE t SET r = 12; TRUNCATE t");
    const all = await changes.until(await db.source.now());
    expect(rowsOf(all).every(({ table }) => table === tables[0])).toBe(true);
    expect(told(all)).toEqual([
      ['insert', null, ['1', '1', 'a']],
      ['insert', null, ['2', '11', 'b']],
      ['update', null, ['1', '1', 'c']],
      ['update', null, ['2', '11', 'c']],
      ['delete', ['2', '11', UNCHANGED], null],
      ['delete', ['1', '1', UNCHANGED], null],
      ['insert', null, ['1', '12', 'c']],
    ]);
    expect(all.filter(({ kind }) => kind === 'truncate')).toHaveLength(1);
  });

  test('of partitions that log only their key are not completed, even if the root says FULL', async () => {
    await db.sql(`
      CREATE TABLE t (id int, v text, n int, PRIMARY KEY (id)) PARTITION BY RANGE (id);
      ALTER TABLE t ALTER v SET STORAGE EXTERNAL; CREATE TABLE t_1 PARTITION OF t DEFAULT;
      ALTER TABLE t REPLICA IDENTITY FULL; ALTER TABLE t_1 REPLICA IDENTITY DEFAULT`);
    const { told: changes } = await follow();
    const big = 'x'.repeat(20_000);
    await db.sql('INSERT INTO t VALUES (1, $1, 1)', [big]);
    await db.sql('UPDATE t SET n = 2; UPDATE t SET id = 2; DELETE FROM t');
    const all = rowsOf(await changes.until(await db.source.now()));
    expect(all.map(({ op, before, after }) => [op, before?.[0], after])).toEqual([
      ['insert', undefined, ['1', big, '1']],
      ['update', undefined, ['1', UNCHANGED, '2']],
      ['update', '1', ['2', UNCHANGED, '2']],
      ['delete', '2', null],
    ]);
  });

  test('with a key in TOAST keep the key', async () => {
    await db.sql('CREATE TABLE t (id text PRIMARY KEY, v int); ALTER TABLE t ALTER id SET STORAGE EXTERNAL');
    const { told: changes } = await follow();
    const id = 'k'.repeat(2_300);
    await db.sql('INSERT INTO t VALUES ($1, 1)', [id]);
    await db.sql('UPDATE t SET v = 2');
    expect(told(await changes.until(await db.source.now()))).toEqual([
      ['insert', null, [id, '1']],
      ['update', null, [id, '2']],
    ]);
  });

  test('are not affected by origins, messages and types in the log', async () => {
    await db.sql("CREATE TYPE mood AS ENUM ('a'); CREATE TABLE t (id int PRIMARY KEY, m mood)");
    const { told: changes } = await follow();
    const origin = `origin_${job}`;
    await db.sql('SELECT pg_replication_origin_create($1)', [origin]);
    await db.sql('SELECT pg_replication_origin_session_setup($1)', [origin]);
    await db.sql(`BEGIN; SELECT pg_logical_emit_message(true, 'x', 'y'); INSERT INTO t VALUES (1, 'a'); COMMIT`);
    await db.sql('SELECT pg_replication_origin_session_reset()');
    await db.sql('SELECT pg_replication_origin_drop($1)', [origin]);
    expect(told(await changes.until(await db.source.now()))).toEqual([['insert', null, ['1', 'a']]]);
  });
});

test('a truncate of several tables is one change in its place', async () => {
  await db.sql(
    'CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY REFERENCES a); CREATE TABLE c (id int PRIMARY KEY)',
  );
  const { told: changes } = await follow();
  await db.sql('BEGIN; INSERT INTO c VALUES (1); TRUNCATE a, b, c; INSERT INTO c VALUES (2); COMMIT');
  const all = (await changes.until(await db.source.now())).filter(({ kind }) => kind !== 'alive');
  expect(all.map(({ kind }) => kind)).toEqual(['begin', 'row', 'truncate', 'row', 'commit']);
  const [truncate] = all.filter((one) => one.kind === 'truncate');
  expect(truncate?.tables.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c']);
});

test('an altered table is reported before its next row', async () => {
  await db.sql('CREATE TABLE t (id int PRIMARY KEY, v text); CREATE TABLE u (id int PRIMARY KEY, v text)');
  const { told: changes, tables } = await follow();
  await db.sql("INSERT INTO t VALUES (1, 'a'); INSERT INTO u VALUES (1, 'a')");
  await db.sql('ALTER TABLE t ADD w numeric(5,1) DEFAULT 7; CREATE INDEX ON u (v)');
  await db.sql("INSERT INTO t VALUES (2, 'b'); INSERT INTO u VALUES (2, 'b')");
  const all = await changes.until(await db.source.now());
  const schemas = all.filter((one) => one.kind === 'schema');
  expect(schemas.map(({ table }) => table.columns.map(({ name, type }) => `${name} ${type}`))).toEqual([
    ['id integer', 'v text', 'w numeric(5,1)'],
  ]);
  const [first, , second, other] = rowsOf(all);
  expect(first?.table).toBe(tables[0]);
  expect(second?.table).toBe(schemas[0]?.table);
  expect(second?.after).toEqual(['2', 'b', '7.0']);
  expect(other?.table).toBe(tables[1]);
});

test('rows from before an alteration arrive with the columns of that time', async () => {
  await db.sql('CREATE TABLE t (id int PRIMARY KEY, v text, gone int)');
  const { stream, told: changes, from } = await follow();
  await changes.until(await db.source.now());
  await stream.close();
  await db.sql("INSERT INTO t VALUES (1, 'a', 3); ALTER TABLE t DROP gone; INSERT INTO t VALUES (2, 'b')");
  const now = await db.source.catalog(['public']);
  const again = new Told(await db.source.stream(job, from, now));
  const all = await again.until(await db.source.now());
  expect(all.filter((one) => one.kind === 'schema').map(({ table }) => table.columns.length)).toEqual([3, 2]);
  expect(told(all)).toEqual([
    ['insert', null, ['1', 'a', '3']],
    ['insert', null, ['2', 'b']],
  ]);
});

describe('positions', () => {
  test('of every commit replay the rest, and nothing else', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY, v text)');
    const { stream, told: changes, from, tables } = await follow();
    for (let id = 0; id < 8; id++)
      await db.sql(
        `BEGIN; INSERT INTO t VALUES (${id}, 'a'); SAVEPOINT s; UPDATE t SET v = 'b' WHERE id = ${id}; COMMIT`,
      );
    const end = await db.source.now();
    const all = await changes.until(end);
    await stream.close();
    const commits = all.filter((one) => one.kind === 'commit').map(({ position }) => position);
    expect(commits).toHaveLength(8);
    for (const [number, position] of [from, ...commits].entries()) {
      const again = await db.source.stream(job, position, tables);
      // A transaction after the end shows that nothing was left out.
      await db.sql(`INSERT INTO t VALUES (${100 + number}, 'end')`);
      const rest = await new Told(again).until(await db.source.now());
      const ids = new Set(rowsOf(rest).map(({ after }) => Number(after?.[0])));
      expect([...ids].filter((id) => id < 100)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].slice(number));
      await again.close();
    }
  });

  test('are discarded by the source only once they are acknowledged', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
    const { stream, told: changes, from } = await follow();
    await db.sql('INSERT INTO t VALUES (1)');
    await db.sql('INSERT INTO t VALUES (2)');
    const all = await changes.until(await db.source.now());
    const commits = all.filter((one) => one.kind === 'commit').map(({ position }) => position);
    await stream.close();
    expect(await confirmed()).toBe(from.resume);
    const [first] = commits;
    if (!first) throw new Error('There was no commit.');
    const tables = await db.source.catalog(['public']);
    do {
      const again = await db.source.stream(job, from, tables);
      await new Told(again).until(first);
      again.acknowledge(first);
      expect(() => again.acknowledge({ order: 'f', resume: 'FFFFFFFF/0' })).toThrow(EngineError);
      await again.close();
      // A server that is slow to end the stream is left, perhaps before it has taken in the acknowledgement.
    } while ((await db.source.reserve(job, tables)).resume === from.resume);
    expect(await confirmed()).toBe(first.resume);
    await expect(db.source.stream(job, from, tables)).rejects.toMatchObject({ code: 'SLOT_AHEAD' });
    await expect(db.source.stream(job, { order: 'f', resume: 'FFFFFFF/0' }, tables)).rejects.toMatchObject({
      code: 'SOURCE_WENT_BACK',
    });
  });

  test('of an idle database advance with the log, and are acknowledged', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE other (id int)');
    const tables = (await db.source.catalog(['public'])).filter(({ name }) => name === 't');
    const stream = await db.source.stream(job, await db.source.reserve(job, tables), tables);
    const changes = new Told(stream);
    await db.sql('INSERT INTO other SELECT generate_series(1, 1000)');
    const now = await db.source.now();
    const all = await changes.until(now);
    expect(all.map(({ kind }) => kind)).not.toContain('row');
    const last = all.at(-1);
    if (last?.kind !== 'alive') throw new Error('An idle stream ends with a keep-alive.');
    stream.acknowledge(last.position);
    await expect.poll(confirmed).toBe(last.position.resume);
    await stream.close();
  });

  test('within a transaction are never reported', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY, v text)');
    const { told: changes } = await follow();
    await db.sql("INSERT INTO t SELECT n, repeat('x', 500) FROM generate_series(1, 20000) AS n");
    const all = await changes.until(await db.source.now());
    const begin = all.findIndex(({ kind }) => kind === 'begin');
    const commit = all.findIndex(({ kind }) => kind === 'commit');
    expect(all.slice(begin + 1, commit).every(({ kind }) => kind === 'row')).toBe(true);
    expect(commit - begin).toBe(20_001);
  });
});

async function confirmed(): Promise<string | null | undefined> {
  return (
    await db.sql('SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = $1', [`millrace_${job}`])
  )[0]?.[0];
}

describe('a reader that pauses', () => {
  test('holds little in memory, and is not cut off by a short server timeout', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY, v text)');
    const role = await db.role('SUPERUSER');
    await db.sql(`ALTER ROLE ${role} SET wal_sender_timeout = '20s'`);
    const tables = await db.source.catalog(['public']);
    const from = await db.source.reserve(job, tables);
    const settings = { ...db.settings, user: role };
    const own = { signal: db.abort.signal, server: new SameServer() };
    const sessions = new Sessions(settings, { side: 'source', ...own });
    const waits = { silence: 300_000, pause: patience.timeout, stop: 20_000 };
    const stream = await openStream({ settings, own, sessions, job, from, tables, patience: waits });
    await db.sql("INSERT INTO t SELECT n, repeat('x', 1000) FROM generate_series(1, 60000) AS n");
    const changes = new Told(stream);
    await changes.next();
    const before = process.memoryUsage.rss();
    // The server must hear from us all the while: for longer than its timeout.
    const heard = `SELECT reply_time - backend_start > '25s' FROM pg_stat_replication WHERE application_name = $1`;
    await expect.poll(() => db.sql(heard, [`millrace ${job}`])).toEqual([['t']]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(55 * 2 ** 20);
    await changes.until(await db.source.now());
    const begin = changes.changes.findIndex(({ kind }) => kind === 'begin');
    const commit = changes.changes.findIndex(({ kind }) => kind === 'commit');
    // What the server reported in between is not a position.
    expect(commit - begin).toBe(60_001);
    expect(rowsOf(changes.changes)).toHaveLength(60_000);
    await stream.close();
    await sessions.close();
  });

  test('for too long releases the server, and gets the rest from where it stopped', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY, v text)');
    const tables = await db.source.catalog(['public']);
    const abort = new AbortController();
    const own = { signal: abort.signal, server: new SameServer() };
    const sessions = new Sessions(db.settings, { side: 'source', ...own });
    const from = await db.source.reserve(job, tables);
    const { settings } = db;
    const waits = { silence: 300_000, pause: 50, stop: 50 };
    const stream = await openStream({ settings, own, sessions, job, from, tables, patience: waits });
    await db.sql("INSERT INTO t SELECT n, repeat('x', 1000) FROM generate_series(1, 30000) AS n");
    const changes = new Told(stream);
    while (rowsOf(changes.changes).length === 0) await changes.next();
    const active = 'SELECT active FROM pg_replication_slots WHERE slot_name = $1';
    while ((await db.sql(active, [`millrace_${job}`]))[0]?.[0] === 't');
    await changes.until(await db.source.now());
    const kinds = changes.changes.filter(({ kind }) => kind === 'begin' || kind === 'commit').map(({ kind }) => kind);
    expect(kinds).toEqual(['begin', 'commit']);
    const ids = rowsOf(changes.changes).map(({ after }) => Number(after?.[0]));
    expect(ids).toEqual(Array.from({ length: 30_000 }, (_, place) => place + 1));
    await stream.close();
    await sessions.close();
  });
});

describe('a server that keeps its connection open but falls silent', () => {
  const silence = 600_000;

  /** A stream through a proxy that can stop forwarding what the server sends; the test's clock ends its waits. */
  async function followMutable() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await db.sql('CREATE TABLE t (id int PRIMARY KEY, v text)');
    const tables = await db.source.catalog(['public']);
    const from = await db.source.reserve(job, tables);
    const proxy = await startMutingProxy(db.settings);
    const settings = { ...db.settings, port: proxy.port };
    const own = { signal: db.abort.signal, server: new SameServer() };
    const sessions = new Sessions(db.settings, { side: 'source', ...own });
    const waits = { silence, pause: 10 * silence, stop: 60_000 };
    const stream = await openStream({ settings, own, sessions, job, from, tables, patience: waits });
    const close = async () => {
      await stream.close();
      await sessions.close();
      await proxy.close();
    };
    return { told: new Told(stream), proxy, close };
  }

  test('ends the stream', async () => {
    const { told: changes, proxy, close } = await followMutable();
    await db.sql('INSERT INTO t VALUES (1)');
    await changes.until(await db.source.now());
    proxy.mute();
    const failure = changes.failure();
    vi.advanceTimersByTime(silence);
    expect(await failure).toMatchObject({ code: 'CONNECTION_TIMED_OUT', place: { side: 'source' } });
    await close();
  });

  test('is not mistaken for one that a reader holds back', async () => {
    const { told: changes, close } = await followMutable();
    const timers = vi.getTimerCount();
    await db.sql("INSERT INTO t SELECT n, repeat('x', 1000) FROM generate_series(1, 30000) AS n");
    await changes.next();
    // One more waits for the reader since it was held back.
    await expect.poll(() => vi.getTimerCount()).toBe(timers + 1);
    vi.advanceTimersByTime(2 * silence);
    await changes.until(await db.source.now());
    expect(rowsOf(changes.changes)).toHaveLength(30_000);
    await close();
  });
});

describe('the end of a stream', () => {
  test('by abort leaves no wait and no session', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
    const { told: changes } = await follow();
    await changes.until(await db.source.now());
    const failure = changes.failure();
    db.abort.abort();
    expect(await failure).toMatchObject({ code: 'CONNECTION_LOST' });
    await expect(db.source.now()).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    const sessions =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'millrace%'";
    while ((await db.sql(sessions)).length > 0);
  });

  test('by the server is an error with its code', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
    const end = 'SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1';
    let error: unknown;
    // A server that leaves our last message unread resets the connection, and what it said may be lost.
    do {
      const { told: changes } = await follow();
      await changes.until(await db.source.now());
      const failure = changes.failure();
      await db.sql(end, [`millrace_${job}`]);
      error = await failure;
    } while (error instanceof EngineError && error.code === 'CONNECTION_LOST');
    expect(error).toMatchObject({ code: 'SESSION_ENDED', place: { state: '57P01' } });
  });

  test('by the end of iteration closes the connection', async () => {
    await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
    const { stream } = await follow();
    await db.sql('INSERT INTO t VALUES (1)');
    for await (const changes of stream) if (rowsOf(changes).length > 0) break;
    const active = 'SELECT active FROM pg_replication_slots WHERE slot_name = $1';
    await expect.poll(() => db.sql(active, [`millrace_${job}`])).toEqual([['f']]);
  });
});

test('a session that a killed process left behind is ended, and no other', async () => {
  await db.sql('CREATE TABLE t (id int PRIMARY KEY)');
  const { told: changes, from, tables } = await follow();
  await changes.until(await db.source.now());
  const second = await db.source.stream(job, from, tables);
  await expect(changes.until({ order: 'f', resume: '' })).rejects.toMatchObject({
    // A server that leaves our last message unread resets the connection, and what it said may be lost.
    code: expect.stringMatching(/^(SESSION_ENDED|CONNECTION_LOST)$/),
  });
  await second.close();
});
