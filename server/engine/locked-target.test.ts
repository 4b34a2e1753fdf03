import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { createDatabase } from '../testing/postgres.ts';
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
  const slots = 'FROM pg_replication_slots WHERE database = current_database()';
  while ((await source.ask(`SELECT ${slots} AND active`)).length > 0);
  await source.ask(`SELECT pg_drop_replication_slot(slot_name) ${slots}`);
  await Promise.all([source.close(), target.close(), user.close()]);
});

const isLive = () => ['item', 'other'].every((name) => running?.states()[`public.${name}`] === 'live');
const sentences = () =>
  (running?.reports ?? []).flatMap((report) => (report.kind === 'event' ? [report.sentence] : []));
const locked = () => sentences().filter((sentence) => /public\.item.+locked by somebody else/.test(sentence));

const uniques = async () =>
  (
    await target.ask(
      "SELECT conrelid::regclass::text FROM pg_constraint WHERE contype = 'u' AND connamespace = 'public'::regnamespace ORDER BY 1",
    )
  ).flat();

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

test('a job that follows makes a constraint that a lock kept out once the lock is gone, and tells it once', async () => {
  await writeSlowly();
  running = new JobProcess(spec);
  await running.until(() => locked().length === 1);
  await source.ask("INSERT INTO item VALUES (101, 'name 101')");
  // Another try that meets the lock.
  const waiting =
    'SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())';
  while ((await target.ask(waiting)).length === 0);
  while ((await target.ask(waiting)).length > 0);
  await user.ask('ROLLBACK');
  while ((await uniques()).length < 2) {
    const told = running.reports.length;
    await running.until((reports) => reports.length > told);
  }
  expect(locked()).toHaveLength(1);
  expect(isLive()).toBe(true);
});

test('a job that is started while others read a table that gets a column goes on with the rest, and adds it afterwards', async () => {
  running = new JobProcess(spec);
  await running.until(isLive);
  await running.kill();
  await source.ask(`ALTER TABLE item ADD COLUMN n int; UPDATE item SET n = id`);
  await user.ask('BEGIN; SELECT FROM item');
  running = new JobProcess(spec);
  await running.until(isLive);
  expect(locked()).toHaveLength(1);
  for (const name of ['item', 'other'])
    await source.ask(`INSERT INTO ${name} (id, name) VALUES (101, 'written meanwhile')`);
  const rowsOf = async (name: string) => (await target.ask(`SELECT name FROM ${name} WHERE id = 101`)).flat();
  const untilTold = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) {
      const told = running?.reports.length ?? 0;
      await running?.until((reports) => reports.length > told);
    }
  };
  for (const name of ['item', 'other']) await untilTold(async () => (await rowsOf(name)).includes('written meanwhile'));
  await user.ask('ROLLBACK');
  await running.until(() => sentences().includes('Columns were added at the target; the table is copied again.'));
  await running.until(isLive);
  const rows = 'SELECT id, name, n FROM item ORDER BY id';
  expect(await target.ask(rows)).toEqual(await source.ask(rows));
});
