import { expect } from 'vitest';
import { rows, saidOf, test } from '../../../testing/watched-tables.ts';

/** Target tables that are replaced by others while a job runs. */

const take = `BEGIN; ALTER TABLE public.other RENAME TO old; ALTER TABLE public.apart RENAME TO other; COMMIT`;
const made = 'Another table now has the name of the target table';

test.for<[what: string, statements: string]>([
  [
    'that has only some of its rows',
    `CREATE TABLE public.apart (LIKE public.other INCLUDING ALL);
    INSERT INTO public.apart SELECT * FROM public.other WHERE id < 5; ${take}`,
  ],
  [
    'that is partitioned',
    `CREATE TABLE public.apart (LIKE public.other INCLUDING ALL) PARTITION BY RANGE (id);
    CREATE TABLE public.apart_1 PARTITION OF public.apart DEFAULT;
    INSERT INTO public.apart SELECT * FROM public.other; ${take}`,
  ],
  ['that is empty', 'DROP TABLE public.other; CREATE TABLE public.other (id int PRIMARY KEY, v text)'],
])(
  'a replacement table %s is copied again, once, and followed',
  async ([_, statements], { source, target, start, untilEqual }) => {
    const job = await start(['item', 'other']);
    await source.sql("INSERT INTO public.other VALUES (20, 'before')");
    await untilEqual(job, 'other');
    await target.sql(statements);
    await source.sql('DELETE FROM public.other WHERE id = 2');
    await untilEqual(job, 'other');
    await source.sql("DELETE FROM public.other WHERE id = 3; UPDATE public.other SET v = 'after' WHERE id = 4");
    await untilEqual(job, 'other');
    await job.untilState('public.other', 'live');
    expect(job.events).toEqual([`public.other: ${made}: the table is copied again.`]);
  },
);

test('a replacement table that lacks a column blocks its rows until it has it', async ({
  source,
  target,
  start,
  untilEqual,
}) => {
  const job = await start(['other']);
  await target.sql('DROP TABLE public.other; CREATE TABLE public.other (id int PRIMARY KEY)');
  await job.untilState('public.other', 'blocked');
  expect(saidOf(job, 'other').join()).toContain('public.other, column v');
  await target.sql('ALTER TABLE public.other ADD v text');
  job.request('public.other', 'resume');
  await untilEqual(job, 'other');
  await source.sql('DELETE FROM public.other WHERE id = 3');
  await untilEqual(job, 'other');
});

test('a replacement table of a job that copies nothing gets new changes', async ({ source, target, start }) => {
  const job = await start(['other'], { initialLoad: false });
  await source.sql("INSERT INTO public.other VALUES (20, 'came'), (21, 'came')");
  await job.until(async () => (await rows(target, 'other')) === '[["20","came"],["21","came"]]');
  await target.sql(`CREATE TABLE public.apart (LIKE public.other INCLUDING ALL) PARTITION BY RANGE (id);
    CREATE TABLE public.apart_1 PARTITION OF public.apart DEFAULT;
    INSERT INTO public.apart SELECT * FROM public.other; ${take}`);
  await job.until(() => job.events.includes(`public.other: ${made}: rows are written to it from now on.`));
  await source.sql('DELETE FROM public.other WHERE id = 20');
  await job.until(async () => (await rows(target, 'other')) === '[["21","came"]]');
});

test.for<[what: string, key: string | null]>([
  ['is deferrable by now continues', 'PRIMARY KEY (id) DEFERRABLE'],
  ['is gone waits alone until it is back', null],
])('a target table whose key %s', async ([_, key], { source, target, start, untilEqual }) => {
  const job = await start(['item', 'other']);
  const change = async (value: string) => {
    await source.sql(`UPDATE public.other SET v = '${value}'; UPDATE public.item SET code = '${value}' WHERE id = 1`);
    await untilEqual(job, 'item');
  };
  await change('before');
  await target.sql('ALTER TABLE public.other DROP CONSTRAINT other_pkey');
  if (key !== null) await target.sql(`ALTER TABLE public.other ADD ${key}`);
  await change('after');
  if (key === null) {
    await job.untilState('public.other', 'blocked');
    await target.sql('ALTER TABLE public.other ADD PRIMARY KEY (id)');
    job.request('public.other', 'resume');
  }
  await untilEqual(job, 'other');
  await job.untilState('public.other', 'live');
});

test('a target table that would round values by now waits until it no longer would', async ({
  source,
  target,
  start,
  untilEqual,
}) => {
  const made = 'CREATE TABLE public.priced (id int PRIMARY KEY, price numeric, name varchar(5))';
  for (const one of [source, target]) await one.sql(made);
  const job = await start(['other', 'priced']);
  await source.sql('INSERT INTO public.priced VALUES (1, 1.256)');
  await untilEqual(job, 'priced');
  await target.sql('ALTER TABLE public.priced ALTER name TYPE text');
  await source.sql("INSERT INTO public.priced VALUES (2, 2.256, 'wider')");
  await untilEqual(job, 'priced');
  await target.sql('ALTER TABLE public.priced ALTER price TYPE numeric(10, 2)');
  await job.untilState('public.priced', 'blocked');
  expect(job.events).toEqual([expect.stringMatching(/^public\.priced: .*column price/)]);
  await source.sql(
    "INSERT INTO public.priced VALUES (3, 3.256, 'later'); INSERT INTO public.other VALUES (20, 'goes on')",
  );
  await untilEqual(job, 'other');
  await target.sql('ALTER TABLE public.priced ALTER price TYPE numeric');
  job.request('public.priced', 'resume');
  await untilEqual(job, 'priced');
});

test.for<[what: string, made: string, dropped: string]>([
  [
    'trigger',
    'CREATE TRIGGER own BEFORE UPDATE ON public.other FOR EACH ROW EXECUTE FUNCTION public.own(); ALTER TABLE public.other ENABLE ALWAYS TRIGGER own',
    'DROP TRIGGER own ON public.other',
  ],
  [
    'rule',
    'CREATE RULE own AS ON DELETE TO public.other DO INSTEAD NOTHING; ALTER TABLE public.other ENABLE REPLICA RULE own',
    'ALTER TABLE public.other ENABLE RULE own',
  ],
])(
  'a target table whose %s alters rows waits until it no longer does, also from the start',
  async ([_, made, dropped], { source, target, begin, untilEqual }) => {
    await target.sql(`CREATE FUNCTION public.own() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.v := 'own'; RETURN NEW; END $$; ${made}`);
    const job = await begin(['item', 'other']);
    await job.untilState('public.other', 'blocked');
    const mend = async () => {
      expect(saidOf(job, 'other').at(-1)).toMatch(/^public\.other: .*\bown\b/);
      await source.sql("UPDATE public.other SET v = v || '+'; DELETE FROM public.other WHERE id = 2");
      await source.sql("UPDATE public.item SET code = 'goes on' WHERE id = 1");
      await untilEqual(job, 'item');
      await target.sql(dropped);
      job.request('public.other', 'resume');
      await untilEqual(job, 'other');
      await job.untilState('public.other', 'live');
    };
    await mend();
    await target.sql(`DROP TRIGGER IF EXISTS own ON public.other; DROP RULE IF EXISTS own ON public.other; ${made}`);
    await source.sql("UPDATE public.other SET v = 'altered'; DELETE FROM public.other WHERE id = 3");
    await job.untilState('public.other', 'blocked');
    await mend();
  },
);
