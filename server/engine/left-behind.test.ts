import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { type DatabasePair, openDatabasePair } from '../testing/database-pair.ts';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, wholeTables } from '../testing/job-spec.ts';
import { patience } from '../testing/patience.ts';
import { TestDatabase } from '../testing/rig/database.ts';
import type { JobSpec } from './job.ts';

/** What a killed process sent to a server goes on there, alongside the next process. */

let pair: DatabasePair;
let source: TestDatabase;
let target: TestDatabase;
let spec: JobSpec;
let running: JobProcess | undefined;

beforeEach(async () => {
  pair = await openDatabasePair(inject('postgresUrl'));
  ({ source, target } = pair);
  spec = jobSpec({ ...pair.sides, tables: wholeTables(['item']) });
  for (const name of ['item', 'other'])
    await source.ask(`CREATE TABLE ${name} (id int PRIMARY KEY); INSERT INTO ${name} SELECT generate_series(1, 100)`);
});
afterEach(async () => {
  await running?.kill();
  await pair.close();
});

const isLive = (name: string) => running?.states()[`public.${name}`] === 'live';

/**
 * Waits until a job waits for a lock in a database. @param before sessions that waited already
 * @returns all that wait @throws when the job ended before
 */
async function untilWaiting(job: JobProcess, database: TestDatabase, before: unknown[] = []): Promise<unknown[]> {
  const sessions = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name LIKE 'millrace%'`;
  let waiting: unknown[] = [];
  const waits = vi.waitUntil(async () => {
    waiting = (await database.ask(sessions)).flat();
    return waiting.some((pid) => !before.includes(pid));
  }, patience);
  await Promise.race([waits, job.until(() => false)]);
  return waiting;
}

/** Waits until a row that was written with the new column has arrived. */
async function untilTold(): Promise<void> {
  while ((await target.ask("SELECT FROM item WHERE to_jsonb(item) ->> 'name' = 'told'")).length === 0) {
    const count = running?.reports.length ?? 0;
    await running?.until((reports) => reports.length > count);
  }
}

/**
 * Kills a process while it waits for a lock, and releases the lock once the next process waits too. If that one began so
 * late that the first session had given up, it is killed in turn.
 */
async function killWaiting(database: TestDatabase, lock: string): Promise<void> {
  const holder = new TestDatabase(database.url);
  await holder.ask(`BEGIN; ${lock}`);
  let before: unknown[] = [];
  let waiting: unknown[] = [];
  do {
    before = waiting;
    await running?.kill();
    running = new JobProcess(spec);
    waiting = await untilWaiting(running, database, before);
  } while (!waiting.some((pid) => before.includes(pid)));
  await holder.ask('COMMIT');
  await holder.close();
}

test('a job starts after its process was killed while creating the publication', async () => {
  await killWaiting(source, 'LOCK TABLE item IN SHARE UPDATE EXCLUSIVE MODE');
  await running?.until(() => isLive('item'));
});

test('a job carries a table after its process was killed while adding it to the publication', async () => {
  running = new JobProcess(spec);
  await running.until(() => isLive('item'));
  await running.kill();
  spec = { ...spec, tables: wholeTables(['item', 'other']) };
  await killWaiting(source, 'LOCK TABLE other IN SHARE UPDATE EXCLUSIVE MODE');
  await running?.until(() => isLive('other'));
});

test('a job carries a column after its process was killed while adding it at the target', async () => {
  running = new JobProcess(spec);
  await running.until(() => isLive('item'));
  await running.kill();
  await source.ask('ALTER TABLE item ADD name text');
  await killWaiting(target, 'SELECT FROM item');
  await source.ask("INSERT INTO item VALUES (1000, 'told')");
  await running?.until(() => isLive('item'));
  await untilTold();
});

test('a job adds a column although another session grants rights on the target table at the same moment', async () => {
  running = new JobProcess(spec);
  await running.until(() => isLive('item'));
  const other = new TestDatabase(target.url);
  await other.ask('BEGIN; GRANT SELECT ON item TO pg_monitor');
  await source.ask("ALTER TABLE item ADD name text; INSERT INTO item VALUES (1000, 'told')");
  await untilWaiting(running, target);
  await other.ask('COMMIT');
  await other.close();
  await untilTold();
  expect(running.reports.filter((report) => report.kind === 'event' && report.level === 'warning')).toEqual([]);
});

test.each([
  ['schema', 'CREATE SCHEMA app'],
  ['type', `CREATE SCHEMA app; COMMIT; BEGIN; CREATE TYPE app.mood AS ENUM ('calm', 'glad')`],
  [
    'table',
    `CREATE SCHEMA app; CREATE TYPE app.mood AS ENUM ('calm', 'glad'); COMMIT; BEGIN; CREATE TABLE app.thing (id int PRIMARY KEY, mood app.mood)`,
  ],
  [
    'key',
    `CREATE SCHEMA app; CREATE TYPE app.mood AS ENUM ('calm', 'glad'); CREATE TABLE app.thing (id int NOT NULL, mood app.mood);
      COMMIT; BEGIN; ALTER TABLE app.thing ADD CONSTRAINT thing_pkey PRIMARY KEY (id)`,
  ],
])('a job continues if another session creates the same %s at the same moment', async (_what, made) => {
  await source.ask(`CREATE SCHEMA app; CREATE TYPE app.mood AS ENUM ('calm', 'glad');
    CREATE TABLE app.thing (id int PRIMARY KEY, mood app.mood); INSERT INTO app.thing VALUES (1, 'glad')`);
  spec = { ...spec, tables: wholeTables(['thing'], 'app') };
  const other = new TestDatabase(target.url);
  await other.ask(`BEGIN; ${made}`);
  running = new JobProcess(spec);
  await untilWaiting(running, target);
  await other.ask('COMMIT');
  await other.close();
  await running.until(() => running?.states()['app.thing'] === 'live');
  expect(await target.ask('SELECT id, mood::text FROM app.thing')).toEqual([[1, 'glad']]);
  const told = running.reports.filter((report) => report.kind === 'event' && report.level !== 'info');
  expect(told).toEqual([]);
});
