import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Change, UNCHANGED } from '../../change.ts';
import type { ChangeStream, Source } from '../../source.ts';
import { openSqliteSource } from './source.ts';

const job = 'canal0123456789f';
const whole = { range: { from: null, to: null, after: null, done: false }, limit: 100 };
let folder: string;
let user: DatabaseSync;
let source: Source;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-filter-'));
  user = new DatabaseSync(join(folder, 'source.db'));
  user.exec(`PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, a, name TEXT COLLATE NOCASE);
    INSERT INTO t VALUES (1, 1, 'one'), (2, 2, 'two'), (3, 3, 'three'), (4, 4, NULL)`);
  source = openSqliteSource({ folder, file: 'source.db' }, new AbortController().signal);
});

afterEach(async () => {
  await source.close();
  user.close();
  rmSync(folder, { recursive: true });
});

async function tableT() {
  const [table] = await source.catalog([]);
  if (!table) throw new Error('There is no table.');
  return table;
}

test.each([
  'a >',
  'a > 1) OR (true',
  'a > 1; DROP TABLE t',
  'a > 1); DROP TABLE t; --',
  'a > 1 THEN 1 END; --',
  'a > 1 /*',
  "name = 'x",
  'missing = 1',
  '"missing" = 1',
  'a = ?',
  'a IN (SELECT a FROM t)',
  'count(a) > 1',
  'a > random()',
  "name > date('now')",
  'name > current_timestamp',
])('refuses %s', async (condition) => {
  const table = await tableT();
  const findings = await source.check([table], { filters: new Map([[table.id, condition]]) });
  expect(findings).toContainEqual(
    expect.objectContaining({ result: 'fault', table: 'main.t', sentence: expect.stringContaining('is refused') }),
  );
  await expect(source.read(table, whole, condition)).rejects.toMatchObject({ code: 'FILTER_REFUSED' });
  await expect(
    source.stream(job, { order: '', resume: '' }, [table], new Map([[table.id, condition]])),
  ).rejects.toMatchObject({
    code: 'FILTER_REFUSED',
  });
  expect(user.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 4 });
});

test("filters chunks, rows by key and whole tables by the column's comparison rules", async () => {
  const table = await tableT();
  const condition = "name = 'TWO' OR a >= 3 -- until the end";
  expect(await source.check([table], { filters: new Map([[table.id, condition]]) })).toContainEqual(
    expect.objectContaining({ type: 'COLUMN_TYPE', result: 'passed' }),
  );
  const ids = (rows: readonly (readonly unknown[])[]) => rows.map(([id]) => id);
  expect(ids((await source.read(table, whole, condition)).rows)).toEqual(['i:2', 'i:3', 'i:4']);
  expect(ids((await source.read(table, { keys: [['i:1'], ['i:3']] }, condition)).rows)).toEqual(['i:3']);
  const all: unknown[] = [];
  for await (const rows of source.readAll(table, condition)) all.push(...ids(rows));
  expect(all).toEqual(['i:2', 'i:3', 'i:4']);
});

test('the stream reports a row that does not match the condition as deleted', async () => {
  const table = await tableT();
  const from = await source.reserve(job, [table]);
  user.exec('UPDATE t SET a = 9 WHERE id = 1; UPDATE t SET a = 0 WHERE id = 3; DELETE FROM t WHERE id = 4');
  const stream = await source.stream(job, from, [table], new Map([[table.id, 'a > 2']]));
  const told: Change[] = [];
  for await (const changes of stream) {
    told.push(...changes);
    if (changes.some(({ kind }) => kind === 'commit')) break;
  }
  const last = new Map<unknown, string>();
  for (const change of told)
    if (change.kind === 'row')
      last.set((change.after ?? change.before)?.[0], change.op === 'delete' ? 'gone' : 'there');
  expect([...last].sort()).toEqual([
    ['i:1', 'there'],
    ['i:3', 'gone'],
    ['i:4', 'gone'],
  ]);
  await stream.close();
});

describe('a row on which the filter fails', () => {
  const condition = "json_extract(name, '$.a') = 1";
  const refusal = { code: 'QUERY_REFUSED', scope: 'table', place: { side: 'source', table: 'main.t' } };
  const toldUntilCommit = async (stream: ChangeStream) => {
    const told: Change[] = [];
    for await (const changes of stream) {
      told.push(...changes);
      if (changes.some(({ kind }) => kind === 'commit')) break;
    }
    return told;
  };

  test('is an error of its table for chunks, rows by key and whole tables', async () => {
    const table = await tableT();
    await expect(source.read(table, whole, condition)).rejects.toMatchObject(refusal);
    await expect(source.read(table, { keys: [['i:1']] }, condition)).rejects.toMatchObject(refusal);
    const all = source.readAll(table, condition)[Symbol.asyncIterator]();
    await expect(all.next()).rejects.toMatchObject(refusal);
  });

  test('is told by the stream among the changes of other tables', async () => {
    user.exec('CREATE TABLE u (id INTEGER PRIMARY KEY)');
    const tables = await source.catalog([]);
    const from = await source.reserve(job, tables);
    user.exec(`INSERT INTO u VALUES (1); UPDATE t SET name = '{"a": 1}' WHERE id = 1;
      UPDATE t SET name = 'not json' WHERE id = 2; INSERT INTO u VALUES (2)`);
    const stream = await source.stream(job, from, tables, new Map([['t', condition]]));
    const told = (await toldUntilCommit(stream)).flatMap((change) => {
      if (change.kind === 'unreadable') return [[change.table.name, change.error.code, change.error.place.table]];
      return change.kind === 'row' ? [[change.table.name, change.op]] : [];
    });
    expect(told).toEqual([
      ['u', 'insert'],
      ['t', 'insert'],
      ['t', 'QUERY_REFUSED', 'main.t'],
      ['u', 'insert'],
    ]);
    await stream.close();
  });
});

test('a computed column is not read, so it may need a function that only the application has', async () => {
  user.function('myfn', { deterministic: true }, (value) => value);
  user.exec(
    'CREATE TABLE computed (g AS (myfn(e)), id INTEGER PRIMARY KEY, e TEXT); INSERT INTO computed VALUES (1, 2)',
  );
  const table = (await source.catalog([])).find(({ name }) => name === 'computed');
  if (!table) throw new Error('There is no table.');
  const row = [UNCHANGED, 'i:1', 't:2'];
  expect((await source.read(table, whole)).rows).toEqual([row]);
  expect((await source.read(table, { keys: [['i:1']] })).rows).toEqual([row]);
  for await (const rows of source.readAll(table)) expect(rows).toEqual([row]);
});
