import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Key, Row } from '../../change.ts';
import type { Sink } from '../../sink.ts';
import { openSqliteSink } from './sink.ts';

const job = 'job0123456789abc';
let folder: string;
let user: DatabaseSync;
let sink: Sink;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-evict-'));
  user = new DatabaseSync(join(folder, 'target.db'), { returnArrays: true });
  sink = openSqliteSink({ folder, file: 'target.db' }, new AbortController().signal);
});

afterEach(async () => {
  await sink.close();
  user.close();
  rmSync(folder, { recursive: true });
});

/** Keys of the rows that make room for a row of the file's only table; a row has no generated cells. */
async function evictedBy(row: Row): Promise<Key[]> {
  const [table] = await sink.catalog([]);
  if (!table) throw new Error('There is no table.');
  const { epoch } = await sink.takeOver(job);
  const carried = { ...table, columns: table.columns.filter(({ generated }) => !generated) };
  return await sink.evict(carried, [row], () => ({ job, epoch }));
}

test('only rows that hold a unique value of an incoming row are evicted', async () => {
  user.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE, code TEXT, open INTEGER, größe TEXT);
    CREATE UNIQUE INDEX of_size ON t (lower(größe));
    CREATE UNIQUE INDEX of_open ON t (code) WHERE open;
    INSERT INTO t VALUES (1, 'x', 'c', 1, 'S'), (2, 'y', 'd', 1, 'M')`);
  expect(await evictedBy(['i:3', 't:x', 't:d', 'i:0', 't:l'])).toEqual([['i:1']]);
  expect(await evictedBy(['i:3', 't:z', 't:d', 'i:1', 't:l'])).toEqual([['i:2']]);
});

test('rows that hold the value which a generated column will have are evicted', async () => {
  user.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, "e mail" TEXT, n INTEGER CHECK (CAST(n AS REAL) > 0),
      g TEXT UNIQUE AS (lower("e mail")), [tens] TEXT COLLATE NOCASE GENERATED ALWAYS AS -- (not these)
      (n * 10 || 'e') STORED);
    CREATE UNIQUE INDEX of_tens ON t (tens) WHERE g <> 'none';
    INSERT INTO t ("e mail", n) VALUES ('a@x', 1), ('B@x', 2), ('c@x', 3), ('None', 4)`);
  expect(await evictedBy(['i:2', 't:A@X', 'i:2'])).toEqual([['i:1']]);
  expect(await evictedBy(['i:5', 't:b@x', 'i:3'])).toEqual([['i:2'], ['i:3']]);
  expect(await evictedBy(['i:5', 't:d@x', 'i:4'])).toEqual([]);
});

test('rows are found by conditions that compare as their columns do', async () => {
  user.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT, state TEXT COLLATE NOCASE, n INTEGER);
    CREATE UNIQUE INDEX of_open ON t (code) WHERE state = 'open';
    CREATE UNIQUE INDEX of_first ON t (code, state) WHERE n = '1';
    INSERT INTO t VALUES (1, 'c', 'Open', 0), (2, 'd', 'done', 1)`);
  expect(await evictedBy(['i:3', 't:c', 't:OPEN', 'i:0'])).toEqual([['i:1']]);
  expect(await evictedBy(['i:3', 't:d', 't:DONE', 'i:0'])).toEqual([]);
  expect(await evictedBy(['i:3', 't:d', 't:DONE', 'i:1'])).toEqual([['i:2']]);
});
