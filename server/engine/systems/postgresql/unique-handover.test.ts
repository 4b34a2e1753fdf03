import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { PairJob, pairSpec } from '../../../testing/pair-job.ts';
import { newJob, openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';

/** Unique values that went from row to row while the target, which has the unique index, did not look. */

let source: SourceDatabase;
let target: SourceDatabase;
let running: PairJob | undefined;
let id: string;

const rows = 300;
const structure = `
  CREATE TABLE public.item (id int PRIMARY KEY, code text UNIQUE, a int, b int, note text,
    low text GENERATED ALWAYS AS (lower(code)) STORED);
  CREATE UNIQUE INDEX item_pair ON public.item (a, b) WHERE a > 0;
  CREATE UNIQUE INDEX item_note ON public.item ((lower(note)))`;
const fill = `INSERT INTO public.item SELECT i, 'c' || i, i, i, 'note ' || i FROM generate_series(1, ${rows}) AS i`;

/** Every row takes the unique values of the next one, and the last those of the first. */
const turn = `
  UPDATE public.item SET code = 'x' || id, a = -id, note = 'x' || id;
  UPDATE public.item SET code = 'c' || (id % ${rows} + 1), a = id % ${rows} + 1, b = id % ${rows} + 1,
    note = 'NOTE ' || (id % ${rows} + 1)`;

beforeEach(async () => {
  const server = inject('postgresUrl');
  [source, target] = [await openSourceDatabase(server), await openSourceDatabase(server)];
  id = newJob();
  for (const db of [source, target]) await db.sql(structure);
  await source.sql(fill);
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  await Promise.all([source.close(), target.close()]);
});

async function told(db: SourceDatabase): Promise<string> {
  return JSON.stringify(await db.sql('SELECT * FROM public.item ORDER BY id'));
}

async function untilEqual(job: PairJob): Promise<void> {
  await job.until(async () => (await told(source)) === (await told(target)));
}

test('a resync takes over what was handed on during a pause', async () => {
  running = await PairJob.start(source, target, pairSpec(id, ['item']));
  const job = running;
  await job.untilState('public.item', 'live');
  job.request('public.item', 'pause');
  await job.untilState('public.item', 'paused');
  await source.sql(turn);
  await source.sql('DELETE FROM public.item WHERE id % 7 = 0');
  job.request('public.item', 'resync');
  await job.untilState('public.item', 'live');
  await untilEqual(job);
  await source.sql(`UPDATE public.item SET note = 'told' WHERE id = 1`);
  await untilEqual(job);
  expect(job.events).toEqual([]);
});

test('a copy over rows of an earlier moment takes their unique values, while users hand them on', async () => {
  await target.sql(fill);
  await source.sql(turn);
  running = await PairJob.start(source, target, pairSpec(id, ['item'], { parallel: 4 }));
  const job = running;
  for (let round = 0; round < 20; round++) {
    const [from, to] = [1 + ((round * 37) % rows), 1 + ((round * 53 + 11) % rows)];
    await source.sql(`
      UPDATE public.item SET code = 'gone ' || id WHERE id IN (${from}, ${to});
      UPDATE public.item SET code = 'c' || ${from} WHERE id = ${to} AND NOT EXISTS (
        SELECT FROM public.item WHERE code = 'c' || ${from})`);
  }
  await job.untilState('public.item', 'live');
  await untilEqual(job);
  expect(job.events).toEqual([]);
});

test('a unique index that the source lacks ends in a blocked table, not in a circle', async () => {
  await source.sql('DROP INDEX public.item_pair; UPDATE public.item SET a = 1, b = 1 WHERE id < 3');
  running = await PairJob.start(source, target, pairSpec(id, ['item']));
  await running.untilState('public.item', 'blocked');
  expect(running.events.join()).toContain('A unique index of the target refuses a row');
});
