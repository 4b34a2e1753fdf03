import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { PairJob, pairSpec } from '../../../testing/pair-job.ts';
import { newJob, openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';
import { heldAfter } from '../../handover/readings.ts';

/** Copies of tables whose keys can be written in more than one way. */

let source: SourceDatabase;
let target: SourceDatabase;
let running: PairJob | undefined;

beforeEach(async () => {
  const server = inject('postgresUrl');
  [source, target] = [await openSourceDatabase(server), await openSourceDatabase(server)];
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  await Promise.all([source.close(), target.close()]);
});

async function start(): Promise<PairJob> {
  running = await PairJob.start(source, target, pairSpec(newJob(), ['item']));
  await running.untilState('public.item', 'live');
  return running;
}

const count = async () => Number((await target.sql('SELECT count(*) FROM public.item'))[0]?.[0]);

async function resync(job: PairJob): Promise<void> {
  const [table] = job.job.tables.values();
  const before = table?.generation ?? 0;
  job.request('public.item', 'resync');
  await job.until(() => (table?.generation ?? 0) > before && table?.mark.state === 'live');
}

test('a resync keeps rows whose keys the target writes differently, and reports what it leaves', async () => {
  await source.sql(`CREATE TABLE public.item (id varchar(36) PRIMARY KEY, v text);
    INSERT INTO public.item SELECT upper(md5(i::text)::uuid::text), 'v' FROM generate_series(1, 120) AS i`);
  await target.sql('CREATE TABLE public.item (id uuid PRIMARY KEY, v text)');
  const job = await start();
  await target.sql("UPDATE public.item SET v = 'of somebody else'");
  await resync(job);
  expect(await count()).toBe(120);
  expect(await target.sql('SELECT DISTINCT v FROM public.item')).toEqual([['v']]);
  expect(job.events).toEqual([expect.stringMatching(/^public\.item: The key has a different type at the target/)]);
});

test.each([
  ['varchar(36)', 'text'],
  ['text', 'varchar'],
  ['uuid', 'text'],
])('a resync deletes rows that the source lacks if its key is %s and the target key is %s', async (from, to) => {
  await source.sql(`CREATE TABLE public.item (id ${from} PRIMARY KEY, v text);
    INSERT INTO public.item SELECT md5(i::text)::uuid::text::${from}, 'v' FROM generate_series(1, 120) AS i`);
  await target.sql(`CREATE TABLE public.item (id ${to} PRIMARY KEY, v text)`);
  const job = await start();
  await target.sql("INSERT INTO public.item VALUES ('00000000-0000-0000-0000-000000000000', 'of somebody else')");
  await resync(job);
  expect(await count()).toBe(120);
  expect(job.events).toEqual([]);
});

test('a resync finds the rows that the source lacks in few questions if equal keys differ in text', async () => {
  const made = 'CREATE TABLE public.item (word text, id numeric, PRIMARY KEY (word, id))';
  for (const one of [source, target]) await one.sql(made);
  await source.sql("INSERT INTO public.item SELECT 'here', i FROM generate_series(1, 400) AS i");
  const job = await start();
  await target.sql(`UPDATE public.item SET id = id * 1.0;
    INSERT INTO public.item SELECT 'gone', i FROM generate_series(1, 400) AS i`);
  const read = job.job.source.read.bind(job.job.source);
  let questions = 0;
  job.job.source.read = async (table, part, filter) => {
    if ('keys' in part) questions++;
    return await read(table, part, filter);
  };
  await resync(job);
  expect(await count()).toBe(400);
  expect(questions).toBeLessThan(100);
});

test('a table whose equal keys differ in text is copied although each chunk meets a change', async () => {
  await source.sql(`CREATE TABLE public.item (id numeric PRIMARY KEY, v int);
    INSERT INTO public.item SELECT i, 0 FROM generate_series(1, 40) AS i`);
  await target.sql('CREATE TABLE public.item (id numeric PRIMARY KEY, v int)');
  const job = await start();
  const read = job.job.source.read.bind(job.job.source);
  let changes = 0;
  let isHeld = false;
  let wasHeld = false;
  job.job.source.read = async (table, part, filter) => {
    const chunk = await read(table, part, filter);
    if (!('range' in part)) return chunk;
    changes++;
    await source.sql(`UPDATE public.item SET v = ${changes} WHERE id = 1`);
    if (changes <= heldAfter) {
      await job.until(async () => (await target.sql(`SELECT FROM public.item WHERE v = ${changes}`)).length > 0);
      return chunk;
    }
    isHeld = true;
    void job.job.locks.with([table.id], async () => {
      isHeld = false;
    });
    await setImmediate();
    wasHeld = isHeld;
    return chunk;
  };
  await resync(job);
  expect([changes, wasHeld]).toEqual([heldAfter + 1, true]);
  const rows = 'SELECT id, v FROM public.item ORDER BY id';
  const wanted = JSON.stringify(await source.sql(rows));
  await job.until(async () => JSON.stringify(await target.sql(rows)) === wanted);
});
