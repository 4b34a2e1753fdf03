import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { PairJob, pairSpec } from '../../../testing/pair-job.ts';
import { newJob, openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';
import { openPostgresSink } from './sink.ts';

/** Columns whose type differs at the target. */

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

/** The type at the source, the one at the target, and a value that shows what the target does with it. */
const columns = [
  ['numeric(12,4)', 'numeric(10,2)', '1.2345'],
  ['numeric', 'numeric(10,2)', '1.2345'],
  ['numeric(12,4)', 'numeric(10,4)', '12345678.5'],
  ['numeric(10,2)', 'numeric(10,4)', '12345678.5'],
  ['numeric(10,2)', 'double precision', '12345678.25'],
  ['numeric', 'double precision', '1234567890.1234567890'],
  ['numeric(10,2)', 'money', '1.25'],
  ['numeric(12,4)', 'integer', '1.5'],
  ['numeric(9)', 'integer', '999999999'],
  ['bigint', 'integer', '5000000000'],
  ['integer', 'numeric(5)', '123456'],
  ['integer', 'double precision', '2147483647'],
  ['integer', 'real', '2147483647'],
  ['bigint', 'text', '5000000000'],
  ['double precision', 'real', '1.23456789012'],
  ['real', 'double precision', '1.1'],
  ['double precision', 'numeric(10,2)', '1.2345'],
  ['numeric(12,4)[]', 'numeric(10,2)[]', '{1.2345}'],
  ['timestamp', 'timestamp(0)', '2024-01-01 10:00:00.75'],
  ['timestamp', 'timestamp(6)', '2024-01-01 10:00:00.123456'],
  ['timestamptz(3)', 'timestamptz(1)', '2024-01-01 10:00:00.753+00'],
  ['timestamp', 'date', '2024-01-01 10:00:00.75'],
  ['timestamptz', 'time', '2024-01-01 10:00:00+00'],
  ['timestamptz', 'timestamp', '2024-01-01 10:00:00+00'],
  ['timetz', 'time', '10:00:00+05'],
  ['time', 'time(2)', '10:00:00.123'],
  ['interval', 'interval(0)', '00:00:01.75'],
  ['interval', 'interval year to month', '1 day 02:00:00'],
  ['text', 'name', 'x'.repeat(80)],
  ['name', 'text', 'x'.repeat(63)],
  ['text', '"char"', 'abc'],
  ['varchar(20)', 'varchar(10)', 'x'.repeat(20)],
  ['text', 'varchar(10)', 'x'.repeat(20)],
  ['varchar(10)', 'varchar(20)', 'x'.repeat(10)],
  ['varchar(10)', 'char(20)', 'x'],
  ['char(3)', 'text', 'x  '],
  ['json', 'jsonb', '{"a":1,"a":2}'],
  ['bit(4)', 'bit(3)', '1010'],
  ['bit varying(4)', 'bit varying(3)', '1010'],
  ['uuid', 'text', '00000000-0000-0000-0000-000000000001'],
  ['uuid', 'varchar(36)', '00000000-0000-0000-0000-000000000001'],
  ['integer', 'varchar(3)', '12345'],
  ['integer', 'varchar(11)', '-2147483648'],
  ['integer', '"char"', '12'],
  ['json', 'name', `"${'x'.repeat(80)}"`],
  ['text', 'numeric(10,2)', '1.2345'],
  ['text', 'numeric', 'none'],
  ['text', 'integer', 'none'],
  ['text', 'uuid', 'none'],
  ['text', 'real', '0.123456789012'],
  ['text', 'money', '$1.234'],
  ['text', 'date', '2024-01-01 10:00:00'],
  ['text', 'time', '10:00:00+05'],
  ['text', 'timestamp', '2024-01-01 10:00:00+05'],
  ['varchar(40)', 'timestamptz(0)', '2024-01-01 10:00:00.75+00'],
  ['text', 'interval', '00:00:01.12345678'],
  ['text', 'numeric(10,2)[]', '{1.2345}'],
  ['text', 'integer[]', 'none'],
] as const;

const columnsOf = (side: 0 | 1) => columns.map((types, place) => `c${place} ${types[side]}`).join(', ');

/** What the server itself does with the values' texts. */
async function metAt(place: number, value: string): Promise<string> {
  try {
    await target.sql(`INSERT INTO public.item (id, c${place}) VALUES (${place}, '${value}')`);
  } catch {
    return 'warning';
  }
  const [[kept] = []] = await target.sql(`SELECT c${place} FROM public.item WHERE id = ${place}`);
  return kept === value || kept === `$${value}` ? 'passed' : 'altered';
}

test('the check reports a column that only the target computes', async () => {
  await source.sql('CREATE TABLE public.item (id int PRIMARY KEY, v int, w int GENERATED ALWAYS AS (id) STORED)');
  await target.sql(`CREATE TABLE public.item (id int PRIMARY KEY, v int GENERATED ALWAYS AS (id) STORED,
    w int GENERATED ALWAYS AS (id) STORED)`);
  const sink = openPostgresSink(target.settings, target.abort.signal);
  const findings = (await sink.check([await source.table('item')])).filter(({ type }) => type === 'COLUMN_TYPE');
  await sink.close();
  expect(findings).toEqual([
    expect.objectContaining({ result: 'fault', sentence: expect.stringContaining('column v') }),
  ]);
});

test('the check reports what the target server would do with values', async () => {
  await source.sql(`CREATE TABLE public.item (id int PRIMARY KEY, ${columnsOf(0)})`);
  await target.sql(`CREATE TABLE public.item (id int PRIMARY KEY, ${columnsOf(1)})`);
  const sink = openPostgresSink(target.settings, target.abort.signal);
  const findings = (await sink.check([await source.table('item')])).filter(({ type }) => type === 'COLUMN_TYPE');
  await sink.close();
  // The same value in another form is not a lost value.
  const restated = ['timestamptz timestamp', 'varchar(10) char(20)', 'json jsonb'];
  for (const [place, [from, to, value]] of columns.entries()) {
    const told = findings.find(({ sentence }) => sentence.startsWith(`The column c${place} of`));
    const altered = restated.includes(`${from} ${to}`) ? 'warning' : 'fault';
    const met = await metAt(place, value);
    expect([from, to, told?.result ?? 'passed']).toEqual([from, to, met === 'altered' ? altered : met]);
  }
  expect(findings[0]).toMatchObject({
    sentence:
      'The column c0 of public.item is numeric(10,2) at the target and numeric(12,4) at the source: values would be silently rounded or cut. Give it the type that it has at the source, or leave it out of the job.',
    sql: 'ALTER TABLE "public"."item" ALTER COLUMN "c0" TYPE numeric(12,4);',
  });
});

test('a table whose values the target would round is left out, before or after its copy, until it fits', async () => {
  for (const { sql } of [source, target])
    await sql(
      'CREATE TABLE public.item (id int PRIMARY KEY, v numeric(12,4)); CREATE TABLE public.other (id int PRIMARY KEY)',
    );
  await source.sql('INSERT INTO public.item VALUES (1, 1.2345)');
  await target.sql('ALTER TABLE public.item ALTER v TYPE numeric(10,2); INSERT INTO public.item VALUES (99, 0)');
  const spec = pairSpec(newJob(), ['item', 'other'], { conflict: 'ignore' });
  const start = async () => {
    await running?.stop();
    running = await PairJob.start(source, target, spec);
    await running.untilState('public.other', 'live');
    return running;
  };
  const rows = () => target.sql('SELECT id, v FROM public.item ORDER BY 1');
  const refused = expect.stringContaining(
    'would silently round, cut, convert or replace values of a column (at the target, table public.item, column v)',
  );

  expect((await start()).events).toEqual([refused]);
  expect(await rows()).toEqual([['99', '0.00']]);
  await target.sql('ALTER TABLE public.item ALTER v TYPE numeric(12,4)');
  await (await start()).untilState('public.item', 'live');
  // The row that was there before stays.
  expect(await rows()).toEqual([
    ['1', '1.2345'],
    ['99', '0.0000'],
  ]);

  // By hand: a copy deletes the row that was there, so an operator must request it.
  await target.sql('ALTER TABLE public.item ALTER v TYPE numeric(10,2)');
  expect((await start()).events).toEqual([refused]);
  await source.sql('INSERT INTO public.item VALUES (2, 2.2222); INSERT INTO public.other VALUES (1)');
  await running?.until(async () => (await target.sql('SELECT FROM public.other')).length === 1);
  await target.sql('ALTER TABLE public.item ALTER v TYPE numeric(12,4)');
  const back = await start();
  await back.untilState('public.item', 'blocked');
  back.request('public.item', 'resync');
  await back.untilState('public.item', 'live');
  await running?.stop();
  await source.sql('ALTER TABLE public.item ALTER v TYPE numeric(14,6)');
  // By now all rows are the job's own.
  const followed = await start();
  const wanted = [
    ['1', '1.234500'],
    ['2', '2.222200'],
  ];
  await followed.until(async () => JSON.stringify(await rows()) === JSON.stringify(wanted));
});

test('a key whose blanks the target would cut is refused, as two rows could become one', async () => {
  const tables = (length: number) => `CREATE TABLE public.item (code varchar(${length}) PRIMARY KEY);
    CREATE TABLE public.other (id int PRIMARY KEY, code varchar(${length}))`;
  await source.sql(`${tables(10)}; INSERT INTO public.item VALUES ('abc'), ('abc ')`);
  await target.sql(tables(3));
  const sink = openPostgresSink(target.settings, target.abort.signal);
  const found = (await sink.check(await source.source.catalog(['public']))).filter(
    ({ type }) => type === 'COLUMN_TYPE',
  );
  await sink.close();
  expect(found.map(({ table, result }) => [table, result])).toEqual([
    ['public.item', 'fault'],
    ['public.other', 'warning'],
  ]);
  running = await PairJob.start(source, target, pairSpec(newJob(), ['item', 'other']));
  await running.untilState('public.other', 'live');
  expect(running.events).toEqual([expect.stringContaining('(at the target, table public.item, column code)')]);
  expect(await target.sql('SELECT FROM public.item')).toEqual([]);
});

test('a type with the same name on both sides is compared by its definition', async () => {
  const tables = `CREATE TABLE public.price (id int PRIMARY KEY, v public.amount[]);
    CREATE TABLE public.plain (id int PRIMARY KEY, v numeric(12,4)); CREATE TABLE public.place (id int PRIMARY KEY, v public.address);
    CREATE TABLE public.alike (id int PRIMARY KEY, v public.pair)`;
  await source.sql(`CREATE DOMAIN public.amount AS numeric(12,4); CREATE TYPE public.address AS (street text, city text);
    CREATE TYPE public.pair AS (a integer, b text); ${tables}`);
  await target.sql(`CREATE DOMAIN public.amount AS numeric(12,1); CREATE TYPE public.address AS (city text, street text);
    CREATE TYPE public.pair AS (a integer, c text); ${tables}; ALTER TABLE public.plain ALTER v TYPE public.amount`);
  await source.sql(
    `INSERT INTO public.place VALUES (1, ROW('street', 'city')); INSERT INTO public.plain VALUES (1, 1.2345)`,
  );
  running = await PairJob.start(source, target, pairSpec(newJob(), ['price', 'plain', 'place', 'alike']));
  await running.untilState('public.alike', 'live');
  const refused = ['price', 'plain', 'place'].map((name) =>
    expect.stringContaining(
      `would silently round, cut, convert or replace values of a column (at the target, table public.${name}, column v)`,
    ),
  );
  expect(running.events).toEqual(refused);
  expect(await target.sql('SELECT FROM public.plain UNION ALL SELECT FROM public.place')).toEqual([]);
  const sink = openPostgresSink(target.settings, target.abort.signal);
  const found = (await sink.check(await source.source.catalog(['public']))).filter(
    ({ type }) => type === 'COLUMN_TYPE',
  );
  await sink.close();
  expect(found).toHaveLength(3);
  expect(found).toContainEqual(
    expect.objectContaining({
      result: 'fault',
      sentence: expect.stringContaining(
        'column v of public.place is public.address (city text, street text) at the target and public.address (street text, city text) at the source',
      ),
    }),
  );
});

test('a type with the same name is compared through nested composites, their domains and ranges', async () => {
  const types = (scale: number) => `CREATE DOMAIN public.amount AS numeric(12,${scale});
    CREATE TYPE public.line AS (amount public.amount); CREATE TYPE public.bill AS (line public.line);
    CREATE TYPE public.spans AS RANGE (subtype = public.amount);
    CREATE TABLE public.nested (id int PRIMARY KEY, v public.bill); CREATE TABLE public.ranged (id int PRIMARY KEY, v public.spans);
    CREATE TABLE public.alike (id int PRIMARY KEY, v int4range)`;
  await source.sql(types(3));
  await target.sql(types(1));
  await source.sql(
    "INSERT INTO public.nested VALUES (1, ROW(ROW(1.234))); INSERT INTO public.ranged VALUES (1, '[1.234,5]')",
  );
  running = await PairJob.start(source, target, pairSpec(newJob(), ['nested', 'ranged', 'alike']));
  await running.untilState('public.alike', 'live');
  expect(running.events).toEqual(
    ['nested', 'ranged'].map((name) =>
      expect.stringContaining(`values of a column (at the target, table public.${name}, column v)`),
    ),
  );
});
