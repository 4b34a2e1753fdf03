import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { createDatabase, dropSlots } from '../testing/postgres.ts';
import { TestDatabase } from '../testing/rig/database.ts';
import type { JobSpec } from './job.ts';

/** What a job does whose target tables others use, with locks that it waits for as long as it does in earnest. */

let source: TestDatabase;
let target: TestDatabase;
/** A user of the target in a transaction of their own. */
let user: TestDatabase;
let spec: JobSpec;
let running: JobProcess | undefined;

beforeEach(async () => {
  source = new TestDatabase(await createDatabase(inject('postgresUrl')));
  target = new TestDatabase(await createDatabase(inject('postgresUrl')));
  user = new TestDatabase(target.url);
  spec = jobSpec({
    source: postgresSide(source.url),
    target: postgresSide(target.url),
    tables: wholeTables(['item', 'other']),
  });
  for (const name of ['item', 'other'])
    await source.ask(`CREATE TABLE ${name} (id int PRIMARY KEY, name text UNIQUE);
      INSERT INTO ${name} SELECT i, 'name ' || i FROM generate_series(1, 100) i`);
});
afterEach(async () => {
  await running?.kill();
  await dropSlots((sql) => source.ask(sql));
  await Promise.all([source.close(), target.close(), user.close()]);
});

const isLive = () => ['item', 'other'].every((name) => running?.states()[`public.${name}`] === 'live');
const sentences = () =>
  (running?.reports ?? []).flatMap((report) => (report.kind === 'event' ? [report.sentence] : []));
const locked = () => sentences().filter((sentence) => /public\.item.+locked by somebody else/.test(sentence));

/** Who waits for a lock in the database. */
const waiting =
  'SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())';
const uniques = async () =>
  (
    await target.ask(
      "SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'u' AND connamespace = 'public'::regnamespace ORDER BY 1",
    )
  ).flat();

test('a full copy has let go of its moment when the target makes its indexes', async () => {
  spec = { ...spec, type: 'MIGRATION' };
  await writeSlowly();
  running = new JobProcess(spec);
  while ((await target.ask(waiting)).length === 0);
  const held = "SELECT FROM pg_locks WHERE relation IN ('item'::regclass, 'other'::regclass)";
  expect(await source.ask(held)).toEqual([]);
});

/** Looks each time that the job tells something. */
async function untilTold(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    const told = running?.reports.length ?? 0;
    await running?.until((reports) => reports.length > told);
  }
}

/** Somebody writes into a table of the target and takes their time; a number of a transaction would keep the slot from being made. */
const writeSlowly = async () => {
  await target.ask('CREATE TABLE item (id int PRIMARY KEY, name text)');
  await user.ask('BEGIN; LOCK TABLE item IN ROW EXCLUSIVE MODE');
};

test.each(['MIGRATION', 'STRUCT_MIGRATION'] as const)(
  'a job of type %s is not complete without a constraint that a lock kept out',
  async (type) => {
    spec = { ...spec, type };
    await writeSlowly();
    running = new JobProcess(spec);
    expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code: 'LOCK_TIMED_OUT', retry: 'timed' } });
    // Those of the others are made.
    expect(await uniques()).toEqual(['other']);
    await user.ask('ROLLBACK');
    running = new JobProcess(spec);
    expect(await running.end()).toEqual({ kind: 'ended', complete: true });
    expect(await uniques()).toEqual(['item', 'other']);
  },
);

// Two tries that meet the lock, and the pauses behind them, take 50 seconds.
test('a job that follows makes a constraint that a lock kept out once the lock is gone, and tells it once', async () => {
  await writeSlowly();
  running = new JobProcess(spec);
  await running.until(() => locked().length === 1);
  await source.ask("INSERT INTO item VALUES (101, 'name 101')");
  // Another try that meets the lock.
  while ((await target.ask(waiting)).length === 0);
  while ((await target.ask(waiting)).length > 0);
  await user.ask('ROLLBACK');
  await untilTold(async () => (await uniques()).length === 2);
  expect(locked()).toHaveLength(1);
  expect(isLive()).toBe(true);
});

test.each([
  ['a column', 'ADD COLUMN n int DEFAULT 5', 'Columns were added at the target'],
  ['a wider type', 'ALTER id TYPE bigint', 'Columns got wider types at the target'],
])(
  'a job that is started while others read a table that gets %s goes on with it as it was until they are done',
  async (_, change, sentence) => {
    running = new JobProcess(spec);
    await running.until(() => sentences().some((one) => one.startsWith('Indexes, constraints')));
    await running.kill();
    await source.ask(`ALTER TABLE item ${change}`);
    await user.ask('BEGIN; SELECT FROM item');
    running = new JobProcess(spec);
    await running.until(isLive);
    for (const name of ['item', 'other']) await source.ask(`INSERT INTO ${name} (id, name) VALUES (101, 'meanwhile')`);
    for (const name of ['item', 'other'])
      await untilTold(async () => (await target.ask(`SELECT FROM ${name} WHERE name = 'meanwhile'`)).length === 1);
    await running.until(() => locked().length > 0);
    await user.ask('ROLLBACK');
    await running.until(() => sentences().some((one) => one.startsWith(sentence)));
    const rows = 'SELECT to_jsonb(item)::text FROM item ORDER BY id';
    const wanted = JSON.stringify(await source.ask(rows));
    await untilTold(async () => JSON.stringify(await target.ask(rows)) === wanted);
  },
);
