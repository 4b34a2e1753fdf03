import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, sqliteSide, wholeTables } from '../testing/job-spec.ts';
import { patience } from '../testing/patience.ts';
import type { JobSpec } from './job.ts';

let folder: string;
let source: DatabaseSync;
let target: DatabaseSync;
let running: JobProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-replay-'));
  source = new DatabaseSync(join(folder, 'source.db'), { timeout: 60_000 });
  target = new DatabaseSync(join(folder, 'target.db'), { timeout: 60_000 });
  source.exec(`CREATE TABLE item (id INTEGER PRIMARY KEY, note TEXT);
    INSERT INTO item VALUES (1, 'new'), (3, 'new');
    CREATE TABLE other (id INTEGER PRIMARY KEY)`);
  // The rows of the run before.
  target.exec(`CREATE TABLE item (id INTEGER PRIMARY KEY, note TEXT);
    INSERT INTO item VALUES (1, 'old'), (2, 'deleted at the source');
    CREATE TABLE other (id INTEGER PRIMARY KEY)`);
});
afterEach(async () => {
  await running?.kill();
  source.close();
  target.close();
  rmSync(folder, { recursive: true });
});

const rows = (database: DatabaseSync) => database.prepare('SELECT id, note FROM item ORDER BY id').all();

function replayOf(changes: Partial<JobSpec>): JobSpec {
  const tables = wholeTables(['item', 'other'], 'main');
  const sides = { source: sqliteSide(folder, 'source.db'), target: sqliteSide(folder, 'target.db') };
  return jobSpec({ ...sides, tables, structure: false, replays: true, ...changes });
}

/** Runs the job until `other` is copied, without `item`. */
async function runWithout(spec: JobSpec): Promise<void> {
  const job = new JobProcess(spec);
  running = job;
  const isFull = spec.type === 'MIGRATION';
  if (isFull) await job.end();
  else await job.until(() => job.states()['main.other'] === 'live');
  expect(job.states()['main.item']).not.toBe('live');
  if (!isFull) await job.kill();
}

describe.each(['SYNC', 'MIGRATION'] as const)(
  'a table that takes part only at a later start of a replay, %s',
  (type) => {
    test.each([
      ['missing at the source', 'ignore'],
      ['missing at the source', 'replace'],
      ['without a column at the target', 'ignore'],
      ['without a column at the target', 'replace'],
    ] as const)('is brought in line with the source: %s, %s', async (why, conflict) => {
      const spec = replayOf({ type, conflict });
      const [file, there, back] =
        why === 'missing at the source'
          ? [source, 'ALTER TABLE item RENAME TO away', 'ALTER TABLE away RENAME TO item']
          : [target, 'ALTER TABLE item RENAME COLUMN note TO away', 'ALTER TABLE item RENAME COLUMN away TO note'];
      file.exec(there);
      await runWithout(spec);
      source.exec(`UPDATE ${why === 'missing at the source' ? 'away' : 'item'} SET note = 'newer' WHERE id = 3`);
      file.exec(back);
      running = new JobProcess(spec);
      await expect.poll(() => rows(target), patience).toEqual(rows(source));
    });
  },
);

test.each([
  ['SYNC', 'one of two tables'],
  ['SYNC', 'the only table'],
  ['MIGRATION', 'one of two tables'],
  ['MIGRATION', 'the only table'],
] as const)(
  'a target that another job wrote into keeps its rows once that job is gone, %s, %s',
  async (type, which) => {
    const tables = replayOf({}).tables.filter(({ name }) => name === 'item' || which === 'one of two tables');
    const other = replayOf({ tables: tables.slice(0, 1), replays: false });
    const before = new JobProcess(other);
    running = before;
    await before.until(() => before.states()['main.item'] === 'live');
    await before.kill();
    const spec = replayOf({ type, tables });
    if (which === 'one of two tables') await runWithout(spec);
    else expect(await new JobProcess(spec).end()).toMatchObject({ kind: 'failed', fault: { code: 'TARGET_TAKEN' } });
    target.prepare('DELETE FROM millrace_target WHERE job = ?').run(other.id);
    source.exec('DELETE FROM item WHERE id = 3');
    const job = new JobProcess(spec);
    running = job;
    if (type === 'MIGRATION') await job.end();
    else await job.until(() => job.states()['main.item'] === 'live');
    expect(rows(target)).toEqual([
      { id: 1, note: 'new' },
      { id: 2, note: 'deleted at the source' },
      { id: 3, note: 'new' },
    ]);
  },
);

test('a table that was added since the replay keeps the rows that its target had', async () => {
  const tables = wholeTables(['item', 'other'], 'main').map((table, place) =>
    place === 0 ? { ...table, isLater: true as const } : table,
  );
  const job = new JobProcess(replayOf({ tables, conflict: 'ignore' }));
  running = job;
  await job.until(() => job.states()['main.item'] === 'live');
  expect(rows(target)).toEqual([
    { id: 1, note: 'old' },
    { id: 2, note: 'deleted at the source' },
    { id: 3, note: 'new' },
  ]);
});

test('more surplus rows than fit into memory are deleted', async () => {
  target.exec(`WITH RECURSIVE number (n) AS (SELECT 10 UNION ALL SELECT n + 1 FROM number WHERE n < 400000)
    INSERT INTO item SELECT n, 'gone from the source' FROM number`);
  const job = new JobProcess(replayOf({}), { execArgv: ['--max-old-space-size=64'] });
  running = job;
  await job.until(() => job.states()['main.item'] === 'live');
  expect(rows(target)).toEqual(rows(source));
});
