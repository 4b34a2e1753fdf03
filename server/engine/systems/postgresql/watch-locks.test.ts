import pg from 'pg';
import { describe, expect, vi } from 'vitest';
import type { PairJob } from '../../../testing/pair-job.ts';
import { patience } from '../../../testing/patience.ts';
import { divided, saidOf, test, third, widen } from '../../../testing/watched-tables.ts';

/** Concurrent, since they wait for locks as long as a real job does. */
describe.concurrent("another session's lasting lock", () => {
  const waitingSql = `SELECT pid, waitstart FROM pg_locks
    WHERE relation = 'public.item'::regclass AND NOT granted ORDER BY waitstart`;
  const isRefused = (job: PairJob) => () =>
    job.events.some((event) => event.includes('Another session holds a lock on the table'));

  test('delays a new partition until it ends, and no row is lost', async ({ source, target, start, untilEqual }) => {
    await target.sql(divided);
    const job = await start(['parted']);
    await target.sql('BEGIN; LOCK TABLE public.parted IN SHARE ROW EXCLUSIVE MODE');
    await source.sql(`${third}; INSERT INTO public.parted VALUES (250, 'told')`);
    expect(await job.fault()).toMatchObject({ code: 'LOCK_TIMED_OUT', retry: 'timed' });
    await target.sql('COMMIT');
    await job.stop();
    await untilEqual(await start(['parted']), 'parted');
  });

  test.for(['while the job runs', 'over a start'])(
    'delays rows that need a wider type, but no other table, %s',
    async (when, { source, target, start, untilEqual }) => {
      const job = await start(['item', 'other']);
      await target.sql('BEGIN; SELECT FROM public.item');
      await source.sql(widen);
      await job.untilState('public.item', 'blocked');
      await source.sql(`INSERT INTO public.other VALUES (77, 'the others go on')`);
      await untilEqual(job, 'other');
      expect(saidOf(job, 'item').join()).toContain('Another session holds a lock on the table');
      if (when === 'over a start') await job.stop();
      await target.sql('COMMIT');
      const last = when === 'over a start' ? await start(['item', 'other']) : job;
      await untilEqual(last, 'item');
      await last.untilState('public.item', 'live');
    },
  );

  test.for(['that runs on', 'that begins meanwhile'])(
    'delays rows with new columns until a process %s can read them again',
    async (which, { source, target, begin, start }) => {
      const changes = { initialLoad: false };
      const job = await start(['other'], changes);
      await target.sql('BEGIN; SELECT FROM public.other');
      await source.sql(`ALTER TABLE public.other ADD COLUMN w text; INSERT INTO public.other VALUES (77, 'v', 'told')`);
      await job.until(() => saidOf(job, 'other').join().includes('Another session holds a lock on the table'));
      await source.sql(
        `UPDATE public.other SET w = 'told again' WHERE id = 77; INSERT INTO public.other VALUES (78, 'v')`,
      );
      await job.until(async () => (await target.sql('SELECT FROM public.other WHERE id = 78')).length === 1);
      if (which === 'that begins meanwhile') await job.stop();
      await target.sql('COMMIT');
      const last = which === 'that begins meanwhile' ? await begin(['other'], { ...changes, structure: true }) : job;
      await last.until(
        () => saidOf(last, 'other').join().includes('Columns were added') && last.job.rereads.length === 0,
      );
      expect(await target.sql('SELECT * FROM public.other')).toEqual([
        ['77', 'v', 'told again'],
        ['78', 'v', null],
      ]);
    },
  );

  test('on one table does not keep the source from discarding transactions of others', async ({
    source,
    start,
    untilEqual,
  }) => {
    const job = await start(['item', 'other']);
    const holder = new pg.Client({ connectionString: source.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE public.item');
    await source.sql(`DO $$ BEGIN FOR n IN 1..600 LOOP
      UPDATE public.other SET v = n WHERE id = 1; COMMIT; END LOOP; END $$`);
    await untilEqual(job, 'other');
    await job.until(() => job.job.unseen.size < 256);
    expect(isRefused(job)()).toBe(false);
    await holder.end();
  });

  test('delays the copy of its table until it ends, and no other', async ({ source, target, start, untilEqual }) => {
    const job = await start(['item', 'other']);
    await target.sql('DELETE FROM public.item WHERE id = 7');
    await source.sql('BEGIN; LOCK TABLE public.item');
    job.request('public.item', 'resync');
    await job.until(isRefused(job));
    await source.sql(`INSERT INTO public.other VALUES (77, 'goes on'); COMMIT`);
    await untilEqual(job, 'other');
    expect(job.state('public.item')).not.toBe('blocked');
    await job.untilState('public.item', 'live');
    await untilEqual(job, 'item');
  });

  test('delays reading a row again until it ends, and the row is not lost', async ({
    source,
    target,
    start,
    untilEqual,
  }) => {
    await source.sql(`ALTER TABLE public.item ALTER code SET STORAGE external;
      UPDATE public.item SET code = repeat('large', 500) WHERE id = 7`);
    const job = await start(['item']);
    await target.sql('DELETE FROM public.item WHERE id = 7');
    const holder = new pg.Client({ connectionString: source.url });
    await holder.connect();
    // The session that waits for the lock gets it as soon as the row is logged.
    await source.sql(`BEGIN; UPDATE public.item SET feeling = 'c' WHERE id = 7`);
    const locked = holder.query('BEGIN; LOCK TABLE public.item');
    const waiting = async () => (await source.sql(waitingSql)).map(String);
    await vi.waitUntil(async () => (await waiting()).length > 0, patience);
    await source.sql('COMMIT');
    await locked;
    await vi.waitUntil(async () => (await waiting()).length > 0, patience);
    const [first = ''] = await waiting();
    await vi.waitUntil(async () => !(await waiting()).includes(first), patience);
    await holder.end();
    await untilEqual(job, 'item');
    expect(job.state('public.item')).toBe('live');
  });

  test('delays a structure change at the target until it ends', async ({ source, target, start, untilEqual }) => {
    const job = await start(['item']);
    await target.sql('BEGIN; SELECT FROM public.item');
    await source.sql(`ALTER TABLE public.item ADD extra text DEFAULT 'of old rows'`);
    await job.until(isRefused(job));
    expect(job.state('public.item')).not.toBe('blocked');
    await target.sql('COMMIT');
    await untilEqual(job, 'item');
  });

  test('delays a resync until it ends, and the order is not lost', async ({ source, target, start, untilEqual }) => {
    const job = await start(['item']);
    await source.sql('ALTER TABLE public.item RENAME feeling TO temper');
    await job.untilState('public.item', 'blocked');
    await target.sql('BEGIN; SELECT FROM public.item');
    job.request('public.item', 'resync');
    await job.until(isRefused(job));
    await target.sql('COMMIT');
    await job.untilState('public.item', 'live');
    await untilEqual(job, 'item', 'id, v, code, temper');
  });
});
