import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';
import { keyOf } from '../../change.ts';
import type { RangeMark } from '../../mark.ts';
import type { PrintedRows } from '../../printed.ts';
import type { Sink } from '../../sink.ts';
import type { Chunk } from '../../source.ts';
import type { Table } from '../../table.ts';
import { openPostgresSink } from './sink.ts';

const whole: RangeMark = { from: null, to: null, after: null, done: false };
const job = 'canal0123456789a';
let db: SourceDatabase;
let sink: Sink;

beforeEach(async () => {
  db = await openSourceDatabase(inject('postgresUrl'));
  sink = openPostgresSink(db.settings, db.abort.signal);
});

afterEach(async () => {
  await sink.close();
  await db.close();
});

async function load(table: Table, printed: PrintedRows): Promise<void> {
  const { epoch } = await sink.takeOver(job);
  await sink.loadPrinted?.({ table, rows: [], printed, absent: [], replace: null, conflict: 'replace' }, async () => ({
    job,
    epoch,
  }));
}

/** Text with everything that COPY escapes, or that looks like what it writes. */
const awkward = String.raw`E'\\N', E'\\.', '', E'a\tb\nc\rd\\e\be\fe\ve', E'\\\\t', 'ä€😀', NULL`;

test('a chunk prints its rows exactly, and loads into a table with reordered and renamed columns', async () => {
  await db.sql(`
    CREATE TABLE t (id int PRIMARY KEY, g int GENERATED ALWAYS AS (id * 2) STORED, v text, tags text[], w bytea);
    INSERT INTO t (id, v, tags, w) SELECT place, v, ARRAY[v, 'x'], convert_to(v, 'UTF8')
      FROM unnest(ARRAY[${awkward}]) WITH ORDINALITY AS u (v, place);
    CREATE TABLE copy (raw bytea, label text, d int DEFAULT 7, list text[], number int PRIMARY KEY);
    INSERT INTO copy (number, label) VALUES (2, 'is replaced')`);
  const chunk = await db.source.read(await db.table('t'), { range: whole, limit: 100 });
  expect(chunk.printed).toMatchObject({ length: 7, columns: [0, 2, 3, 4] });
  expect(chunk.rows.map((row) => row.filter((_, column) => column !== 1))).toEqual(
    await db.sql('SELECT id, v, tags, w FROM t ORDER BY id'),
  );
  const target = await db.table('copy');
  const carried = { ...target, columns: target.columns.filter(({ name }) => name !== 'd'), key: [3] };
  if (chunk.printed) await load(carried, { ...chunk.printed, columns: [3, 1, 2, 0] });
  expect(await db.sql('SELECT number, label, list, raw, d FROM copy ORDER BY number')).toEqual(
    (await db.sql('SELECT id, v, tags, w FROM t ORDER BY id')).map((row) => [...row, '7']),
  );
});

test('rows are removed from a print by their keys, however COPY escapes them', async () => {
  await db.sql(`CREATE TABLE t (v int, b text, a text, PRIMARY KEY (a, b));
    INSERT INTO t SELECT place, 'b' || place, v FROM unnest(ARRAY[${awkward}]) WITH ORDINALITY AS u (v, place) WHERE v IS NOT NULL`);
  const table = await db.table('t');
  const { rows, printed } = await db.source.read(table, { range: whole, limit: 100 });
  for (const wanted of rows) {
    const taken = printed?.without([keyOf(table, wanted), ['nobody', 'has this']]);
    expect(taken?.rows).toEqual([wanted]);
    await db.sql('CREATE TABLE IF NOT EXISTS copy (LIKE t INCLUDING ALL); TRUNCATE copy');
    if (taken) await load(await db.table('copy'), taken.rest);
    expect(await db.sql('SELECT * FROM copy ORDER BY v')).toEqual(
      rows.filter((row) => row !== wanted).sort(([one], [other]) => Number(one) - Number(other)),
    );
  }
});

test('a binary print of every listed type loads unchanged, and continues after its last key', async () => {
  await db.sql(`CREATE TABLE t (id bigint, u uuid, k text, s smallint, b boolean, r real, d double precision, n numeric(30, 10),
      v varchar(9), c char(4), raw bytea, day date, clock time, at timestamp, instant timestamptz, j json, jb jsonb,
      g int GENERATED ALWAYS AS (s + 1) STORED, PRIMARY KEY (k, id, u));
    INSERT INTO t (id, u, k, s) SELECT -n, gen_random_uuid(), 'ä' || n, n FROM generate_series(1, 1200) n;
    INSERT INTO t SELECT 9223372036854775807, gen_random_uuid(), 'z', -32768, true, '-0', 'NaN', 'NaN', 'ä€😀', 'a', '\\x00ff',
      'infinity', '24:00', '-infinity', '0044-03-15 12:00:00+00 BC', '{"a": 1.10}', '{"a": 1.10}';
    CREATE TABLE copy (LIKE t INCLUDING ALL)`);
  const table = await db.table('t');
  const lengths: number[] = [];
  for (let range: RangeMark | null = whole; range; ) {
    const { printed, last } = await db.source.read(table, { range, limit: 500, mayBeBinary: true });
    expect(printed?.isBinary).toBe(true);
    if (printed) await load(await db.table('copy'), printed.without([]).rest);
    lengths.push(printed?.length ?? 0);
    range = last && { ...range, after: last.map(String) };
  }
  expect(lengths).toEqual([500, 500, 201]);
  expect(await db.sql('SELECT copy::text FROM copy ORDER BY k, id, u')).toEqual(
    await db.sql('SELECT t::text FROM t ORDER BY k, id, u'),
  );
  await db.sql('TRUNCATE t');
  const { printed, last } = await db.source.read(table, { range: whole, limit: 500, mayBeBinary: true });
  expect([printed?.length, last]).toEqual([0, null]);
  if (printed) await load(await db.table('copy'), printed);
});

test('a table with a column of any other type is printed as text', async () => {
  await db.sql(`CREATE TYPE mood AS ENUM ('calm'); CREATE DOMAIN text_like AS text;
    CREATE TABLE a (id int PRIMARY KEY, m mood); CREATE TABLE b (id int PRIMARY KEY, t text_like);
    CREATE TABLE c (id int PRIMARY KEY, list int[]); CREATE TABLE d (id date PRIMARY KEY); CREATE TABLE e (id int PRIMARY KEY, span interval)`);
  // Servers before 17 silently accept the binary form of an infinite interval as a finite one.
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const chunk = await db.source.read(await db.table(name), { range: whole, limit: 1, mayBeBinary: true });
    expect(chunk.printed?.isBinary).toBe(false);
  }
});

test.each([false, true])(
  'a chunk of wide rows ends at its byte limit, and the next one continues after it (binary: %s)',
  async (mayBeBinary) => {
    await db.sql(`CREATE TABLE t (id int PRIMARY KEY, v text);
    INSERT INTO t SELECT n, repeat('w', 3000000) FROM generate_series(1, 7) n; CREATE TABLE copy (LIKE t INCLUDING ALL)`);
    const table = await db.table('t');
    const lengths: number[] = [];
    for (let range: RangeMark | null = whole; range; ) {
      const { printed, last }: Chunk = await db.source.read(table, { range, limit: 1000, mayBeBinary });
      lengths.push(printed?.length ?? 0);
      if (printed) await load(await db.table('copy'), printed);
      range = last && { ...range, after: last.map(String) };
    }
    expect(await db.sql('SELECT id, length(v) FROM copy ORDER BY id')).toEqual(
      Array.from({ length: 7 }, (_, place) => [String(place + 1), '3000000']),
    );
    expect(Math.max(...lengths)).toBe(2);
    expect(lengths.length).toBeGreaterThan(3);
  },
);

test('the size of a chunk depends on the width of the rows before it', async () => {
  await db.sql(`CREATE TABLE t (id int PRIMARY KEY, v text);
    INSERT INTO t SELECT n, repeat('w', 10000) FROM generate_series(1, 1000) n`);
  const table = await db.table('t');
  const first = await db.source.read(table, { range: whole, limit: 100_000 });
  const second = await db.source.read(table, { range: { ...whole, after: ['1'] }, limit: 100_000 });
  expect(first.printed?.length).toBe(500);
  expect(second.printed?.length).toBeLessThan(500);
  expect(second.printed?.length).toBeGreaterThan(300);
});

test('a refused row is reported for its own table, and nothing of the batch remains', async () => {
  await db.sql(
    'CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY CHECK (id < 2)); CREATE TABLE c (id int PRIMARY KEY)',
  );
  const { epoch } = await sink.takeOver(job);
  for (const id of ['1', '2']) {
    const batches = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        const actions = [{ kind: 'upsert' as const, row: [id] }];
        return { table: await db.table(name), truncate: false, actions, inLogOrder: actions };
      }),
    );
    const applied = sink.apply(batches, { job, epoch, slice: Number(id) }, () => ({}));
    if (id === '1') await applied;
    else await expect(applied).rejects.toMatchObject({ place: { table: 'public.b', state: '23514' } });
  }
  expect(await db.sql('SELECT id FROM a UNION ALL SELECT id FROM b UNION ALL SELECT id FROM c')).toEqual([
    ['1'],
    ['1'],
    ['1'],
  ]);
  expect((await sink.takeOver(job)).slice).toBe(1);
});
