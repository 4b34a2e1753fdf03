import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type DatabasePair, openDatabasePair } from '../testing/database-pair.ts';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, wholeTables } from '../testing/job-spec.ts';
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

/** Waits until this many sessions wait for a lock in a database. */
async function untilWaiting(database: TestDatabase, count: number): Promise<void> {
  const waiting = `SELECT count(*)::int FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name LIKE 'millrace%'`;
  while ((await database.ask(waiting))[0]?.[0] !== count);
}

/** Waits until a row that was written with the new column has arrived. */
async function untilTold(): Promise<void> {
  while ((await target.ask("SELECT FROM item WHERE to_jsonb(item) ->> 'name' = 'told'")).length === 0) {
    const count = running?.reports.length ?? 0;
    await running?.until((reports) => reports.length > count);
  }
}

/** Kills a process while it waits for a lock, and releases the lock once the next process waits too. */
async function killWaiting(database: TestDatabase, lock: string): Promise<void> {
  const holder = new TestDatabase(database.url);
  await holder.ask(`BEGIN; ${lock}`);
  running = new JobProcess(spec);
  await untilWaiting(database, 1);
  await running.kill();
  running = new JobProcess(spec);
  await untilWaiting(database, 2);
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
  await untilWaiting(target, 1);
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
  await untilWaiting(target, 1);
  await other.ask('COMMIT');
  await other.close();
  await running.until(() => running?.states()['app.thing'] === 'live');
  expect(await target.ask('SELECT id, mood::text FROM app.thing')).toEqual([[1, 'glad']]);
  const told = running.reports.filter((report) => report.kind === 'event' && report.level !== 'info');
  expect(told).toEqual([]);
});
