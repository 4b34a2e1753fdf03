import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { newJob, openSourceDatabase, type SourceDatabase, Told } from '../../../testing/postgres-source.ts';
import { whileLocked } from '../../../testing/while-locked.ts';
import { factsOf, type TableFacts } from '../../facts.ts';
import { hasNewLabels, silentChange } from '../../schema/rewrites.ts';
import type { Table } from '../../table.ts';

let db: SourceDatabase;
let job: string;
let tables: Table[];

beforeEach(async () => {
  db = await openSourceDatabase(inject('postgresUrl'));
  job = newJob();
  await db.sql(`
    CREATE TYPE public.mood AS ENUM ('a', 'c');
    CREATE TYPE public.pair AS (m public.mood[], n int);
    CREATE TABLE public.plain (id int PRIMARY KEY, v int DEFAULT 1, w text NOT NULL DEFAULT '', held public.pair);
    INSERT INTO public.plain SELECT i, i FROM generate_series(1, 9) AS i;
    ALTER TABLE public.plain ADD COLUMN fast text DEFAULT 'from the catalogue';
    CREATE TABLE public.parted (id int NOT NULL DEFAULT 0, v text NOT NULL DEFAULT '', PRIMARY KEY (id)) PARTITION BY RANGE (id);
    CREATE TABLE public.parted_1 PARTITION OF public.parted FOR VALUES FROM (0) TO (10);
    CREATE TABLE public.parted_2 PARTITION OF public.parted FOR VALUES FROM (10) TO (20) PARTITION BY RANGE (id);
    CREATE TABLE public.parted_2a PARTITION OF public.parted_2 FOR VALUES FROM (10) TO (15);
    INSERT INTO public.parted SELECT i, 'v' FROM generate_series(1, 14) AS i;
    CREATE TABLE public.apart (id int PRIMARY KEY, v text NOT NULL DEFAULT '');
    INSERT INTO public.apart VALUES (20, 'apart')`);
  tables = (await db.source.catalog(['public'])).filter(({ name }) => name === 'plain' || name === 'parted');
  await db.source.reserve(job, tables);
});

afterEach(() => db.close());

async function look(name: string): Promise<TableFacts> {
  const found = (await db.source.facts(job, tables)).find(({ table }) => table.name === name);
  if (!found) throw new Error(`The catalogue has no table ${name}.`);
  return found;
}

/** What statements, each in its own transaction, did to a table's rows without its log showing it. */
async function silent(name: string, ...statements: string[]) {
  const before = factsOf(await look(name));
  for (const statement of statements) await db.sql(statement);
  return silentChange(before, await look(name), { truncates: new Set(), sharesKeys: false });
}

test.each([
  'VACUUM FULL public.apart',
  'REINDEX TABLE public.plain',
  'ALTER TABLE public.plain REPLICA IDENTITY FULL',
  'ALTER TABLE public.plain REPLICA IDENTITY FULL; REINDEX TABLE public.plain',
  'ALTER TABLE public.plain DROP CONSTRAINT plain_pkey; ALTER TABLE public.plain ADD PRIMARY KEY (id)',
  'TRUNCATE public.plain',
  'ALTER TABLE public.plain ALTER v SET DEFAULT 7',
  'ALTER TABLE public.plain ALTER v SET STATISTICS 10',
  'ALTER TABLE public.plain DROP COLUMN v',
  'ANALYZE public.plain',
  'UPDATE public.plain SET v = v + 1',
])('%s is not a silent change', async (statement) => {
  expect(await silent('plain', statement)).toBeUndefined();
});

test('VACUUM FULL and CLUSTER leave table rows unchanged', async () => {
  // Once its values are in the rows, a column with a fast default is like any other.
  await db.sql('VACUUM FULL public.plain');
  expect(await silent('plain', 'VACUUM FULL public.plain')).toBeUndefined();
  expect(await silent('plain', 'CLUSTER public.plain USING plain_pkey')).toBeUndefined();
  expect(await silent('plain', 'ALTER TABLE public.plain DROP COLUMN v', 'VACUUM FULL public.plain')).toBeUndefined();
});

test('a rewrite that may have changed rows causes a resync, and one that has changed them waits', async () => {
  expect(await silent('plain', 'VACUUM FULL public.plain')).toMatchObject({ kind: 'resync' });
  expect(await silent('plain', 'ALTER TABLE public.plain ALTER v TYPE int USING v * 100')).toEqual({
    kind: 'wait',
    why: 'its rows were rewritten',
  });
});

test.each([
  ['detached', 'ALTER TABLE public.parted DETACH PARTITION public.parted_1'],
  ['detached', 'DROP TABLE public.parted_2a'],
  ['detached', 'ALTER TABLE public.parted DETACH PARTITION public.parted_2'],
  ['attached', 'ALTER TABLE public.parted ATTACH PARTITION public.apart FOR VALUES FROM (20) TO (30)'],
  ['truncated', 'TRUNCATE public.parted_1'],
  ['truncated', 'TRUNCATE public.parted_2'],
  ['truncated', 'VACUUM FULL public.parted_1'],
  [
    'attached',
    `BEGIN; CREATE TABLE public.filled (LIKE public.parted INCLUDING ALL); INSERT INTO public.filled VALUES (31, 'x');
     ALTER TABLE public.parted ATTACH PARTITION public.filled FOR VALUES FROM (30) TO (40); COMMIT`,
  ],
  [
    'attached',
    `BEGIN; CREATE TABLE public.loaded (helper int, LIKE public.parted INCLUDING ALL);
     INSERT INTO public.loaded VALUES (1, 31, 'x'); ALTER TABLE public.loaded DROP COLUMN helper;
     ALTER TABLE public.parted ATTACH PARTITION public.loaded FOR VALUES FROM (30) TO (40); COMMIT`,
  ],
  [
    'attached',
    `BEGIN; CREATE TABLE public.touched (LIKE public.parted INCLUDING ALL); INSERT INTO public.touched VALUES (31, 'x');
     ALTER TABLE public.parted ATTACH PARTITION public.touched FOR VALUES FROM (30) TO (40); COMMIT`,
    'BEGIN; ALTER TABLE public.touched ALTER id SET STATISTICS 10; ALTER TABLE public.touched ALTER v SET STATISTICS 10; ROLLBACK',
  ],
  [
    'attached',
    `CREATE TABLE public.whole (id int PRIMARY KEY, v text NOT NULL DEFAULT '') PARTITION BY RANGE (id)`,
    'CREATE TABLE public.whole_1 PARTITION OF public.whole FOR VALUES FROM (20) TO (30)',
    `INSERT INTO public.whole VALUES (21, 'of before')`,
    'ALTER TABLE public.parted ATTACH PARTITION public.whole FOR VALUES FROM (20) TO (30)',
  ],
  [
    'attached',
    'CREATE TABLE public.born PARTITION OF public.parted FOR VALUES FROM (40) TO (50)',
    'INSERT INTO public.parted VALUES (41)',
    'TRUNCATE public.born',
  ],
])('a partition that was %s is noticed: %s', async (what, ...statements) => {
  expect(await silent('parted', ...statements)).toMatchObject({
    kind: 'resync',
    why: expect.stringContaining(what),
  });
});

test('a new, empty partition is not a silent change', async () => {
  expect(
    await silent(
      'parted',
      'CREATE TABLE public.parted_3 PARTITION OF public.parted FOR VALUES FROM (20) TO (30)',
      'INSERT INTO public.parted VALUES (25)',
      'CREATE TABLE public.parted_2b PARTITION OF public.parted_2 FOR VALUES FROM (15) TO (20)',
      'ANALYZE public.parted',
    ),
  ).toBeUndefined();
});

test('a logged TRUNCATE of the root is not a silent change, but a later one of a partition is', async () => {
  const stream = await db.source.stream(job, await db.source.now(), tables);
  const told = new Told(stream);
  const before = factsOf(await look('parted'));
  await db.sql('TRUNCATE public.parted');
  const changes = await told.until(await db.source.now());
  const truncates = new Set(changes.flatMap((change) => (change.kind === 'begin' ? [change.transaction] : [])));
  expect(changes.some(({ kind }) => kind === 'truncate')).toBe(true);
  expect(silentChange(before, await look('parted'), { truncates, sharesKeys: false })).toBeUndefined();
  await db.sql('INSERT INTO public.parted VALUES (1)');
  await db.sql('TRUNCATE public.parted_1');
  expect(silentChange(before, await look('parted'), { truncates, sharesKeys: false })).toMatchObject({
    kind: 'resync',
  });
  await stream.close();
});

test('enum labels are listed in order, and a renamed one waits', async () => {
  const before = factsOf(await look('plain'));
  expect(before.enums).toMatchObject([{ schema: 'public', name: 'mood' }]);
  await db.sql(`ALTER TYPE public.mood ADD VALUE 'b' BEFORE 'c'`);
  const more = await look('plain');
  expect(more.enums[0]?.labels.map(({ label }) => label)).toEqual(['a', 'b', 'c']);
  expect([hasNewLabels(before, more), silentChange(before, more, { truncates: new Set(), sharesKeys: false })]).toEqual(
    [true, undefined],
  );
  await db.sql(`ALTER TYPE public.mood RENAME VALUE 'a' TO 'z'`);
  expect(silentChange(before, await look('plain'), { truncates: new Set(), sharesKeys: false })).toMatchObject({
    kind: 'wait',
  });
});

test.each([
  'ALTER TYPE public.pair ADD ATTRIBUTE more text',
  'ALTER TYPE public.pair DROP ATTRIBUTE n, ADD ATTRIBUTE n int',
])('%s waits: values would be assigned to other attributes', async (statement) => {
  expect(await silent('plain', statement)).toEqual({
    kind: 'wait',
    why: 'the type public.pair has different attributes',
  });
});

test('a renamed attribute, or one that an earlier version did not record, is not a silent change', async () => {
  expect(await silent('plain', 'ALTER TYPE public.pair RENAME ATTRIBUTE n TO z')).toBeUndefined();
  const before = { ...factsOf(await look('plain')), composites: [] };
  await db.sql('ALTER TYPE public.pair DROP ATTRIBUTE z');
  expect(silentChange(before, await look('plain'), { truncates: new Set(), sharesKeys: false })).toBeUndefined();
});

test('a table that left the publication, and one that was replaced, are reported as such', async () => {
  expect((await look('plain')).notTold).toBeNull();
  await db.sql(`ALTER PUBLICATION millrace_${job} DROP TABLE public.plain`);
  expect((await look('plain')).notTold).toBe('the source no longer publishes its changes');
  const { table } = await look('parted');
  await db.sql('DROP TABLE public.parted; CREATE TABLE public.parted (id int PRIMARY KEY)');
  const other = await look('parted');
  expect([other.table.id === table.id, other.notTold === null]).toEqual([false, false]);
});

test('a table dropped while the catalogue is read is left out, and the others are reported', async () => {
  // Some versions wait for the lock before they find the table gone, others do not need the lock.
  const facts = await whileLocked(
    db,
    async () => {
      // Another try may find it dropped already.
      await db.sql('BEGIN; DROP TABLE IF EXISTS public.plain');
      return await db.source.facts(job, tables);
    },
    () => db.sql('COMMIT'),
  );
  expect(facts.map(({ table }) => table.name)).toContain('parted');
  expect((await db.source.facts(job, tables)).map(({ table }) => table.name)).toEqual(['parted']);
});
