import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';
import { UNCHANGED } from '../../change.ts';

const whole = { range: { from: null, to: null, after: null, done: false }, limit: 100 };
let db: SourceDatabase;

beforeEach(async () => {
  db = await openSourceDatabase(inject('postgresUrl'));
  await db.sql(`
    CREATE TABLE t (id int PRIMARY KEY, a int, name text COLLATE "C", word text COLLATE "en-x-icu", at timestamptz,
      big text, half int GENERATED ALWAYS AS (a / 2) STORED);
    INSERT INTO t (id, a, name, word, at, big) SELECT i, i, 'n' || i, 'w' || i, '2026-01-01', repeat('x', i)
      FROM generate_series(1, 9) i`);
});

afterEach(() => db.close());

/** What the check says about a condition. */
async function checked(condition: string) {
  const table = await db.table('t');
  const findings = await db.source.check([table], { filters: new Map([[table.id, condition]]) });
  return findings.filter(({ type, sentence }) => type === 'COLUMN_TYPE' && sentence.includes('filter'));
}

describe('a condition that is refused', () => {
  test.each([
    ['a >', /syntax error/],
    ['a > 1) OR (true', /syntax error/],
    ['a > 1; DROP TABLE t', /syntax error/],
    ['a > 1); DROP TABLE t; --', /syntax error/],
    ['a > 1 /*', /unterminated/],
    ["a > 1 AND name = 'x", /unterminated/],
    ['a > 1 THEN 1 WHEN a > 2', /syntax error/],
    ['a = 1, 2', /syntax error/],
    ['SELECT a FROM t', /syntax error/],
    ['a', /boolean/],
    ['missing = 1', /"missing" does not exist/],
    ['t.a > 1', /"t"/],
    ['t IS NOT NULL', /"t" does not exist/],
    ['a > $1', /\$1/],
    ['true', /names no column/],
    ['at > now()', /not immutable/],
    ['random() < a', /not immutable/],
    ['at::text > name', /not immutable/],
    ['a IN (SELECT 1)', /subquery/],
    ['count(a) > 1', /aggregate/],
    ['ctid IS NOT NULL AND a > 1', /system column/],
  ])('%s', async (condition, reason) => {
    expect(await checked(condition)).toEqual([
      expect.objectContaining({ result: 'fault', table: 'public.t', sentence: expect.stringMatching(reason) }),
    ]);
    const table = await db.table('t');
    await expect(db.source.read(table, whole, condition)).rejects.toMatchObject({ code: 'FILTER_REFUSED' });
    await expect(db.source.judge(table, condition, [])).rejects.toMatchObject({ code: 'FILTER_REFUSED' });
    expect(await db.sql('SELECT count(*) FROM t')).toEqual([['9']]);
  });
});

test('a condition filters chunks, rows by key and whole tables, and leaves nothing behind', async () => {
  const condition = "a > 3 AND (at > '2025-12-31 00:00+00' OR name = 'x') -- until the end";
  expect(await checked(condition)).toEqual([expect.objectContaining({ result: 'passed' })]);
  const table = await db.table('t');
  const ids = (rows: readonly (readonly unknown[])[]) => rows.map(([id]) => id);
  expect(ids((await db.source.read(table, whole, condition)).rows)).toEqual(['4', '5', '6', '7', '8', '9']);
  const part = await db.source.read(table, { range: { ...whole.range, after: ['7'] }, limit: 100 }, condition);
  expect(ids(part.rows)).toEqual(['8', '9']);
  expect(ids((await db.source.read(table, { keys: [['2'], ['5'], ['77']] }, condition)).rows)).toEqual(['5']);
  const all: unknown[] = [];
  for await (const rows of db.source.readAll(table, condition)) all.push(...ids(rows));
  expect(all.sort()).toEqual(['4', '5', '6', '7', '8', '9']);
  expect(await db.sql(`SELECT relname FROM pg_class WHERE relname LIKE 'millrace%'`)).toEqual([]);
});

describe('rows from the log', () => {
  const row = (cells: Partial<Record<'a' | 'name' | 'word' | 'at' | 'big', string | null>>) =>
    [
      '1',
      cells.a ?? null,
      cells.name ?? null,
      cells.word ?? null,
      cells.at ?? null,
      cells.big ?? UNCHANGED,
      UNCHANGED,
    ] as const;

  test('match, do not match or are undecided, and NULL does not match', async () => {
    const table = await db.table('t');
    expect(await db.source.judge(table, 'a > 3', [row({ a: '4' }), row({ a: '3' }), row({})])).toEqual([
      true,
      false,
      false,
    ]);
    const rows = [row({ a: '4' }), row({ a: '4', big: 'xx' }), row({ big: 'x' })];
    expect(await db.source.judge(table, 'length(big) > 1', rows)).toEqual([null, true, false]);
    expect(await db.source.judge(table, 'half > 1', rows)).toEqual([null, null, null]);
  });

  test('are compared by the types and collations of their columns', async () => {
    const table = await db.table('t');
    const both = [row({ name: 'a', word: 'a', a: '10' })];
    expect(await db.source.judge(table, "name > 'B'", both)).toEqual([true]);
    expect(await db.source.judge(table, "word > 'B'", both)).toEqual([false]);
    expect(await db.source.judge(table, 'a > 9', both)).toEqual([true]);
  });

  test('are evaluated where nothing can be written to the database', async () => {
    await db.sql(`CREATE FUNCTION deeper(int) RETURNS boolean LANGUAGE plpgsql
        AS 'BEGIN INSERT INTO public.t (id) VALUES (100 + $1); RETURN true; END';
      CREATE FUNCTION writes(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN public.deeper($1); END'`);
    const table = await db.table('t');
    await expect(db.source.judge(table, 'public.writes(a)', [row({ a: '4' })])).rejects.toMatchObject({
      code: 'SERVER_READ_ONLY',
    });
    await expect(db.source.read(table, whole, 'public.writes(a)')).rejects.toMatchObject({ code: 'SERVER_READ_ONLY' });
  });
});

test('a user who cannot create temporary tables gets the statement that allows it', async () => {
  const role = await db.role('REPLICATION');
  await db.sql(`GRANT SELECT ON t TO ${role}; REVOKE TEMPORARY ON DATABASE "${db.settings.database}" FROM PUBLIC`);
  const table = await db.table('t');
  const findings = await db.open({ user: role }).check([table], { filters: new Map([[table.id, 'a > 1']]) });
  expect(findings).toContainEqual(
    expect.objectContaining({
      result: 'fault',
      sentence: expect.stringContaining('temporary table'),
      sql: `GRANT TEMPORARY ON DATABASE ${db.settings.database} TO ${role};`,
    }),
  );
});
