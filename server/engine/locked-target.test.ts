import { test as base, describe, expect, inject, vi } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { patience } from '../testing/patience.ts';
import { createDatabase, dropSlots } from '../testing/postgres.ts';
import { TestDatabase } from '../testing/rig/database.ts';
import type { JobSpec } from './job.ts';

const names = ['item', 'other'];

const test = base
  .extend('source', async ({ task: _ }, { onCleanup }) => {
    const source = new TestDatabase(await createDatabase(inject('postgresUrl')));
    onCleanup(async () => {
      await dropSlots((sql) => source.ask(sql));
      await source.close();
    });
    for (const name of names)
      await source.ask(`CREATE TABLE ${name} (id int PRIMARY KEY, name text UNIQUE);
        INSERT INTO ${name} SELECT i, 'name ' || i FROM generate_series(1, 100) i`);
    return source;
  })
  .extend('target', async ({ task: _ }, { onCleanup }) => {
    const target = new TestDatabase(await createDatabase(inject('postgresUrl')));
    onCleanup(() => target.close());
    return target;
  })
  // A user of the target with a transaction of their own.
  .extend('user', ({ target }, { onCleanup }) => {
    const user = new TestDatabase(target.url);
    onCleanup(() => user.close());
    return user;
  })
  // Starts the job process, or continues the job in another.
  .extend('start', ({ source, target }, { onCleanup }) => {
    const spec = jobSpec({
      source: postgresSide(source.url),
      target: postgresSide(target.url),
      tables: wholeTables(names),
    });
    const processes: JobProcess[] = [];
    onCleanup(async () => {
      await Promise.all(processes.map((job) => job.kill()));
    });
    return (type: JobSpec['type'] = 'SYNC') => {
      const job = new JobProcess({ ...spec, type });
      processes.push(job);
      return job;
    };
  });

const isLive = (job: JobProcess) => names.every((name) => job.states()[`public.${name}`] === 'live');
const sentences = (job: JobProcess) =>
  job.reports.flatMap((report) => (report.kind === 'event' ? [report.sentence] : []));
const locked = (job: JobProcess) =>
  sentences(job).filter(
    (sentence) => sentence.includes('Another session holds a lock on the table') && /public\.item\b/.test(sentence),
  );

/** How many sessions wait for a lock in the database. */
const waiting = async (target: TestDatabase) =>
  (
    await target.ask(
      'SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())',
    )
  ).length;
const uniques = async (target: TestDatabase) =>
  (
    await target.ask(
      "SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'u' AND connamespace = 'public'::regnamespace ORDER BY 1",
    )
  ).flat();

/** Server processes that wait while they build an index concurrently. */
const building = (target: TestDatabase) =>
  target.ask(`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND query LIKE 'CREATE UNIQUE INDEX CONCURRENTLY%item%'`);
/** Waits until one of them waits for another session. */
const untilBuilding = (target: TestDatabase) => vi.waitUntil(async () => (await building(target)).length > 0, patience);
/** Indexes that enforce uniqueness but are not used for lookups. */
const invalid = (target: TestDatabase) =>
  target.ask('SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid');

/** Checks each time the job reports. */
async function untilTold(job: JobProcess, isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    const told = job.reports.length;
    await job.until((reports) => reports.length > told);
  }
}

/** Starts a job and waits until its tables are live, with their constraints at the target. */
async function startLive(start: () => JobProcess, target: TestDatabase): Promise<JobProcess> {
  const job = start();
  await job.until(() => isLive(job));
  await untilTold(job, async () => (await uniques(target)).length === 2);
  return job;
}

/** A user writes slowly into a target table; a transaction ID would keep the slot from being created. */
async function writeSlowly(user: TestDatabase): Promise<void> {
  await user.ask('CREATE TABLE item (id int PRIMARY KEY, name text)');
  await user.ask('BEGIN; LOCK TABLE item IN ROW EXCLUSIVE MODE');
}

/** Concurrent, since each waits for locks as long as a real job does. */
describe.concurrent('a job whose target tables are in use', () => {
  test('releases the snapshot of a full copy before the target creates indexes', async ({
    source,
    target,
    user,
    start,
  }) => {
    await writeSlowly(user);
    start('MIGRATION');
    await vi.waitUntil(async () => (await waiting(target)) > 0, patience);
    const held = "SELECT FROM pg_locks WHERE relation IN ('item'::regclass, 'other'::regclass)";
    expect(await source.ask(held)).toEqual([]);
  });

  test.for(['MIGRATION', 'STRUCT_MIGRATION'] as const)(
    'of type %s is incomplete while a lock prevents a constraint',
    async (type, { target, user, start }) => {
      await writeSlowly(user);
      expect(await start(type).end()).toMatchObject({
        kind: 'failed',
        fault: { code: 'LOCK_TIMED_OUT', retry: 'timed' },
      });
      // The others' constraints are created.
      expect(await uniques(target)).toEqual(['other']);
      await user.ask('ROLLBACK');
      expect(await start(type).end()).toEqual({ kind: 'ended', complete: true });
      expect(await uniques(target)).toEqual(['item', 'other']);
    },
  );

  test('carries the other tables while one is locked, and reports the session that holds the lock', async ({
    source,
    target,
    user,
    start,
  }) => {
    await (await startLive(start, target)).kill();
    await user.ask('BEGIN; LOCK TABLE item');
    const [[pid] = []] = await user.ask('SELECT pg_backend_pid()');
    await source.ask("INSERT INTO other VALUES (101, 'name 101')");
    const job = start();
    await untilTold(job, async () => (await target.ask('SELECT FROM other WHERE id = 101')).length === 1);
    await job.until(() => locked(job).some((sentence) => sentence.includes(`session ${pid},`)));
    await user.ask('COMMIT');
    await source.ask("INSERT INTO item VALUES (101, 'name 101')");
    await untilTold(job, async () => (await target.ask('SELECT FROM item WHERE id = 101')).length === 1);
    expect(sentences(job).filter((sentence) => sentence.includes('refuses'))).toEqual([]);
  });

  test('carries the other tables while a session waits for a lock on one that is read', async ({
    source,
    target,
    user,
    start,
  }) => {
    await (await startLive(start, target)).kill();
    await user.ask('BEGIN; SELECT FROM item');
    const owner = new TestDatabase(target.url);
    const locking = owner.ask('BEGIN; LOCK TABLE item; COMMIT');
    await vi.waitUntil(async () => (await waiting(target)) > 0, patience);
    await source.ask("INSERT INTO other VALUES (101, 'name 101')");
    const job = start();
    await untilTold(job, async () => (await target.ask('SELECT FROM other WHERE id = 101')).length === 1);
    // Longer than a statement waits for a lock.
    await job.until((reports) => reports.filter(({ kind }) => kind === 'sample').length > 12);
    await user.ask('COMMIT');
    await locking;
    await owner.close();
    await source.ask("INSERT INTO item VALUES (101, 'name 101')");
    await untilTold(job, async () => (await target.ask('SELECT FROM item WHERE id = 101')).length === 1);
  });

  // Two tries that meet the lock take 20 seconds.
  test('says why no change is applied while one of them is locked, and applies them all once it is not', async ({
    source,
    target,
    user,
    start,
  }) => {
    const job = await startLive(start, target);
    await user.ask('BEGIN; LOCK TABLE item IN SHARE MODE');
    await source.ask("INSERT INTO item VALUES (101, 'name 101')");
    await source.ask("UPDATE other SET name = 'later' WHERE id = 1");
    await job.until(() => locked(job).some((one) => one.includes('Changes of all tables wait')));
    await user.ask('COMMIT');
    await untilTold(job, async () => (await target.ask("SELECT FROM other WHERE name = 'later'")).length === 1);
    expect(await target.ask('SELECT FROM item WHERE id = 101')).toHaveLength(1);
    expect(locked(job)).toHaveLength(1);
  });

  test('creates indexes and constraints while others write, and carries rows meanwhile', async ({
    source,
    target,
    user,
    start,
  }) => {
    await writeSlowly(user);
    const job = start();
    await untilBuilding(target);
    await source.ask("INSERT INTO item VALUES (101, 'name 101')");
    await untilTold(job, async () => (await target.ask('SELECT FROM item WHERE id = 101')).length === 1);
    expect(await building(target)).toHaveLength(1);
    // A statement that the index would wait for, and that would wait for the index, waits for its turn.
    await source.ask('ALTER TABLE item ADD n int DEFAULT 5');
    await untilTold(job, async () =>
      sentences(job).some((one) => one.includes('Another session holds a lock on the table')),
    );
    await user.ask('COMMIT');
    await untilTold(job, async () => (await uniques(target)).length === 2);
    expect(await invalid(target)).toEqual([]);
    await job.until(() => sentences(job).some((one) => one.includes('Columns were added at the target')));
  });

  test('continues when emptying a table and building its index wait for each other', async ({
    source,
    target,
    user,
    start,
  }) => {
    await writeSlowly(user);
    const job = start();
    await untilBuilding(target);
    await source.ask("TRUNCATE item; INSERT INTO item VALUES (7, 'after')");
    // The index keeps waiting for a session that waits for it.
    await vi.waitUntil(async () => (await waiting(target)) > 0, patience);
    await user.ask('COMMIT');
    await untilTold(job, async () => (await uniques(target)).length === 2);
    await untilTold(job, async () => (await target.ask('SELECT id FROM item')).flat().join() === '7');
    expect(await invalid(target)).toEqual([]);
  });

  // Two tries that meet the lock, and the pauses after them, take 50 seconds.
  test('creates a constraint once the lock that prevented it ends, and reports the lock once', async ({
    source,
    target,
    user,
    start,
  }) => {
    await user.ask('CREATE TABLE item (id int PRIMARY KEY, name text)');
    await user.ask('BEGIN; SELECT FROM item');
    const job = start();
    await job.until(() => locked(job).length === 1);
    await source.ask("INSERT INTO item VALUES (101, 'name 101')");
    // Another try meets the lock.
    await vi.waitUntil(async () => (await waiting(target)) > 0, patience);
    await vi.waitUntil(async () => (await waiting(target)) === 0, patience);
    await user.ask('ROLLBACK');
    await untilTold(job, async () => (await uniques(target)).length === 2);
    expect(locked(job)).toHaveLength(1);
    expect(isLive(job)).toBe(true);
  });

  test('drops an unfinished index that its last process left, and creates it again', async ({
    source,
    target,
    user,
    start,
  }) => {
    await writeSlowly(user);
    const first = start();
    await untilBuilding(target);
    await first.kill();
    // The server's process outlives the job process, so it is terminated, as by a crash.
    for (const [pid] of await building(target)) await target.ask(`SELECT pg_terminate_backend(${pid})`);
    await vi.waitUntil(async () => (await building(target)).length === 0, patience);
    expect(await invalid(target)).toHaveLength(1);
    await user.ask('COMMIT');
    await source.ask("INSERT INTO item VALUES (101, 'name 101')");
    const job = start();
    await untilTold(job, async () => (await uniques(target)).length === 2);
    expect(await invalid(target)).toEqual([]);
    await untilTold(job, async () => (await target.ask('SELECT FROM item WHERE id = 101')).length === 1);
  });

  test.for<[what: string, change: string, sentence: string]>([
    ['a column', 'ADD COLUMN n int DEFAULT 5', 'Columns were added at the target'],
    ['a wider type', 'ALTER id TYPE bigint', 'Columns were widened at the target'],
  ])(
    'carries rows in the old structure until others stop reading a table that gets %s',
    async ([, change, sentence], { source, target, user, start }) => {
      const first = start();
      await first.until(() => sentences(first).some((one) => one.startsWith('Indexes, constraints')));
      await first.kill();
      await source.ask(`ALTER TABLE item ${change}`);
      await user.ask('BEGIN; SELECT FROM item');
      const job = start();
      await job.until(() => isLive(job));
      for (const name of names) await source.ask(`INSERT INTO ${name} (id, name) VALUES (101, 'meanwhile')`);
      for (const name of names)
        await untilTold(
          job,
          async () => (await target.ask(`SELECT FROM ${name} WHERE name = 'meanwhile'`)).length === 1,
        );
      await job.until(() => locked(job).length > 0);
      await user.ask('ROLLBACK');
      await job.until(() => sentences(job).some((one) => one.startsWith(sentence)));
      const rows = 'SELECT to_jsonb(item)::text FROM item ORDER BY id';
      const wanted = JSON.stringify(await source.ask(rows));
      await untilTold(job, async () => JSON.stringify(await target.ask(rows)) === wanted);
    },
  );
});
