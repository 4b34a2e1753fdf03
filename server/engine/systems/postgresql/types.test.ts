import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findPostgres } from '../../../testing/postgres.ts';
import { newJob, openSourceDatabase, type SourceDatabase, Told } from '../../../testing/postgres-source.ts';
import { corpus, corpusTypes, hostileSettings } from '../../../testing/type-corpus.ts';
import type { Cell, Row } from '../../change.ts';
import type { Table } from '../../table.ts';
import { postgresTypes } from './type-fits.ts';

let db: SourceDatabase;
let tables: Table[];
let role: string;

describe('values of every type', () => {
  beforeAll(async () => {
    db = await openSourceDatabase(inject('postgresUrl'));
    await db.sql(corpusTypes);
    for (const [number, type] of Object.keys(corpus).entries())
      await db.sql(`
        CREATE TABLE public.of_${number} (id integer PRIMARY KEY, v ${type});
        CREATE TABLE public.read_${number} (id integer PRIMARY KEY, v ${type});
        CREATE TABLE public.told_${number} (id integer PRIMARY KEY, v ${type})`);
    role = await db.role('SUPERUSER');
    for (const [name, value] of Object.entries(hostileSettings)) {
      await db.sql(`ALTER ROLE ${role} SET ${name} = ${value}`);
      await db.sql(`ALTER DATABASE ${db.settings.database} SET ${name} = ${value}`);
    }
    tables = (await db.source.catalog(['public'])).filter(({ name }) => name.startsWith('of_'));
  });

  afterAll(() => db.close());

  test('arrive unchanged from chunks and from the stream, whatever the role has set', async () => {
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

test('the documents name the types of the corpus, and no others', () => {
  const ownTypes = ['enum', 'domain', 'composite', 'range'];
  const named = postgresTypes.filter(({ fit }) => fit === 'exact').flatMap(({ names }) => names);
  const tried = Object.keys(corpus).map((type) => type.replace(/\(.*?\)/g, '').replace(/^interval .*/, 'interval'));
  const [own, builtIn] = [true, false].map((isOwn) => tried.filter((type) => type.startsWith('public.') === isOwn));
  expect([...new Set(builtIn)].filter((type) => !named.includes(type))).toEqual([]);
  const known = [...tried, ...(own ?? []).map((type) => type.replace('public.', '')), ...ownTypes];
  expect(named.filter((type) => !known.includes(type))).toEqual([]);
});

test.each(['text', 'citext', 'numeric', 'uuid', 'timestamptz', 'mood', 'bytea', 'char(3)', 'pair', 'date[]', '"char"'])(
  'a key of type %s is read in chunks without losing or duplicating a row',
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
