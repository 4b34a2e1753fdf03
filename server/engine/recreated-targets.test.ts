import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { type DatabasePair, openDatabasePair } from '../testing/database-pair.ts';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, wholeTables } from '../testing/job-spec.ts';
import type { TestDatabase } from '../testing/rig/database.ts';
import type { JobSpec } from './job.ts';

/** A job that follows, whose target table is recreated while no process runs. */

let pair: DatabasePair;
let source: TestDatabase;
let target: TestDatabase;
let spec: JobSpec;
let running: JobProcess | undefined;

const rows = 'SELECT to_jsonb(item)::text FROM item ORDER BY id';

beforeEach(async () => {
  pair = await openDatabasePair(inject('postgresUrl'));
  ({ source, target } = pair);
  spec = jobSpec({ ...pair.sides, tables: wholeTables(['item']) });
  await source.ask(`CREATE TABLE item (id int PRIMARY KEY, name text);
    INSERT INTO item SELECT i, 'item ' || i FROM generate_series(1, 100) i`);
});
afterEach(async () => {
  await running?.kill();
  await pair.close();
});

const made = () =>
  (running?.reports ?? []).flatMap((report) =>
    report.kind === 'event' && report.sentence.includes('were recreated') ? [report.sentence] : [],
  );
const isIn = (state: string) => running?.states()['public.item'] === state;

/** Starts a process, and waits until it has caught up with the source. */
async function expectCarried(): Promise<void> {
  running = new JobProcess(spec);
  await running.until(() => isIn('live'));
  await expectSame();
}

async function expectSame(): Promise<void> {
  const wanted = JSON.stringify(await source.ask(rows));
  while (JSON.stringify(await target.ask(rows)) !== wanted) {
    const told = running?.reports.length ?? 0;
    await running?.until((reports) => reports.length > told);
  }
}

test.each([
  ['that was dropped', 'DROP TABLE item'],
  [
    'that was replaced by one with some of its rows',
    `CREATE TABLE other (LIKE item INCLUDING ALL); INSERT INTO other SELECT * FROM item WHERE id > 50;
      DROP TABLE item; ALTER TABLE other RENAME TO item`,
  ],
])('a target table %s is copied again, once', async (_, remake) => {
  await expectCarried();
  expect(made()).toEqual([]);
  await running?.kill();
  await target.ask(remake);
  await source.ask("UPDATE item SET name = 'meanwhile' WHERE id > 90");
  await expectCarried();
  expect(made()).toEqual([expect.stringMatching(/so they are copied again: public\.item\.$/)]);
  await running?.kill();
  await source.ask("UPDATE item SET name = 'later' WHERE id = 1");
  await expectCarried();
  expect(made()).toEqual([]);
});

test('a table that was empty when copied is copied again with the rows from the log', async () => {
  await source.ask('TRUNCATE item');
  await expectCarried();
  await source.ask("INSERT INTO item VALUES (1, 'by the log')");
  await expectSame();
  await running?.kill();
  await target.ask('DROP TABLE item');
  await expectCarried();
});

test('a table rewritten at the target is not copied again', async () => {
  await expectCarried();
  await running?.kill();
  await target.ask('VACUUM FULL item');
  await expectCarried();
  expect(made()).toEqual([]);
});

test('a recreated table stays paused, and is copied when it is resumed', async () => {
  await expectCarried();
  const id = running?.tables().at(-1)?.id ?? '';
  running?.send({ kind: 'table', id, action: 'pause' });
  await running?.until(() => isIn('paused'));
  await running?.kill();
  await target.ask('DROP TABLE item');
  running = new JobProcess(spec);
  await running.until(() => isIn('paused') && made().length > 0);
  running.send({ kind: 'table', id, action: 'resume' });
  await running.until(() => isIn('live'));
  await expectSame();
});

test('a job without an initial copy copies nothing into a recreated table', async () => {
  spec = { ...spec, initialLoad: false };
  running = new JobProcess(spec);
  await running.until(() => isIn('live'));
  const change = async (id: number) => {
    await source.ask(`INSERT INTO item VALUES (${id}, 'new')`);
    await expect.poll(() => target.ask(`SELECT FROM item WHERE id = ${id}`)).toHaveLength(1);
  };
  await change(101);
  await running.kill();
  await target.ask('DROP TABLE item');
  running = new JobProcess(spec);
  await running.until(() => isIn('live'));
  await change(102);
  expect(await target.ask('SELECT id::text FROM item')).toEqual([['102']]);
});

test.each([
  ['this process', false],
  ['an earlier process', true],
])('a job stops when its tables are restored to a state that %s wrote', async (_, isEarlier) => {
  await expectCarried();
  const kept = ['public.item', 'millrace.millrace_mark', 'millrace.millrace_table'];
  const copies = kept.map((name, place) => `CREATE TABLE backup.t${place} AS TABLE ${name}`);
  await target.ask(`BEGIN ISOLATION LEVEL REPEATABLE READ; CREATE SCHEMA backup; ${copies.join('; ')}; COMMIT`);
  if (isEarlier) {
    await running?.kill();
    running = new JobProcess(spec);
    await running.until(() => isIn('live'));
  }
  await source.ask("UPDATE item SET name = 'after the backup' WHERE id = 1");
  await expectSame();
  const [[position] = []] = await target.ask(`SELECT position::json ->> 'resume' FROM backup.t1`);
  const hasForgotten = `SELECT FROM pg_replication_slots WHERE database = current_database()
    AND confirmed_flush_lsn > '${String(position)}'`;
  await expect.poll(() => source.ask(hasForgotten)).toHaveLength(1);
  const restored = kept.map((name, place) => `INSERT INTO ${name} SELECT * FROM backup.t${place}`);
  await target.ask(`BEGIN; TRUNCATE ${kept.join(', ')}; ${restored.join('; ')}; COMMIT`);
  const sentence = expect.stringContaining('reverted to an older state');
  expect(await running?.end()).toMatchObject({ kind: 'failed', fault: { code: 'CONNECTION_LOST', sentence } });
  running = new JobProcess(spec);
  expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code: 'SLOT_AHEAD' } });
});
