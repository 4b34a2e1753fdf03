import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { createDatabase } from '../testing/postgres.ts';
import { TestDatabase } from '../testing/rig/database.ts';
import type { JobSpec } from './job.ts';

const names = ['item', 'parted', 'pile', 'last'] as const;
let source: TestDatabase;
let target: TestDatabase;
let copy: JobSpec;
let running: JobProcess | undefined;

beforeEach(async () => {
  source = new TestDatabase(await createDatabase(inject('postgresUrl')));
  target = new TestDatabase(await createDatabase(inject('postgresUrl')));
  copy = jobSpec({
    type: 'MIGRATION',
    source: postgresSide(source.url),
    target: postgresSide(target.url),
    tables: wholeTables(names),
  });
  await source.ask(`CREATE TABLE parted (id int PRIMARY KEY, name text) PARTITION BY RANGE (id);
    CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (100);
    CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (100) TO (1000);
    CREATE TABLE pile (id int, name text)`);
  for (const name of names)
    await source.ask(`CREATE TABLE IF NOT EXISTS ${name} (id int PRIMARY KEY, name text);
      INSERT INTO ${name} SELECT i, '${name} ' || i FROM generate_series(0, 299) i`);
});
afterEach(async () => {
  await running?.kill();
  await source.close();
  await target.close();
});

async function rowsOf(database: TestDatabase): Promise<unknown[][]> {
  const selects = names.map((name) => `SELECT '${name}', id, name FROM public.${name}`);
  return await database.ask(`${selects.join(' UNION ALL ')} ORDER BY 1, 2`);
}

/** Starts the copy, with an order for the table that it copies last. */
async function start(action: 'pause' | 'resume'): Promise<JobProcess> {
  const [[id] = []] = await source.ask(`SELECT 'last'::regclass::oid::text`);
  running = new JobProcess(copy);
  running.send({ kind: 'table', id: String(id), action });
  return running;
}

test.each(['MIGRATION', 'SYNC'] as const)(
  'a table that is resumed before its copy has ended keeps rows that are not the job’s (%s)',
  async (type) => {
    copy = { ...copy, type, conflict: 'ignore', tables: wholeTables(['item', 'last']) };
    await target.ask(
      "CREATE TABLE last (id int PRIMARY KEY, name text); INSERT INTO last VALUES (-1, 'own'), (1, 'own')",
    );
    const job = await start('pause');
    const copied = type === 'SYNC' ? 'live' : 'done';
    const isAt = (last: string) => () => job.states()['public.item'] === copied && job.states()['public.last'] === last;
    await job.until(isAt('paused'));
    const [[id] = []] = await source.ask(`SELECT 'last'::regclass::oid::text`);
    job.send({ kind: 'table', id: String(id), action: 'resume' });
    await job.until(isAt(copied));
    expect(await target.ask('SELECT id, name FROM last WHERE id < 2 ORDER BY id')).toEqual([
      [-1, 'own'],
      [0, 'last 0'],
      [1, 'own'],
    ]);
    expect(await target.ask('SELECT count(*)::int FROM last')).toEqual([[301]]);
  },
);

test.each([
  ['emptied', 'TRUNCATE item, parted_1, pile', 'public.item, public.parted, public.pile'],
  // The other tables stay as they are; that the copy itself emptied one of them first is no reason to copy it again.
  ['recreated', 'DROP TABLE item', 'public.item'],
])('a resumed full copy copies tables again that were %s at the target meanwhile', async (_, sql, lost) => {
  const first = await start('pause');
  const isDone = () =>
    names.every((name) => first.states()[`public.${name}`] === (name === 'last' ? 'paused' : 'done'));
  await first.until(isDone);
  await first.kill();
  await target.ask(sql);
  const second = await start('resume');
  expect(await second.end()).toEqual({ kind: 'ended', complete: true });
  expect(await rowsOf(target)).toEqual(await rowsOf(source));
  const sentences = second.reports.flatMap((report) => (report.kind === 'event' ? [report.sentence] : []));
  expect(sentences.filter((sentence) => sentence.includes('first row'))).toEqual([
    `Target tables were recreated, emptied or rewritten after rows were copied into them, so they are copied from the first row: ${lost}.`,
  ]);
});
