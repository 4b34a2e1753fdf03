import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, sqliteSide, wholeTables } from '../testing/job-spec.ts';
import type { JobSpec } from './job.ts';

const names = ['item', 'part'] as const;
let folder: string;
let source: DatabaseSync;
let running: JobProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-'));
  source = new DatabaseSync(join(folder, 'source.db'), { timeout: 60_000 });
  source.exec(`PRAGMA journal_mode=WAL;
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, big BLOB);
    CREATE TABLE part (a TEXT, b INTEGER, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE INDEX item_big ON item (big);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
      INSERT INTO item SELECT i, 'name ' || i, randomblob(20) FROM n;`);
});

afterEach(async () => {
  await running?.kill();
  source.close();
  rmSync(folder, { recursive: true, force: true });
});

function spec(type: JobSpec['type']): JobSpec {
  return jobSpec({
    id: 'canaltest0000000',
    type,
    source: sqliteSide(folder, 'source.db'),
    target: sqliteSide(folder, 'target.db'),
    tables: wholeTables(names, 'main'),
  });
}

/** User writes of every kind, among them to keys that are not copied yet. */
function write(step: number): void {
  const id = 1 + ((step * 7919) % 30_000);
  source.exec(`BEGIN IMMEDIATE;
    INSERT INTO part VALUES ('a${step % 50}', ${step % 7}, ${step}) ON CONFLICT DO UPDATE SET v = excluded.v;
    UPDATE item SET name = 'new ${step}' WHERE id = ${id};
    DELETE FROM item WHERE id = ${1 + ((step * 104_729) % 30_000)};
    UPDATE item SET id = ${100_000 + step} WHERE id = ${1 + ((step * 31) % 30_000)};
    REPLACE INTO item VALUES (${200_000 + (step % 9)}, 'replaced ${step % 5}', NULL);
    COMMIT;`);
}

function rowsOf(database: DatabaseSync) {
  return names.map((name) => database.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all());
}

/** Compares both files until they are the same; `until` reports the job's own end. */
async function expectEqual(job: JobProcess): Promise<void> {
  const target = new DatabaseSync(join(folder, 'target.db'), { readOnly: true, timeout: 60_000 });
  try {
    const wanted = JSON.stringify(rowsOf(source));
    await job.until(() => JSON.stringify(rowsOf(target)) === wanted);
    expect(JSON.stringify(rowsOf(target))).toBe(wanted);
  } finally {
    target.close();
  }
}

const isLive = (job: JobProcess) => () => names.every((name) => job.states()[`main.${name}`] === 'live');

test('a job that would write to a table it reads is refused, even under another file name', async () => {
  symlinkSync(join(folder, 'source.db'), join(folder, 'other.db'));
  const circle = { ...spec('SYNC'), target: sqliteSide(folder, 'other.db') };
  running = new JobProcess(circle);
  expect(await running.end()).toMatchObject({ kind: 'failed', fault: { code: 'TARGET_IS_SOURCE', retry: 'manual' } });
  const tables = circle.tables.map((table) => ({ ...table, target: { ...table.target, name: `${table.name}_copy` } }));
  running = new JobProcess({ ...circle, tables });
  await running.until(() => running?.states()['main.item'] === 'live');
});

test('a job killed while copying and while following ends with the source rows', async () => {
  for (let round = 0; round < 4; round++) {
    running = new JobProcess(spec('SYNC'));
    // The first round is killed as soon as there is anything to kill.
    await running.until((reports) => (round === 0 ? reports.length > 1 : isLive(running as JobProcess)()));
    for (let step = round * 200; step < round * 200 + 200; step++) write(step);
    await running.kill();
  }
  running = new JobProcess(spec('SYNC'));
  await running.until(isLive(running));
  await expectEqual(running);
  running.send({ kind: 'stop' });
  expect(await running.end()).toEqual({ kind: 'ended', complete: false });
});

test('a paused table stays unchanged while the other continues, and a resync updates it', async () => {
  running = new JobProcess(spec('SYNC'));
  await running.until(isLive(running));
  running.send({ kind: 'table', id: 'item', action: 'pause' });
  await running.until(() => running?.states()['main.item'] === 'paused');
  for (let step = 0; step < 50; step++) write(step);
  const target = new DatabaseSync(join(folder, 'target.db'), { readOnly: true, timeout: 60_000 });
  await running.until(() => target.prepare('SELECT count(*) AS n FROM part').get()?.n === 50);
  expect(target.prepare(`SELECT count(*) AS n FROM item WHERE name LIKE 'new%'`).get()).toEqual({ n: 0 });
  target.close();
  running.send({ kind: 'table', id: 'item', action: 'resume' });
  await running.until(isLive(running));
  await expectEqual(running);
});

test('a SYNC job copies a table again that was dropped at the target while no process ran', async () => {
  running = new JobProcess(spec('SYNC'));
  await running.until(isLive(running));
  await running.kill();
  const target = new DatabaseSync(join(folder, 'target.db'), { timeout: 60_000 });
  target.exec('DROP TABLE item');
  target.close();
  running = new JobProcess(spec('SYNC'));
  await running.until(isLive(running));
  await expectEqual(running);
});

test('rows that do not match a filter are not at the target', async () => {
  const filtered = spec('SYNC');
  filtered.tables = filtered.tables.map((table) =>
    table.name === 'item' ? { ...table, filter: "id % 2 = 0 OR name LIKE 'new%'" } : table,
  );
  running = new JobProcess(filtered);
  const job = running;
  await job.until(isLive(job));
  for (let step = 0; step < 200; step++) write(step);
  source.exec(`UPDATE item SET name = 'old ' || id WHERE name LIKE 'new%' AND id % 3 = 0`);
  const wanted = source.prepare(`SELECT * FROM item WHERE id % 2 = 0 OR name LIKE 'new%' ORDER BY 1`).all();
  const target = new DatabaseSync(join(folder, 'target.db'), { readOnly: true, timeout: 60_000 });
  const rows = () => JSON.stringify(target.prepare('SELECT * FROM item ORDER BY 1').all());
  await job.until(() => rows() === JSON.stringify(wanted));
  expect(wanted.length).toBeGreaterThan(10_000);
  target.close();
});

test('a full copy ends on its own, with its indexes', async () => {
  running = new JobProcess(spec('MIGRATION'));
  expect(await running.end()).toEqual({ kind: 'ended', complete: true });
  expect(running.states()).toEqual({ 'main.item': 'done', 'main.part': 'done' });
  const target = new DatabaseSync(join(folder, 'target.db'), { readOnly: true });
  expect(JSON.stringify(rowsOf(target))).toBe(JSON.stringify(rowsOf(source)));
  expect(target.prepare(`SELECT name FROM sqlite_schema WHERE name = 'item_big'`).get()).toEqual({ name: 'item_big' });
  target.close();
  // It writes no more, so another job may.
  running = new JobProcess({ ...spec('MIGRATION'), id: 'canaltest1111111' });
  expect(await running.end()).toEqual({ kind: 'ended', complete: true });
});

test('a resumed full copy copies a table again that was dropped at the target meanwhile', async () => {
  const copy = spec('MIGRATION');
  const first = new JobProcess(copy);
  running = first;
  first.send({ kind: 'table', id: 'part', action: 'pause' });
  await first.until(() => first.states()['main.item'] === 'done' && first.states()['main.part'] === 'paused');
  await first.kill();
  const target = new DatabaseSync(join(folder, 'target.db'), { timeout: 60_000 });
  target.exec('DROP TABLE item');
  running = new JobProcess(copy);
  running.send({ kind: 'table', id: 'part', action: 'resume' });
  expect(await running.end()).toEqual({ kind: 'ended', complete: true });
  expect(JSON.stringify(rowsOf(target)) === JSON.stringify(rowsOf(source))).toBe(true);
  target.close();
});
