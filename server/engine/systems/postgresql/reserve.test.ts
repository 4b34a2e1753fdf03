import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { findPostgres, logicalCluster, startPostgres } from '../../../testing/postgres.ts';
import { newJob, openSourceDatabase, type SourceDatabase, Told } from '../../../testing/postgres-source.ts';
import { TestDatabase } from '../../../testing/rig/database.ts';
import { startWire } from '../../../testing/rig/wire.ts';
import { EngineError } from '../../errors.ts';
import type { Table } from '../../table.ts';

let db: SourceDatabase;
let job: string;

beforeEach(async () => {
  db = await openSourceDatabase(inject('postgresUrl'));
  job = newJob();
  await db.sql('CREATE TABLE a (id int PRIMARY KEY, v text); CREATE TABLE b (id int PRIMARY KEY, v text)');
});

afterEach(() => db.close());

function tables(): Promise<Table[]> {
  return db.source.catalog(['public']);
}

/** The database's slots, publications and published tables. */
async function left(): Promise<unknown> {
  const rows = await db.sql(`
    SELECT slot_name FROM pg_replication_slots WHERE database = current_database()
    UNION ALL SELECT pubname || ' ' || coalesce((
      SELECT string_agg(tablename, ',' ORDER BY tablename) FROM pg_publication_tables AS t WHERE t.pubname = p.pubname), '')
    FROM pg_publication AS p`);
  return rows.map(([name]) => name);
}

test('a table that the user cannot publish after a change of owner is reported with its owner', async () => {
  const role = await db.role('REPLICATION');
  const [[owner] = []] = await db.sql('SELECT current_user');
  await db.sql(`ALTER TABLE a OWNER TO ${role}; GRANT SELECT ON b TO ${role};
    DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${role}', current_database()); END $$`);
  const source = db.open({ user: role });
  const [a, b] = await tables();
  if (!a || !b) throw new Error('There are no tables.');
  await source.reserve(job, [a]);
  await expect(source.include(job, [a, b])).rejects.toMatchObject({
    code: 'PRIVILEGE_MISSING',
    message: expect.stringContaining(`(at the source, public.b belongs to ${owner}, code 42501)`),
  });
  await source.close();
});

test('creates slot and publication once, naming each table, and removes both', async () => {
  const first = await db.source.reserve(job, await tables());
  await db.sql('CREATE TABLE c (id int PRIMARY KEY); INSERT INTO a VALUES (1)');
  expect(await db.source.reserve(job, (await tables()).slice(0, 2))).toEqual(first);
  expect(await left()).toEqual([`millrace_${job}`, `millrace_${job} a,b`]);
  await db.source.release(job);
  expect(await left()).toEqual([]);
  await db.source.release(job);
});

test('a connection cut at any message is an error that the job retries on its own', async () => {
  const all = await tables();
  const [own] = all;
  if (!own) throw new Error('There are no tables.');
  let passed = 0;
  let last = 1;
  const wire = await startWire(db.settings, () => (++passed === last ? 'cut' : 'pass'));
  const stops: unknown[] = [];
  for (;;) {
    passed = 0;
    let isRetried = false;
    const source = db.open({ host: '127.0.0.1', port: wire.port });
    try {
      await source.reserve(job, [own]);
      await source.include(job, all);
      await source.release(job);
    } catch (error) {
      isRetried = error instanceof EngineError && error.retry === 'timed';
      if (!isRetried) stops.push({ last, error });
    }
    await source.close();
    if (passed >= last) last++;
    // On a starved machine something else may fail before the cut; then the same cut is tried again.
    else if (!isRetried || db.abort.signal.aborted) break;
  }
  await wire.close();
  expect(last).toBeGreaterThan(50);
  expect(stops).toEqual([]);
});

test('allows the application to keep writing to every table while a job exists', async () => {
  await db.sql(`
    CREATE TABLE keyless (v int); CREATE TABLE late (id int PRIMARY KEY DEFERRABLE);
    CREATE TABLE part (id int PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE part_1 PARTITION OF part DEFAULT`);
  const all = await tables();
  await expect(db.source.reserve(job, all)).rejects.toMatchObject({
    code: 'TABLE_WITHOUT_KEY',
    place: { table: 'public.keyless' },
  });
  expect(await left()).toEqual([]);
  await db.source.reserve(
    job,
    all.filter(({ key }) => key.length > 0),
  );
  for (const table of ['a', 'keyless', 'late', 'part']) {
    const column = table === 'keyless' ? 'v' : 'id';
    await db.sql(
      `INSERT INTO ${table} VALUES (1); UPDATE ${table} SET ${column} = 2; DELETE FROM ${table}; TRUNCATE ${table}`,
    );
  }
});

test('reports which transactions it waits for while it creates a slot, even if its first look fails', async () => {
  const connections = new Set<object>();
  const wire = await startWire(db.settings, ({ connection }) => {
    connections.add(connection);
    // The first connection creates the slot, the second one looks.
    return connection === [...connections][1] ? 'cut' : 'pass';
  });
  onTestFinished(() => wire.close());
  const source = db.open({ host: '127.0.0.1', port: wire.port });
  const [a] = await tables();
  if (!a) throw new Error('The table is missing.');
  await db.sql("BEGIN; INSERT INTO b VALUES (1, 'open')");
  const told = Promise.withResolvers<string>();
  const reserving = source.reserve(job, [a], told.resolve);
  const sentence = await told.promise;
  await db.sql('COMMIT');
  await reserving;
  // Other tests have transactions on the same server, and one of them may be older.
  expect(sentence).toMatch(
    /^The job waits for transactions that are open at the source to end: process \d+( \(.+\))?, open since \d{4}-.* UTC(, and \d+ after it)?\.$/,
  );
});

test('what the log of a new slot leaves out is seen by the first read, though its commit became visible late', async () => {
  // Only a session that says so waits for a standby, which never comes.
  const settings = { synchronous_standby_names: 'nobody', synchronous_commit: 'local' };
  const server = await startPostgres({ ...logicalCluster, settings: { ...logicalCluster.settings, ...settings } });
  const own = await openSourceDatabase(server.url);
  const [first, second, late] = [new TestDatabase(own.url), new TestDatabase(own.url), new TestDatabase(own.url)];
  const asleep = async (where: string) => (await own.sql(`SELECT FROM pg_stat_activity WHERE ${where}`)).length > 0;
  const stopWaiting = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  const begin = async (session: TestDatabase, id: number) => {
    await session.ask('BEGIN');
    await session.ask(`INSERT INTO a VALUES (${id})`);
    const [[transaction] = []] = await session.ask('SELECT pg_current_xact_id()::xid::text');
    return async () => {
      const waiting = `SELECT FROM pg_locks WHERE NOT granted AND transactionid = '${transaction}'`;
      while ((await own.sql(waiting)).length === 0);
    };
  };
  try {
    await own.sql('CREATE TABLE a (id int PRIMARY KEY)');
    const [a] = await own.source.catalog(['public']);
    if (!a) throw new Error('The table is missing.');
    const firstAwaited = await begin(first, 1);
    const rows: unknown[] = [];
    let isRead = false;
    const reading = (async () => {
      await own.source.reserve(job, [a]);
      for await (const some of own.source.readAll(a)) rows.push(...some);
      isRead = true;
    })();
    await firstAwaited();
    const secondAwaited = await begin(second, 2);
    await first.ask('COMMIT');
    await secondAwaited();
    // The slot begins after this commit, which waits for a standby before anyone sees it.
    await late.ask('SET synchronous_commit = on');
    const committing = late.ask('INSERT INTO a VALUES (3)');
    while (!(await asleep("wait_event = 'SyncRep'")));
    await second.ask('COMMIT');
    while (!isRead && !(await asleep("query LIKE '%pg_snapshot_xmin%' AND pid <> pg_backend_pid()")));
    await own.sql(stopWaiting);
    await Promise.all([committing, reading]);
    expect(rows).toEqual([['1'], ['2'], ['3']]);
  } finally {
    // Otherwise a session that still waits for the standby would never be closed.
    await own.sql(stopWaiting);
    await Promise.all([first.close(), second.close(), late.close()]);
    await own.close();
    await server.stop();
  }
});

test('includes an added table only after all transactions that may have written to it end', async () => {
  const [a, b] = await tables();
  if (!a || !b) throw new Error('The tables are missing.');
  await db.source.reserve(job, [a]);
  await db.sql("BEGIN; INSERT INTO b VALUES (1, 'open')");
  let isDone = false;
  const reserving = db.source.reserve(job, [a, b]).then(() => {
    isDone = true;
  });
  const asking = `SELECT FROM pg_stat_activity WHERE application_name = $1 AND query LIKE '%pg_snapshot_xmin%'`;
  // Within a transaction, the server keeps showing the sessions that it read first.
  while ((await db.sql(asking, [`millrace ${job}`])).length === 0) await db.sql('SELECT pg_stat_clear_snapshot()');
  expect(isDone).toBe(false);
  await db.sql('COMMIT');
  await reserving;
  // Removing a table again needs no wait.
  await db.source.reserve(job, [b]);
  expect(await left()).toEqual([`millrace_${job}`, `millrace_${job} b`]);
});

test('includes further tables beside existing ones after all their possible writers end', async () => {
  const [a, b] = await tables();
  if (!a || !b) throw new Error('The tables are missing.');
  await expect(db.source.include(job, [b])).rejects.toMatchObject({ code: 'SLOT_MISSING' });
  expect(await left()).toEqual([]);
  const from = await db.source.reserve(job, [a]);
  await db.sql("BEGIN; INSERT INTO b VALUES (1, 'open')");
  let isDone = false;
  const including = db.source.include(job, [b]).then(() => {
    isDone = true;
  });
  const asking = `SELECT FROM pg_stat_activity WHERE application_name = $1 AND query LIKE '%pg_snapshot_xmin%'`;
  while ((await db.sql(asking, [`millrace ${job}`])).length === 0) await db.sql('SELECT pg_stat_clear_snapshot()');
  expect(isDone).toBe(false);
  await db.sql('COMMIT');
  await including;
  expect(await left()).toEqual([`millrace_${job}`, `millrace_${job} a,b`]);
  await db.sql("INSERT INTO a VALUES (2, 'told'); INSERT INTO b VALUES (2, 'told')");
  const stream = await db.source.stream(job, from, [a, b]);
  const told = await new Told(stream).until(await db.source.now());
  expect(told.flatMap((one) => (one.kind === 'row' ? [[one.table.name, one.after]] : []))).toEqual([
    ['a', ['2', 'told']],
    ['b', ['2', 'told']],
  ]);
  await stream.close();
  await db.source.include(job, [a, b]);
  await db.sql(`DROP PUBLICATION millrace_${job}`);
  await expect(db.source.include(job, [b])).rejects.toMatchObject({ code: 'SETTING_MISSING' });
  expect(await left()).toEqual([`millrace_${job}`]);
});

test('waits only once for possible writers to a table that an administrator published', async () => {
  const [a, b] = await tables();
  if (!a || !b) throw new Error('The tables are missing.');
  await db.sql('CREATE PUBLICATION theirs FOR TABLE a WITH (publish_via_partition_root = true)');
  const source = db.open({ publication: 'theirs' });
  await source.reserve(job, [a]);
  await db.sql("BEGIN; INSERT INTO b VALUES (1, 'open'); ALTER PUBLICATION theirs ADD TABLE b");
  await source.include(job, [a], { carried: new Set([a.id]) });
  await db.sql('COMMIT');
  await db.sql("BEGIN; INSERT INTO b VALUES (2, 'open')");
  let isDone = false;
  const including = source.include(job, [a, b], { carried: new Set([a.id]) }).then(() => {
    isDone = true;
  });
  const asking = `SELECT FROM pg_stat_activity WHERE application_name = $1 AND query LIKE '%pg_snapshot_xmin%'`;
  while ((await db.sql(asking, [`millrace ${job}`])).length === 0) await db.sql('SELECT pg_stat_clear_snapshot()');
  expect(isDone).toBe(false);
  await source.include(job, [a, b], { carried: new Set([a.id, b.id]) });
  await db.sql('COMMIT');
  await including;
});

test('an interrupted wait for added tables is repeated, and without them there is no wait', async () => {
  const [a, b] = await tables();
  if (!a || !b) throw new Error('The tables are missing.');
  await db.source.reserve(job, [a]);
  await db.sql("BEGIN; INSERT INTO b VALUES (1, 'open')");
  await db.source.include(job, [a]);
  const asking = `SELECT FROM pg_stat_activity WHERE application_name = $1 AND query LIKE '%pg_snapshot_xmin%'`;
  const isWaiting = async (name: string) => {
    while ((await db.sql(asking, [name])).length === 0) await db.sql('SELECT pg_stat_clear_snapshot()');
  };
  const isOver = async (name: string) => {
    while ((await db.sql(asking, [name])).length > 0) await db.sql('SELECT pg_stat_clear_snapshot()');
  };
  const cut = expect(db.source.include(job, [b])).rejects.toThrow();
  await isWaiting(`millrace ${job}`);
  await db.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1`, [
    `millrace ${job}`,
  ]);
  await cut;
  await isOver(`millrace ${job}`);
  const again = db.source.include(job, [a, b]);
  await isWaiting(`millrace ${job}`);
  await db.sql("COMMIT; BEGIN; INSERT INTO b VALUES (2, 'later')");
  await again;
  await db.source.include(job, [a, b]);
  await db.sql('COMMIT');
});

test('an abort while the slot waits for others leaves no slot behind', async () => {
  // On a starved machine, ending the session at the server may take longer than a job waits for it.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  onTestFinished(() => timeout.mockRestore());
  await db.sql('BEGIN; INSERT INTO a VALUES (1)');
  const reserving = expect(db.source.reserve(job, await tables())).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  const slot = 'SELECT active_pid FROM pg_replication_slots WHERE slot_name = $1 AND active';
  while ((await db.sql(slot, [`millrace_${job}`])).length === 0);
  db.abort.abort();
  await reserving;
  while ((await db.sql(slot, [`millrace_${job}`])).length > 0);
  await db.sql('COMMIT');
  expect(await left()).toEqual([`millrace_${job} a,b`]);
});

test('ends our own reader before it removes the slot', async () => {
  const all = await tables();
  const from = await db.source.reserve(job, all);
  const reader = new Told(await db.source.stream(job, from, all));
  const failure = reader.failure();
  await db.source.release(job);
  // A server that leaves our last message unread resets the connection, and what it said may be lost.
  expect(await failure).toMatchObject({ code: expect.stringMatching(/^(SESSION_ENDED|CONNECTION_LOST)$/) });
  expect(await left()).toEqual([]);
});

test('does not end a reader that is not ours', async () => {
  const all = await tables();
  const from = await db.source.reserve(job, all);
  const name = `millrace_${job}`;
  const options = ['-o', 'proto_version=1', '-o', `publication_names=${name}`];
  const other = spawn(
    join(findPostgres() ?? '', 'pg_recvlogical'),
    ['-d', db.url, '--slot', name, '--start', '-f', '/dev/null', ...options],
    { stdio: 'ignore' },
  );
  const ended = once(other, 'exit');
  const active = 'SELECT FROM pg_replication_slots WHERE slot_name = $1 AND active';
  while ((await db.sql(active, [name])).length === 0);
  await expect(db.source.stream(job, from, all)).rejects.toMatchObject({ code: 'SLOT_TAKEN' });
  await expect(db.source.release(job)).rejects.toMatchObject({ code: 'SLOT_TAKEN' });
  other.kill('SIGINT');
  await ended;
  while ((await db.sql(active, [name])).length > 0);
  await db.source.release(job);
  expect(await left()).toEqual([]);
});

test('leaves a publication that it did not create, and needs no right to it', async () => {
  const role = await db.role('REPLICATION');
  await db.sql(
    `GRANT SELECT ON a, b TO ${role}; CREATE PUBLICATION millrace_${job} FOR TABLE a, b WITH (publish_via_partition_root)`,
  );
  const source = db.open({ user: role });
  await source.reserve(job, await tables());
  await source.release(job);
  expect(await left()).toEqual([`millrace_${job} a,b`]);
  const other = newJob();
  await expect(source.reserve(other, await tables())).rejects.toMatchObject({ code: 'PRIVILEGE_MISSING' });
});

test('a missing slot, or a different one of its name, is not read', async () => {
  const all = await tables();
  const from = await db.source.reserve(job, all);
  await db.sql(`DROP PUBLICATION millrace_${job}`);
  await expect(db.source.stream(job, from, all)).rejects.toMatchObject({ code: 'SETTING_MISSING' });
  await db.sql('SELECT pg_drop_replication_slot($1)', [`millrace_${job}`]);
  await expect(db.source.stream(job, from, all)).rejects.toMatchObject({ code: 'SLOT_MISSING' });
  await db
    .sql(`SELECT pg_create_logical_replication_slot($1, 'test_decoding')`, [`millrace_${job}`])
    .catch(() => db.sql('SELECT pg_create_physical_replication_slot($1)', [`millrace_${job}`]));
  await expect(db.source.stream(job, from, all)).rejects.toMatchObject({ code: 'SLOT_MISSING' });
  await db.source.release(job);
});

test('the source is identified by its system, timeline and database', async () => {
  const [[expected] = []] = await db.sql(`
    SELECT system_identifier || '.00000001.' || oid FROM pg_control_system(), pg_database WHERE datname = current_database()`);
  expect(await db.source.incarnation()).toBe(expected);
});

describe("an administrator's slot and publication", () => {
  const names = { slot: 'of_the_dba', publication: 'of "the" dba' };
  const all = 'FOR TABLE a, b WITH (publish_via_partition_root)';
  const slots = 'SELECT slot_name FROM pg_replication_slots WHERE database = current_database()';

  test('are read, and never created, altered or removed', async () => {
    const role = await db.role('REPLICATION');
    await db.sql(`GRANT SELECT ON a, b TO ${role}; CREATE PUBLICATION "of ""the"" dba" ${all}`);
    names.slot = `of_the_dba_${newJob()}`;
    await db.sql(`SELECT pg_create_logical_replication_slot('${names.slot}', 'pgoutput')`);
    const source = db.open({ user: role, ...names });
    const given = await tables();
    const from = await source.reserve(job, given);
    await db.sql(`INSERT INTO a VALUES (1, 'told')`);
    const stream = await source.stream(job, from, given);
    const told = await new Told(stream).until(await source.now());
    expect(told.flatMap((one) => (one.kind === 'row' ? [one.after] : []))).toEqual([['1', 'told']]);
    expect((await source.facts(job, given)).map(({ notTold }) => notTold)).toEqual([null, null]);
    expect(await source.retained(job)).not.toBeNull();
    await stream.close();
    await source.include(job, given);
    await source.release(job);
    expect(await left()).toEqual([names.slot, 'of "the" dba a,b']);
  });

  test('are refused with what they lack, and stay unchanged', async () => {
    names.slot = `of_the_dba_${newJob()}`;
    const source = db.open(names);
    const given = await tables();
    const why = async () => (await source.check(given)).filter(({ result }) => result === 'fault');
    const refused = () => source.reserve(job, given);
    expect((await why()).map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('does not exist'),
      expect.stringContaining('there is no publication'),
    ]);
    await expect(refused()).rejects.toMatchObject({ code: 'SETTING_MISSING' });
    await db.sql(`CREATE PUBLICATION "of ""the"" dba" FOR TABLE a WHERE (id > 1) WITH (publish = 'insert')`);
    await expect(refused()).rejects.toMatchObject({ place: { subject: expect.stringContaining('a kind of change') } });
    // Running each finding's statement leads to the next finding, and in the end to none.
    const sentences: string[] = [];
    for (let found = await why(); found.length > 0; found = await why()) {
      sentences.push(...found.map(({ sentence }) => sentence));
      for (const { sql } of found) for (const one of sql?.split('\n') ?? []) await db.sql(one);
    }
    expect(sentences.join()).toMatch(/kind of change.*lacks public.b.*contains only part of public.a/s);
    expect(await db.sql(slots)).toEqual([[names.slot]]);
    await refused();
    await db.sql(`SELECT pg_drop_replication_slot('${names.slot}')`);
    await expect(refused()).rejects.toMatchObject({ code: 'SLOT_MISSING' });
    expect(await db.sql(slots)).toEqual([]);
  });

  test('with failover are created from version 17 on, and refused before', async () => {
    const source = db.open({ failover: 'yes' });
    const [[version] = []] = await db.sql(`SELECT current_setting('server_version_num')::int / 10000`);
    const faults = (await source.check([])).filter(({ result }) => result === 'fault');
    if (Number(version) < 17) {
      expect(faults.map(({ sentence }) => sentence)).toEqual([expect.stringContaining('from PostgreSQL 17 on')]);
      return;
    }
    expect(faults).toEqual([]);
    await source.reserve(job, await tables());
    expect(await db.sql('SELECT failover FROM pg_replication_slots WHERE slot_name = $1', [`millrace_${job}`])).toEqual(
      [['t']],
    );
  });
});
