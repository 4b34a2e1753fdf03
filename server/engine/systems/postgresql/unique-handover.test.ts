import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { PairJob, pairSpec, type Users } from '../../../testing/pair-job.ts';
import { patience } from '../../../testing/patience.ts';
import { newJob, openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';

/** Unique values that moved from row to row without the target, which has the unique index, seeing the steps. */

let source: SourceDatabase;
let target: SourceDatabase;
let running: PairJob | undefined;
let id: string;

const rows = 300;
const structure = `
  CREATE TABLE public.item (id int PRIMARY KEY, code text UNIQUE, a int, b int, note text,
    low text GENERATED ALWAYS AS (lower(code)) STORED,
    tag text, low_tag text GENERATED ALWAYS AS (lower(tag)) STORED UNIQUE,
    spot int, third numeric(10,2) GENERATED ALWAYS AS (spot / 3.0) STORED UNIQUE,
    during int4range, EXCLUDE USING gist (during WITH &&));
  CREATE UNIQUE INDEX item_pair ON public.item (a, b) WHERE a > 0;
  CREATE UNIQUE INDEX item_note ON public.item ((lower(note)))`;
const fill = `INSERT INTO public.item (id, code, a, b, note, tag, spot, during)
  SELECT i, 'c' || i, i, i, 'note ' || i, 'tag ' || i, i, int4range(i, i + 1) FROM generate_series(1, ${rows}) AS i`;

/** Every row takes unique values from other rows: each kind of value from a different one. */
const turn = `
  UPDATE public.item SET code = 'x' || id, a = -id, note = 'x' || id, tag = 'x' || id, spot = -id,
    during = int4range(-id, 1 - id);
  UPDATE public.item SET code = 'c' || (id % ${rows} + 1), a = id % ${rows} + 1, b = id % ${rows} + 1,
    note = 'NOTE ' || ((id + 1) % ${rows} + 1), tag = 'TAG ' || ((id + 2) % ${rows} + 1),
    during = int4range((id + 3) % ${rows} + 1, (id + 3) % ${rows} + 2), spot = (id + 4) % ${rows} + 1`;

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

/** What a job said, except that it waits for a lock: a starved machine holds that of a test for long. */
function saidBy({ events }: PairJob): string[] {
  return events.filter((event) => !event.includes('Another session holds a lock on the table'));
}

async function untilEqual(job: PairJob): Promise<void> {
  await job.until(async () => (await told(source)) === (await told(target)));
}

test('a live table follows unique values that move between rows', async () => {
  running = await PairJob.start(source, target, pairSpec(id, ['item']));
  await running.untilState('public.item', 'live');
  await source.sql(turn);
  await untilEqual(running);
  await source.sql(`UPDATE public.item SET during = int4range(-id, 1 - id);
    UPDATE public.item SET during = int4range(id, id + 1)`);
  await untilEqual(running);
  expect(running.events).toEqual([]);
});

test('an index of the target alone, over columns that rows lack, is considered too', async () => {
  await target.sql(`ALTER TABLE public.item ADD COLUMN shard int NOT NULL DEFAULT 1,
    ADD COLUMN part text GENERATED ALWAYS AS (shard || ' ' || note) STORED`);
  await target.sql(fill);
  await target.sql('CREATE UNIQUE INDEX item_part ON public.item (part); DROP INDEX public.item_note');
  await source.sql(`${turn}; UPDATE public.item SET note = lower(note)`);
  running = await PairJob.start(source, target, pairSpec(id, ['item']));
  await running.untilState('public.item', 'live');
  const columns = 'SELECT id, code, note FROM public.item ORDER BY id';
  expect(await target.sql(columns)).toEqual(await source.sql(columns));
  expect(running.events).toEqual([]);
});

test('a resync follows unique values that moved during a pause', async () => {
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

test('a copy over older rows takes their unique values while users keep moving them', async () => {
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

test('a unique index that the source lacks blocks the table instead of looping', async () => {
  await source.sql('DROP INDEX public.item_pair; UPDATE public.item SET a = 1, b = 1 WHERE id < 3');
  running = await PairJob.start(source, target, pairSpec(id, ['item']));
  await running.untilState('public.item', 'blocked');
  expect(running.events.join()).toContain('A unique index or an exclusion constraint at the target refuses a row');
});

describe('a partly logged row that is read again because the target lacks it', () => {
  const large = () => target.sql('SELECT id, code, n FROM public.large ORDER BY id');

  async function follow(users: Users = {}): Promise<PairJob> {
    for (const db of [source, target])
      await db.sql(`CREATE TABLE public.large (id int PRIMARY KEY, code text UNIQUE, n int, body text);
        ALTER TABLE public.large ALTER body SET STORAGE external`);
    await source.sql(
      `INSERT INTO public.large SELECT i, 'c' || i, 0, repeat('large', 1000) FROM generate_series(7, 9) AS i`,
    );
    const job = await PairJob.start(source, target, pairSpec(id, ['large']), users);
    running = job;
    await job.untilState('public.large', 'live');
    await target.sql('DELETE FROM public.large WHERE id = 7');
    return job;
  }

  test('waits for its unique value until the stream shows which row gave it up', async () => {
    const job = await follow();
    // The source continues while a batch is held up at the target, so the row is read in a later state.
    await target.sql('BEGIN; LOCK TABLE public.large');
    await source.sql('UPDATE public.large SET n = 1 WHERE id = 7');
    const waiting = () => target.sql(`SELECT FROM pg_locks WHERE relation = 'public.large'::regclass AND NOT granted`);
    await vi.waitUntil(async () => (await waiting()).length > 0, patience);
    await source.sql(`BEGIN; UPDATE public.large SET code = 'free' WHERE id = 8;
      UPDATE public.large SET code = 'c8' WHERE id = 7; COMMIT`);
    await target.sql('COMMIT');
    const wanted = String(await source.sql('SELECT id, code, n FROM public.large ORDER BY id'));
    await job.until(async () => saidBy(job).length > 0 || String(await large()) === wanted);
    expect(saidBy(job)).toEqual([]);
  });

  test('keeps out no row whose unique value it has already taken over', async () => {
    // Each transaction is written separately, as if many rows came in between.
    const job = await follow({ limits: { batchRows: 1 } });
    await target.sql('BEGIN; LOCK TABLE public.large');
    await source.sql('UPDATE public.large SET n = 1 WHERE id = 7');
    const waiting = () => target.sql(`SELECT FROM pg_locks WHERE relation = 'public.large'::regclass AND NOT granted`);
    await vi.waitUntil(async () => (await waiting()).length > 0, patience);
    for (const [taker, code] of [
      [8, 'handed on'],
      [8, 'given up'],
      [7, 'handed on'],
    ])
      await source.sql(`UPDATE public.large SET code = '${code}' WHERE id = ${taker}`);
    await target.sql('COMMIT');
    const wanted = String(await source.sql('SELECT id, code, n FROM public.large ORDER BY id'));
    await job.until(async () => saidBy(job).length > 0 || String(await large()) === wanted);
    await source.sql('UPDATE public.large SET n = 2 WHERE id = 9');
    await job.until(async () => (await large()).at(-1)?.[2] === '2');
    expect(saidBy(job)).toEqual([]);
    expect(String(await large())).toBe(wanted.replace(/0$/, '2'));
  });

  test.each([
    ['while other rows change', '9'],
    ['however often it changes itself', '7, 9'],
  ])('is parked if no row gives its unique value up, %s', async (_, ids) => {
    const job = await follow();
    await target.sql(`UPDATE public.large SET code = 'c7' WHERE id = 8`);
    await source.sql('UPDATE public.large SET n = 1 WHERE id = 7');
    // As users continue, the stream reaches the position that the row waits for.
    for (let n = 1; job.events.length === 0; n++) {
      await source.sql(`UPDATE public.large SET n = ${n} WHERE id IN (${ids})`);
      await job.until(async () => (await large()).at(-1)?.[2] === String(n));
    }
    expect(job.events).toEqual([
      'public.large: The target refused a row, which is parked (UNIQUE_REFUSED, large_code_key).',
    ]);
    expect(job.state('public.large')).toBe('live');
  });
});
