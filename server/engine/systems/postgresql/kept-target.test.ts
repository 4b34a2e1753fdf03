import { describe, expect } from 'vitest';
import { wholeTables } from '../../../testing/job-spec.ts';
import type { PairJob } from '../../../testing/pair-job.ts';
import type { SourceDatabase } from '../../../testing/postgres-source.ts';
import { rows, saidOf, test } from '../../../testing/watched-tables.ts';

/** Jobs that copy nothing, or keep rows that they find: target rows may belong to someone else, even after a change. */

const own = `INSERT INTO public.item VALUES (7, 700, 'own of 7'), (5001, 1, 'own');
  INSERT INTO public.other VALUES (3, 'own of 3'), (5001, 'own'); INSERT INTO public.parted VALUES (5, 'own of 5'), (5001, 'own')`;
const ownRows = (target: SourceDatabase) =>
  target.sql(`SELECT * FROM (SELECT id, v::text FROM public.item UNION ALL SELECT id, v FROM public.other
    UNION ALL SELECT id, v FROM public.parted) AS a WHERE id IN (3, 5, 7, 5001) ORDER BY 1, 2`);

describe.for([
  ['that copies nothing', { initialLoad: false }],
  ['that keeps existing rows', { conflict: 'ignore' }],
] as const)('a job %s', ([_kind, changes]) => {
  test.for<[statement: string, table: string, sentence: string]>([
    ["ALTER TABLE public.other ADD COLUMN w text DEFAULT 'new'", 'other', 'column w was added'],
    [
      "ALTER TABLE public.other ADD COLUMN w text DEFAULT 'new'; ALTER TABLE public.other ALTER w DROP DEFAULT",
      'other',
      'column w was added',
    ],
    ['ALTER TABLE public.other ADD COLUMN w serial', 'other', 'column w was added'],
    ['ALTER TABLE public.parted ADD COLUMN w text', 'parted', 'column w was added'],
    ['ALTER TABLE public.item ALTER v TYPE bigint', 'item', 'its rows were rewritten'],
    ['ALTER TABLE public.parted DETACH PARTITION public.parted_1', 'parted', 'a partition was detached'],
    [
      'BEGIN; ALTER TABLE public.other DROP COLUMN v; ALTER TABLE public.other ADD COLUMN v text; COMMIT',
      'other',
      'column v was added',
    ],
  ])(
    'waits for an operator after %s, and deletes nothing',
    async ([statement, table, sentence], { source, target, start }) => {
      await target.sql(own);
      const job = await start(undefined, changes);
      const before = await ownRows(target);
      await source.sql(statement);
      await job.untilState(`public.${table}`, 'blocked');
      expect(saidOf(job, table).at(-1)).toContain(sentence);
      expect(await ownRows(target)).toEqual(before);
    },
  );

  test('deletes nothing after changes made while no process ran', async ({ source, target, begin, start }) => {
    await target.sql(own);
    const first = await start(undefined, changes);
    const before = await ownRows(target);
    await first.stop();
    await source.sql(`ALTER TABLE public.other ADD COLUMN w text DEFAULT 'new'; ALTER TABLE public.other DROP COLUMN v;
      TRUNCATE public.parted_1`);
    const job = await begin(['item', 'other', 'parted'], { ...changes, structure: true });
    for (const name of ['other', 'parted']) await job.untilState(`public.${name}`, 'blocked');
    expect(await ownRows(target)).toEqual(before);
  });

  test('continues after a type is widened without a rewrite, and after a column is dropped', async ({
    source,
    target,
    start,
  }) => {
    await Promise.all([source, target].map((db) => db.sql('ALTER TABLE public.other ALTER v TYPE varchar(10)')));
    await target.sql(own);
    const job = await start(undefined, changes);
    await source.sql('ALTER TABLE public.other ALTER v TYPE varchar(20)');
    await job.until(() => saidOf(job, 'other').some((event) => event.includes('Columns were widened')));
    await source.sql(`ALTER TABLE public.item DROP COLUMN v; INSERT INTO public.item (id, code) VALUES (200, 'told');
      INSERT INTO public.other VALUES (200, 'of twenty letters 20')`);
    await job.until(async () => (await target.sql('SELECT FROM public.item WHERE id = 200')).length === 1);
    expect([await rows(target, 'other'), await rows(target, 'item')]).toEqual([
      expect.stringMatching(/own of 3.*of twenty letters 20.*own/),
      expect.stringMatching(/own of 7.*told.*own/),
    ]);
    expect(['public.item', 'public.other'].map((name) => job.state(name))).toEqual(['live', 'live']);
  });

  describe('continues with columns that are NULL in every row', () => {
    const added = `BEGIN; ALTER TABLE public.other ADD COLUMN w text, ADD COLUMN x public.mood;
      INSERT INTO public.other VALUES (200, 'v', 'told', 'a'); UPDATE public.other SET w = 'set', v = 'v' WHERE id = 3;
      INSERT INTO public.other VALUES (202, 'v', 'moved', 'c'); UPDATE public.other SET id = 203 WHERE id = 202;
      INSERT INTO public.other VALUES (204, 'v', 'gone', 'c'); DELETE FROM public.other WHERE id = 204; COMMIT`;
    const told = [
      ['3', 'v', 'set', null],
      ['200', 'v', 'told', 'a'],
      ['203', 'v', 'moved', 'c'],
      ['205', 'v', 'after', 'a'],
      ['5001', 'own', null, null],
    ];
    const columns = (target: SourceDatabase) =>
      target.sql(`SELECT FROM pg_attribute WHERE attrelid = 'public.other'::regclass AND attname IN ('w', 'x')`);
    const seen = (target: SourceDatabase) =>
      target.sql('SELECT * FROM public.other WHERE id IN (3, 200, 202, 203, 204, 205, 5001) ORDER BY id');
    const last = `INSERT INTO public.other VALUES (205, 'v', 'after', 'a')`;
    const hasAdded = (job: PairJob) =>
      saidOf(job, 'other').join().includes('Columns were added') && job.job.rereads.length === 0;

    test('when they are added, including rows logged meanwhile', async ({ source, target, start }) => {
      await target.sql(own);
      const job = await start(undefined, changes);
      await source.sql(added);
      await job.until(() => hasAdded(job));
      await source.sql(last);
      await job.until(async () => (await seen(target)).length === told.length);
      expect(await seen(target)).toEqual(told);
      expect(job.state('public.other')).toBe('live');
    });

    test('when they were added while no process ran', async ({ source, target, begin, start }) => {
      await target.sql(own);
      const first = await start(undefined, changes);
      await first.stop();
      await source.sql(added);
      const job = await begin(['item', 'other', 'parted'], { ...changes, structure: true });
      await job.until(() => hasAdded(job));
      await source.sql(last);
      await job.until(async () => (await seen(target)).length === told.length);
      expect(await seen(target)).toEqual(told);
    });

    test('when the target already has them', async ({ source, target, start }) => {
      await target.sql(`${own}; ALTER TABLE public.other ADD COLUMN w text, ADD COLUMN x public.mood`);
      const job = await start(undefined, changes);
      await source.sql(`${added}; ${last}`);
      await job.until(() => hasAdded(job));
      await job.until(async () => (await seen(target)).length === told.length);
      expect(await seen(target)).toEqual(told);
    });

    test('but not if the target has values in them', async ({ source, target, start }) => {
      await target.sql(`${own}; ALTER TABLE public.other ADD COLUMN w text, ADD COLUMN x public.mood;
        UPDATE public.other SET x = 'a' WHERE id = 5001`);
      const job = await start(undefined, changes);
      await source.sql(added);
      await job.untilState('public.other', 'blocked');
      expect(saidOf(job, 'other').at(-1)).toContain('column w was added');
    });

    test('but not if more rows have values than can be read again', async ({ source, target, start }) => {
      await target.sql(own);
      const job = await start(undefined, changes);
      await source.sql(`BEGIN; ALTER TABLE public.other ADD COLUMN w text;
        INSERT INTO public.other SELECT i, 'v', 'told' FROM generate_series(10001, 20001) AS i; COMMIT`);
      await job.untilState('public.other', 'blocked');
      expect(saidOf(job, 'other').at(-1)).toContain(
        'column w was added, and more than 10000 rows were written with it',
      );
      expect(await columns(target)).toEqual([]);
      job.request('public.other', 'resync');
      await job.untilState('public.other', 'live');
      expect(await rows(target, 'other')).toBe(await rows(source, 'other'));
    });
  });

  test('keeps a row parked when it continues with a wider type', async ({ source, target, start }) => {
    await Promise.all([source, target].map((db) => db.sql('ALTER TABLE public.other ALTER v TYPE varchar(10)')));
    await target.sql(`${own}; ALTER TABLE public.other ADD CONSTRAINT good CHECK (v <> 'bad')`);
    const job = await start(undefined, changes);
    await source.sql(`INSERT INTO public.other VALUES (200, 'bad')`);
    await job.until(() => saidOf(job, 'other').some((event) => event.includes('parked')));
    await source.sql('ALTER TABLE public.other ALTER v TYPE varchar(20)');
    await job.until(() => saidOf(job, 'other').some((event) => event.includes('still parked: retry them')));
    await target.sql('ALTER TABLE public.other DROP CONSTRAINT good');
    await source.sql(
      `UPDATE public.other SET v = 'good' WHERE id = 200; INSERT INTO public.other VALUES (201, 'after')`,
    );
    await job.until(async () => (await target.sql('SELECT FROM public.other WHERE id = 201')).length === 1);
    // Changes to a parked row wait with it.
    expect(await target.sql('SELECT FROM public.other WHERE id = 200')).toEqual([]);
    expect(job.state('public.other')).toBe('live');
  });

  test("treats a resync as an operator's decision to copy", async ({ source, target, start, untilEqual }) => {
    await target.sql(own);
    const job = await start(undefined, changes);
    await source.sql(`ALTER TABLE public.other ADD COLUMN w text DEFAULT 'new'`);
    await job.untilState('public.other', 'blocked');
    job.request('public.other', 'resync');
    await job.untilState('public.other', 'live');
    await untilEqual(job, 'other');
  });
});

test('a row that the job does not own does not make room for a logged one', async ({ source, target, start }) => {
  await target.sql(own);
  const [item] = wholeTables(['item']);
  if (!item) throw new Error('There is a table.');
  const job = await start(['item'], { initialLoad: false, tables: [{ ...item, filter: 'v > 0' }] });
  await source.sql(`INSERT INTO public.item VALUES (200, 1, 'own', 'a')`);
  await job.until(() => saidOf(job, 'item').length > 0);
  expect(saidOf(job, 'item')).toEqual([
    expect.stringContaining('The target refused a row, which is parked (UNIQUE_REFUSED'),
  ]);
  expect(await target.sql(`SELECT id FROM public.item WHERE code = 'own'`)).toEqual([['5001']]);
});

test('a job that keeps existing rows, and found none, copies on its own', async ({ source, start, untilEqual }) => {
  const job = await start(undefined, { conflict: 'ignore' });
  await source.sql(`ALTER TABLE public.other ADD COLUMN w text DEFAULT 'new'`);
  await untilEqual(job, 'other');
  await job.untilState('public.other', 'live');
});
