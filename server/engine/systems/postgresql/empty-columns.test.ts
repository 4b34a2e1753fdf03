import { describe, expect } from 'vitest';
import type { PairJob } from '../../../testing/pair-job.ts';
import type { SourceDatabase } from '../../../testing/postgres-source.ts';
import { rows, saidOf, test } from '../../../testing/watched-tables.ts';

/** Columns added while a job copies nothing again automatically: it continues with those that are NULL in every row. */

const changes = { initialLoad: false };
const same = `INSERT INTO public.other SELECT i, 'v' FROM generate_series(1, 10) AS i`;
const isAdded = (job: PairJob, name = 'other') => saidOf(job, name).join().includes('Columns were added');
const isLocked = (job: PairJob, name = 'other') =>
  saidOf(job, name).join().includes('Another session holds a lock on the table');
const isThere = async (target: SourceDatabase, id: number, name = 'other') =>
  (await target.sql(`SELECT FROM public.${name} WHERE id = ${id}`)).length === 1;

/** Does something right after the first catalogue reading that sees the column w. @returns resolves once it is done */
function afterLook({ job: { source } }: PairJob, work: () => Promise<unknown>): Promise<void> {
  const facts = source.facts.bind(source);
  const done = Promise.withResolvers<void>();
  let isDone = false;
  source.facts = async (...asked) => {
    const found = await facts(...asked);
    if (!isDone && found.some(({ table }) => table.columns.some(({ name }) => name === 'w'))) {
      isDone = true;
      await work();
      done.resolve();
    }
    return found;
  };
  return done.promise;
}

describe('a column waits if its rows got values that the log does not contain', () => {
  test.for<[what: string, before: string, statements: string]>([
    [
      'from a default that is computed per row and dropped again',
      '',
      'ALTER TABLE public.other ADD COLUMN w float8 DEFAULT random(); ALTER TABLE public.other ALTER w DROP DEFAULT',
    ],
    [
      'from its domain',
      'CREATE DOMAIN public.d AS float8 DEFAULT random()',
      'ALTER TABLE public.other ADD COLUMN w public.d',
    ],
    [
      'from a conversion',
      '',
      "ALTER TABLE public.other ADD COLUMN w int; ALTER TABLE public.other ALTER w TYPE text USING 'x' || id",
    ],
    [
      'while it was generated',
      '',
      `ALTER TABLE public.other ADD COLUMN w int GENERATED ALWAYS AS (id) STORED;
       ALTER TABLE public.other ALTER w DROP EXPRESSION`,
    ],
    [
      'while it was an identity column',
      '',
      `ALTER TABLE public.other ADD COLUMN w int GENERATED ALWAYS AS IDENTITY;
       ALTER TABLE public.other ALTER w DROP IDENTITY, ALTER w DROP NOT NULL`,
    ],
  ])('%s', async ([, before, statements], { source, target, start }) => {
    await target.sql(`${same}; ${before}`);
    await source.sql(before);
    const job = await start(['other'], changes);
    await source.sql(`BEGIN; ${statements}; COMMIT`);
    await job.untilState('public.other', 'blocked');
    expect(saidOf(job, 'other').at(-1)).toContain('column w was added');
  });

  test('from a default that VACUUM FULL wrote into them', async ({ source, target, begin, start }) => {
    await target.sql(same);
    const first = await start(['other'], changes);
    await first.stop();
    await source.sql(
      `ALTER TABLE public.other ADD COLUMN w text DEFAULT 'new'; ALTER TABLE public.other ALTER w DROP DEFAULT`,
    );
    await source.sql('VACUUM FULL public.other');
    const job = await begin(['other'], { ...changes, structure: true });
    await job.untilState('public.other', 'blocked');
    expect(saidOf(job, 'other').at(-1)).toContain('column w was added');
  });
});

describe('the target does not fill its existing rows', () => {
  test('from a default set after the catalogue was read', async ({ source, target, start }) => {
    await target.sql(same);
    const job = await start(['other'], changes);
    const altered = afterLook(job, () => source.sql(`ALTER TABLE public.other ALTER w SET DEFAULT 'x'`));
    await source.sql('ALTER TABLE public.other ADD COLUMN w text');
    await altered;
    await job.until(() => isAdded(job));
    expect(await rows(target, 'other')).toBe(await rows(source, 'other'));
    await target.sql(`INSERT INTO public.other (id) VALUES (5001)`);
    expect(await target.sql('SELECT w FROM public.other WHERE id = 5001')).toEqual([['x']]);
  });

  test('from a default that its domain got after the column', async ({ source, target, start }) => {
    await target.sql(same);
    const job = await start(['other'], changes);
    await source.sql(`BEGIN; CREATE DOMAIN public.d AS text; ALTER TABLE public.other ADD COLUMN w public.d;
      ALTER DOMAIN public.d SET DEFAULT 'x'; COMMIT`);
    await job.until(() => isAdded(job));
    expect(await rows(target, 'other')).toBe(await rows(source, 'other'));
    await target.sql(`INSERT INTO public.other (id) VALUES (5001)`);
    expect(await target.sql('SELECT w FROM public.other WHERE id = 5001')).toEqual([['x']]);
  });

  test('from its own default, in rows older than the column', async ({ source, target, start }) => {
    await target.sql(`ALTER TABLE public.other ADD COLUMN w text DEFAULT 'x'`);
    const job = await start(['other'], changes);
    await source.sql(`INSERT INTO public.other VALUES (300, 'before'); ALTER TABLE public.other ADD COLUMN w text`);
    await job.untilState('public.other', 'blocked');
    expect(saidOf(job, 'other').at(-1)).toContain('column w was added');
  });
});

describe('nothing that follows the catalogue reading is lost', () => {
  test('a second column, and rows with both', async ({ source, target, start, untilEqual }) => {
    await target.sql(same);
    const job = await start(['other'], changes);
    const altered = afterLook(job, () =>
      source.sql(`ALTER TABLE public.other ADD COLUMN z text; INSERT INTO public.other VALUES (301, 'v', 'told', 'z');
        UPDATE public.other SET w = 'now', z = 'zz' WHERE id < 4`),
    );
    await source.sql(`ALTER TABLE public.other ADD COLUMN w text; INSERT INTO public.other VALUES (300, 'v', 'told')`);
    await altered;
    await untilEqual(job, 'other');
    expect(job.job.rereads).toEqual([]);
  });

  test('a new name of the column', async ({ source, target, start }) => {
    await target.sql(same);
    const job = await start(['other'], changes);
    const altered = afterLook(job, () => source.sql('ALTER TABLE public.other RENAME w TO x'));
    await source.sql(`ALTER TABLE public.other ADD COLUMN w text; INSERT INTO public.other VALUES (300, 'v', 'told')`);
    await altered;
    await job.untilState('public.other', 'blocked');
    expect(await target.sql('SELECT FROM public.other WHERE id = 300')).toHaveLength(1);
  });
});

test('a column that was dropped and added again is carried as it is now', async ({
  source,
  target,
  start,
  untilEqual,
}) => {
  await target.sql(same);
  const job = await start(['other'], changes);
  await source.sql(`BEGIN; ALTER TABLE public.other ADD COLUMN w text; UPDATE public.other SET w = 'one' WHERE id < 5;
    ALTER TABLE public.other DROP COLUMN w; UPDATE public.other SET v = 'q' WHERE id < 3;
    ALTER TABLE public.other ADD COLUMN w text; UPDATE public.other SET w = 'two' WHERE id = 4; COMMIT`);
  await untilEqual(job, 'other');
});

describe.concurrent('while another session locks the target', () => {
  const locked = 'BEGIN; SELECT FROM public.other';

  test('a deleted key is left to the session that reuses it', async ({ source, target, start }) => {
    await target.sql(same);
    const job = await start(['other'], changes);
    await target.sql(locked);
    await source.sql(`ALTER TABLE public.other ADD COLUMN w text;
      INSERT INTO public.other VALUES (300, 'v', 'told'), (302, 'v', 'told')`);
    await job.until(() => isLocked(job));
    await source.sql(`DELETE FROM public.other WHERE id = 300; UPDATE public.other SET id = 303 WHERE id = 302;
      INSERT INTO public.other VALUES (301, 'v', 'told')`);
    await job.until(() => isThere(target, 301));
    await target.sql(`INSERT INTO public.other VALUES (300, 'of somebody else'), (302, 'of somebody else'); COMMIT`);
    await job.until(() => isAdded(job) && job.job.rereads.length === 0);
    expect(await target.sql('SELECT * FROM public.other WHERE id >= 300 ORDER BY id')).toEqual([
      ['300', 'of somebody else', null],
      ['301', 'v', 'told'],
      ['302', 'of somebody else', null],
      ['303', 'v', 'told'],
    ]);
  });

  test('rows due to be read again are read once the lock ends', async ({ source, target, start }) => {
    await target.sql(same);
    const job = await start(['other'], changes);
    const { sink } = job.job;
    const load = sink.load.bind(sink);
    let isHeld = false;
    sink.load = async (...asked) => {
      if (!isHeld) await target.sql('BEGIN; LOCK TABLE public.other IN SHARE MODE');
      isHeld = true;
      await load(...asked);
    };
    await source.sql(`ALTER TABLE public.other ADD COLUMN w text; INSERT INTO public.other VALUES (300, 'v', 'told')`);
    await job.until(() => isLocked(job));
    await target.sql('COMMIT');
    await job.until(async () => (await target.sql(`SELECT FROM public.other WHERE w = 'told'`)).length === 1);
  });

  test('other tables continue', async ({ source, target, start }) => {
    await target.sql('ALTER TABLE public.other ADD COLUMN w text');
    const job = await start(['item', 'other'], changes);
    await target.sql('BEGIN; LOCK TABLE public.other');
    await source.sql(`ALTER TABLE public.other ADD COLUMN w text; ALTER TABLE public.item ADD COLUMN w text;
      INSERT INTO public.item VALUES (777, 1, NULL, NULL, 'w')`);
    await job.until(() => isAdded(job, 'item'));
    await job.until(() => isThere(target, 777, 'item'));
    await target.sql('COMMIT');
  });

  test('a pause loses nothing: resuming brings every column', async ({ source, target, start, untilEqual }) => {
    const job = await start(['item', 'other'], changes);
    await target.sql(locked);
    await source.sql(`ALTER TABLE public.other ADD COLUMN w text;
      INSERT INTO public.other SELECT i, 'v', 'told' FROM generate_series(1000, 9999) AS i`);
    await job.until(() => isLocked(job));
    job.request('public.other', 'pause');
    await job.untilState('public.other', 'paused');
    await target.sql('COMMIT');
    // The paused table's rows do not count against another one.
    await source.sql(`ALTER TABLE public.item ADD COLUMN w text;
      INSERT INTO public.item SELECT i, 1, NULL, NULL, 'w' FROM generate_series(1000, 2999) AS i`);
    await job.until(() => isAdded(job, 'item'));
    job.request('public.other', 'resume');
    await untilEqual(job, 'other');
  });
});

test('a table waits if equal keys can be written differently', async ({ source, target, start }) => {
  const made = 'DROP TABLE public.other; CREATE TABLE public.other (id numeric PRIMARY KEY, v text)';
  await Promise.all([source.sql(made), target.sql(made)]);
  const job = await start(['other'], changes);
  await source.sql(`ALTER TABLE public.other ADD COLUMN w text; INSERT INTO public.other VALUES (300, 'v', 'told')`);
  await job.untilState('public.other', 'blocked');
  expect(saidOf(job, 'other').at(-1)).toContain('column w was added');
});

test.for(['write', 'load'] as const)(
  'a process that ends during a %s loses nothing',
  async (at, { source, target, start, begin, untilEqual }) => {
    await target.sql(same);
    const job = await start(['other'], changes);
    const { sink, signal } = job.job;
    const run = sink.run.bind(sink);
    const call = sink[at].bind(sink) as (...asked: unknown[]) => Promise<void>;
    const reached = Promise.withResolvers<void>();
    let isAltered = false;
    sink.run = async (statement) => {
      isAltered = true;
      return await run(statement);
    };
    Object.assign(sink, {
      async [at](...asked: unknown[]): Promise<void> {
        if (!isAltered) return await call(...asked);
        reached.resolve();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    await source.sql(`ALTER TABLE public.other ADD COLUMN w text; INSERT INTO public.other VALUES (300, 'v', 'told');
    UPDATE public.other SET w = 'set' WHERE id = 3`);
    await reached.promise;
    await source.sql(`INSERT INTO public.other VALUES (302, 'v', 'while'); DELETE FROM public.other WHERE id = 5`);
    await job.stop();
    const again = await begin(['other'], { ...changes, structure: true });
    await untilEqual(again, 'other');
    expect(again.job.rereads).toEqual([]);
  },
);
