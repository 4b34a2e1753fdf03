import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type DatabasePair, openDatabasePair } from '../testing/database-pair.ts';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, wholeTables } from '../testing/job-spec.ts';
import { TestDatabase } from '../testing/rig/database.ts';
import type { JobSpec } from './job.ts';
import type { Report } from './protocol.ts';

/** A job whose log is far behind the current state of its source. */

let pair: DatabasePair;
let source: TestDatabase;
let target: TestDatabase;
let spec: JobSpec;
let running: JobProcess | undefined;

beforeEach(async () => {
  pair = await openDatabasePair(inject('postgresUrl'));
  ({ source, target } = pair);
  spec = jobSpec({ ...pair.sides, tables: wholeTables(['item', 'log']) });
  await source.ask(`CREATE TABLE item (id int PRIMARY KEY, name text); CREATE TABLE log (id int PRIMARY KEY);
    INSERT INTO item SELECT i, 'item ' || i FROM generate_series(1, 100) i`);
  running = new JobProcess(spec);
  await running.until(() => isIn('live'));
});
afterEach(async () => {
  await running?.kill();
  await pair.close();
});

const isIn = (state: string) => running?.states()['public.item'] === state;

const idOf = async (name: string) => String((await source.ask(`SELECT '${name}'::regclass::oid`))[0]?.[0]);

/** Waits until the target has what is in the log by now. @param id of a row that shows it */
async function untilTold(id: number): Promise<void> {
  await source.ask(`INSERT INTO log VALUES (${id})`);
  while ((await target.ask(`SELECT FROM log WHERE id = ${id}`)).length === 0) await untilReported();
}

async function untilReported(): Promise<void> {
  const told = running?.reports.length ?? 0;
  await running?.until((reports) => reports.length > told);
}

/** So many transactions come first that the table is copied before the log reaches it. */
async function fillLog(): Promise<void> {
  await source.ask('SET synchronous_commit = off');
  await source.ask('DO $$ BEGIN FOR id IN 1..40000 LOOP INSERT INTO log VALUES (id); COMMIT; END LOOP; END $$');
}

/** Changes rows, then changes them again while the publication leaves the table out. */
async function changeUntold(): Promise<void> {
  const [[publication] = []] = await source.ask('SELECT quote_ident(pubname) FROM pg_publication');
  await source.ask("UPDATE item SET name = 'told' WHERE id < 50");
  await source.ask(`ALTER PUBLICATION ${publication} DROP TABLE item`);
  await source.ask("UPDATE item SET name = 'untold' WHERE id < 50");
  await source.ask(`ALTER PUBLICATION ${publication} ADD TABLE item`);
}

/** Waits until the table is live and everything in the log has arrived. */
async function expectSame(): Promise<void> {
  await untilTold(0);
  while (!isIn('live')) await untilReported();
  const rows = 'SELECT id, name FROM item ORDER BY id';
  expect(await target.ask(rows)).toEqual(await source.ask(rows));
}

test('a resync of a recreated table brings earlier changes, in the log or not', async () => {
  await running?.kill();
  await source.ask(`ALTER TABLE item RENAME TO old; CREATE TABLE item (LIKE old INCLUDING ALL);
    INSERT INTO item SELECT * FROM old`);
  running = new JobProcess(spec);
  await running.until(() => isIn('blocked'));
  await running.kill();
  await fillLog();
  await changeUntold();
  running = new JobProcess(spec);
  await running.until(() => isIn('blocked'));
  running.send({ kind: 'table', id: await idOf('item'), action: 'resync' });
  await expectSame();
});

test('an order is carried out while the log lags', async () => {
  await running?.kill();
  await fillLog();
  const holder = new TestDatabase(target.url);
  await holder.ask('BEGIN; INSERT INTO log VALUES (40000)');
  running = new JobProcess(spec);
  running.send({ kind: 'table', id: await idOf('item'), action: 'pause' });
  await running.until(() => isIn('paused'));
  await holder.close();
  await untilTold(0);
});

/** Starts the job, and again if it ends since a lock lasts longer than it waits, as the supervisor does. */
async function startUntil(wanted: JobSpec, isMeant: (report: Report) => boolean): Promise<void> {
  for (let isThere = false; !isThere; ) {
    const job = new JobProcess(wanted);
    running = job;
    isThere = await job
      .until((reports) => reports.some(isMeant))
      .then(
        () => true,
        () => false,
      );
    if (!isThere) expect(await job.end()).toMatchObject({ fault: { code: 'LOCK_TIMED_OUT' } });
  }
}

test('a table that joins is copied after the older log, and an event says so', async () => {
  await running?.kill();
  running = new JobProcess({ ...spec, tables: wholeTables(['log']) });
  await running.until(() => running?.states()['public.log'] === 'live');
  await running.kill();
  await fillLog();
  // The filter fails on a row of the older log, which the copy does not meet.
  await source.ask('INSERT INTO item VALUES (-7); DELETE FROM item WHERE id = -7');
  await source.ask(`UPDATE item SET id = id + 1000 WHERE id < 5; UPDATE item SET name = 'late' WHERE id < 20`);
  const holder = new TestDatabase(target.url);
  await holder.ask('BEGIN; INSERT INTO log VALUES (40000)');
  const filter = '1000000 / (id + 7) > 0 AND id > 10';
  const tables = spec.tables.map((table) => (table.name === 'item' ? { ...table, filter } : table));
  await startUntil(
    { ...spec, tables },
    (report) => report.kind === 'event' && /^Copies wait .*: public\.item\.$/.test(report.sentence),
  );
  await holder.close();
  await untilTold(0);
  while (!isIn('live')) await untilReported();
  expect(await target.ask('SELECT id, name FROM item WHERE id > 10 ORDER BY id')).toEqual(
    await source.ask('SELECT id, name FROM item WHERE id > 10 ORDER BY id'),
  );
});
