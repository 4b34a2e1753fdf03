import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findPostgres } from '../../../testing/postgres.ts';
import { newJob, openSourceDatabase, type SourceDatabase, Told } from '../../../testing/postgres-source.ts';
import type { Cell, Row } from '../../change.ts';
import type { Table } from '../../table.ts';
import { postgresTypes } from './type-fits.ts';

/** Types with values that some reader somewhere has spoilt. */
const corpus: Record<string, string[]> = {
  boolean: ['t', 'f'],
  smallint: ['-32768', '32767'],
  integer: ['-2147483648', '2147483647'],
  bigint: ['-9223372036854775808', '9223372036854775807', '9007199254740993'],
  numeric: ['NaN', 'Infinity', '-Infinity', '1.10', '0.000', '123456789012345678901234567890.123456789', '1e-30'],
  'numeric(12,3)': ['1.100', '-999999999.999'],
  real: ['NaN', 'Infinity', '-0', '1e-45', '3.4028235e38', '0.1'],
  'double precision': ['NaN', '-Infinity', '-0', '5e-324', '1.7976931348623157e308', '0.1', '123456789.123456789'],
  money: ['-92233720368547758.08', '1234.50'],
  oid: ['0', '4294967295'],
  xid8: ['18446744073709551615'],
  pg_lsn: ['16/B374D848'],
  text: ['', ' x ', "it''s \\ back", 'tab\tand\nline', '𝒳 é ﷽', '\\N', 'NULL'],
  'character(5)': ['ab', 'abcde', ''],
  bpchar: ['ab   ', 'ab'],
  'character varying(7)': ['  x  '],
  name: ['n'],
  '"char"': ['c', ''],
  bytea: ['\\x', '\\x00ff5c27', '\\xdeadbeef'],
  date: ['0001-01-01 BC', '4713-01-01 BC', '5874897-12-31', 'infinity', '-infinity', '2024-02-29'],
  time: ['00:00:00', '24:00:00', '23:59:59.999999'],
  'time with time zone': ['00:00:00+14', '12:34:56.789012-15:59:59'],
  timestamp: [
    '4713-01-01 00:00:00 BC',
    '294276-12-31 23:59:59.999999',
    'infinity',
    '-infinity',
    '2024-01-02 03:04:05.6',
  ],
  'timestamp(0)': ['2024-01-02 03:04:05'],
  'timestamp with time zone': [
    '4713-02-01 00:00:00+00 BC',
    '294276-12-31 23:59:59.999999+00',
    'infinity',
    '2024-07-01 12:00:00.000001+02',
  ],
  interval: ['1 year -2 mons +3 days -04:05:06.789', '-178000000 years', '00:00:00.000001', '1 mon', '30 days'],
  'interval day to second(3)': ['1 02:03:04.567'],
  uuid: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  inet: ['192.168.1.1', '192.168.1.1/24', '::1', '2001:db8::/32'],
  cidr: ['10.0.0.0/8', '2001:db8::/32'],
  macaddr: ['08:00:2b:01:02:03'],
  macaddr8: ['08:00:2b:01:02:03:04:05'],
  'bit(3)': ['101'],
  'bit varying': ['', '1011'],
  json: ['{"b" : 1.10,  "a":[null, true], "b":2}', '"\\u0041"'],
  jsonb: ['{"n": 1.10, "big": 123456789012345678901234567890, "s": "é\\"\\\\"}', 'null', '[]'],
  jsonpath: ['$."a"[*]?(@ > 1)'],
  xml: ['<a b="c">x</a>', 'text <b/> only'],
  tsvector: ["'a':1A,2B 'fat cat':3"],
  tsquery: ["'a' & !( 'b' | 'c':*A )"],
  point: ['(1.5,-0)', '(NaN,Infinity)'],
  line: ['{1,-2,3}'],
  lseg: ['[(0,0),(1,1)]'],
  box: ['(1,1),(0,0)'],
  path: ['((0,0),(1,1))', '[(0,0),(1,1)]'],
  polygon: ['((0,0),(1,1),(1,0))'],
  circle: ['<(0,0),1.5>'],
  int4range: ['empty', '(,)', '[1,10)', '(,5)'],
  int8range: ['[9007199254740993,9007199254740995)'],
  numrange: ['[1.10,2.20]', '(,1.5)'],
  daterange: ['[2024-01-01,infinity)', 'empty'],
  tsrange: ['["2024-01-01 00:00:00","2024-01-02 00:00:00")', '(-infinity,infinity)'],
  tstzrange: ['["2024-01-01 00:00:00+00",)'],
  int4multirange: ['{}', '{[1,3),[5,8)}'],
  datemultirange: ['{[2024-01-01,2024-02-01)}'],
  'integer[]': ['{}', '{1,NULL,3}', '[0:1]={1,2}', '{{1,2},{3,4}}'],
  'text[]': ['{"a b",NULL,"NULL","",",\\"\\\\{}"}'],
  'numeric(10,2)[]': ['{1.10,NaN}'],
  'timestamp with time zone[]': ['{infinity,"2024-01-01 00:00:00+00"}'],
  'bytea[]': ['{"\\\\x00ff",NULL}'],
  'jsonb[]': ['{"{\\"a\\": 1.10}"}'],
  'public.mood': ["it's", 'fine, thanks', ''],
  'public.mood[]': ['{"fine, thanks",NULL}'],
  'public.positive': ['1.10'],
  'public.positive[]': ['{1.10,2}'],
  'public.words': ['{a,NULL}'],
  'public.pair': ['(1,"a b")', '(,)', '(1,"")', '(1,"it\'s ""quoted"", \\\\ and (so)")'],
  'public.pair[]': ['{"(1,\\"a b\\")",NULL}'],
  'public.holder': ['(1.10,"(1,x)","{2024-01-01,infinity}")'],
  'public.floats': ['[0.1,1e+300)'],
  'public.citext': ['ABC', 'abd'],
  'public.hstore': ['"a"=>"1", "b"=>NULL'],
  'public.ltree': ['top.a_b'],
  regclass: ['pg_class'],
};

/** What a role may have set for itself; each changes how some type is printed. */
const hostile = {
  DateStyle: "'SQL, DMY'",
  IntervalStyle: "'sql_standard'",
  TimeZone: "'Asia/Kathmandu'",
  extra_float_digits: '-10',
  bytea_output: "'escape'",
  lc_monetary: "'C.UTF-8'",
  client_encoding: "'LATIN1'",
  search_path: 'public, pg_catalog',
  statement_timeout: "'1ms'",
  idle_in_transaction_session_timeout: "'1ms'",
  default_transaction_isolation: "'serializable'",
  xmloption: "'document'",
};

let db: SourceDatabase;
let tables: Table[];
let role: string;

describe('values of every type', () => {
  beforeAll(async () => {
    db = await openSourceDatabase(inject('postgresUrl'));
    await db.sql(`
      CREATE EXTENSION citext SCHEMA public; CREATE EXTENSION hstore SCHEMA public; CREATE EXTENSION ltree SCHEMA public;
      CREATE TYPE public.mood AS ENUM ('it''s', 'fine, thanks', '');
      CREATE DOMAIN public.positive AS numeric CHECK (VALUE > 0);
      CREATE DOMAIN public.words AS text[];
      CREATE TYPE public.pair AS (a integer, b text);
      CREATE TYPE public.holder AS (n numeric(10,2), p public.pair, d date[]);
      CREATE TYPE public.floats AS RANGE (subtype = double precision)`);
    for (const [number, type] of Object.keys(corpus).entries())
      await db.sql(`
        CREATE TABLE public.of_${number} (id integer PRIMARY KEY, v ${type});
        CREATE TABLE public.read_${number} (id integer PRIMARY KEY, v ${type});
        CREATE TABLE public.told_${number} (id integer PRIMARY KEY, v ${type})`);
    role = await db.role('SUPERUSER');
    for (const [name, value] of Object.entries(hostile)) {
      await db.sql(`ALTER ROLE ${role} SET ${name} = ${value}`);
      await db.sql(`ALTER DATABASE ${db.settings.database} SET ${name} = ${value}`);
    }
    tables = (await db.source.catalog(['public'])).filter(({ name }) => name.startsWith('of_'));
  });

  afterAll(() => db.close());

  test('come out of chunks and out of the stream as they are, whatever the role has set', async () => {
    const source = db.open({ user: role });
    const job = newJob();
    const stream = await source.stream(job, await source.reserve(job, tables), tables);
    const told = new Told(stream);
    await insertCorpus();
    for (const change of await told.until(await source.now()))
      if (change.kind === 'row' && change.after) await write(`told_${numberOf(change.table)}`, change.after);
    const range = { from: null, to: null, after: null, done: false };
    for (const table of tables)
      for (const row of (await source.read(table, { range, limit: 100 })).rows)
        await write(`read_${numberOf(table)}`, row);
    const kinds = Object.keys(corpus).map((type, number) => ({ type, number }));
    const differing = kinds.filter(({ number }) => ['read', 'told'].some((way) => differences(way, number) !== '0'));
    expect(differing).toEqual([]);
    const counts = kinds.map(({ number }) => psql(`SELECT count(*) FROM public.told_${number}`));
    expect(counts).toEqual(Object.values(corpus).map((values) => String(values.length + 1)));
    await stream.close();
  });
});

test('the documents name the types of the corpus, and no other', () => {
  const ownTypes = ['enum', 'domain', 'composite', 'range'];
  const named = postgresTypes.filter(({ fit }) => fit === 'exact').flatMap(({ names }) => names);
  const tried = Object.keys(corpus).map((type) => type.replace(/\(.*?\)/g, '').replace(/^interval .*/, 'interval'));
  const [own, builtIn] = [true, false].map((isOwn) => tried.filter((type) => type.startsWith('public.') === isOwn));
  expect([...new Set(builtIn)].filter((type) => !named.includes(type))).toEqual([]);
  const known = [...tried, ...(own ?? []).map((type) => type.replace('public.', '')), ...ownTypes];
  expect(named.filter((type) => !known.includes(type))).toEqual([]);
});

test.each(['text', 'citext', 'numeric', 'uuid', 'timestamptz', 'mood', 'bytea', 'char(3)', 'pair', 'date[]', '"char"'])(
  'a key of type %s is read in chunks without losing or doubling a row',
  async (type) => {
    const own = await openSourceDatabase(inject('postgresUrl'));
    try {
      await own.sql(`
        CREATE EXTENSION citext SCHEMA public; CREATE TYPE public.mood AS ENUM ('b', 'a', 'C', 'd');
        CREATE TYPE public.pair AS (a integer, b text);
        CREATE TABLE public.t (v ${type}, w citext, PRIMARY KEY (v, w))`);
      const values: Record<string, string[]> = {
        uuid: ['00000000-0000-0000-0000-000000000000', 'ffffffff-0000-0000-0000-000000000000'],
        timestamptz: ['-infinity', '2024-01-01 00:00:00+00', 'infinity', '0001-01-01 00:00:00+00 BC'],
        numeric: ['1.10', '-Infinity', 'NaN', '1.2'],
        mood: ['b', 'a', 'C', 'd'],
        bytea: ['\\x00', '\\xff', '\\x'],
        pair: ['(1,b)', '(1,B)', '(2,)'],
        'date[]': ['{}', '{2024-01-01}', '{infinity,2024-01-01}'],
      };
      const given = values[type] ?? ['a', 'B', 'c', ''];
      for (const value of given)
        for (const word of ['x', 'Y', 'z']) await own.sql('INSERT INTO public.t VALUES ($1, $2)', [value, word]);
      const table = await own.table('t');
      const seen: Row[] = [];
      for (let after: string[] | null = null, left = true; left; ) {
        const chunk = await own.source.read(table, { range: { from: null, to: null, after, done: false }, limit: 2 });
        seen.push(...chunk.rows);
        after = chunk.last?.map(String) ?? null;
        left = chunk.last !== null;
      }
      const expected = await own.sql('SELECT v, w FROM public.t ORDER BY v, w');
      expect(seen.length).toBe(given.length * 3);
      expect(seen.map((row) => row.join())).toEqual(expected.map((row) => row.join()));
      const { rows } = await own.source.read(table, { keys: expected.slice(1, 3).map((row) => row.map(String)) });
      expect(rows).toHaveLength(2);
    } finally {
      await own.close();
    }
  },
);

function numberOf({ name }: Table): string {
  return name.replace('of_', '');
}

async function insertCorpus(): Promise<void> {
  for (const [number, values] of Object.values(corpus).entries())
    for (const [id, value] of [...values, null].entries())
      await db.sql(`INSERT INTO public.of_${number} VALUES (${id}, $1)`, [value]);
}

async function write(table: string, row: Row): Promise<void> {
  await db.sql(`INSERT INTO public.${table} VALUES ($1, $2)`, row.map(sqlValue));
}

function sqlValue(cell: Cell): string | null {
  if (cell === null || typeof cell === 'string') return cell;
  throw new Error('The source told a cell that is neither text nor NULL.');
}

/** Rows whose text psql prints differently. */
function differences(way: string, number: number): string {
  return psql(`
    SELECT count(*) FROM public.of_${number} AS a FULL JOIN public.${way}_${number} AS b ON b.id = a.id
    WHERE b.v::text IS DISTINCT FROM a.v::text OR a.id IS NULL OR b.id IS NULL`);
}

function psql(text: string): string {
  return execFileSync(join(findPostgres() ?? '', 'psql'), ['-X', '-At', '-d', db.url, '-c', text], {
    encoding: 'utf8',
    env: { ...process.env, PGOPTIONS: '-c statement_timeout=0 -c extra_float_digits=3' },
  }).trim();
}
