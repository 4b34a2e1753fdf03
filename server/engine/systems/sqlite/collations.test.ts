import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Source } from '../../source.ts';
import { openSqliteSource } from './source.ts';

let folder: string;
let application: DatabaseSync;
let source: Source;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-collations-'));
  application = new DatabaseSync(join(folder, 'source.db'), { enableDoubleQuotedStringLiterals: true });
  for (const name of ['regexp', 'myfn'])
    application.function(name, { deterministic: true, varargs: true }, (value) => value);
  source = openSqliteSource({ folder, file: 'source.db' }, new AbortController().signal);
});

afterEach(async () => {
  await source.close();
  application.close();
  rmSync(folder, { recursive: true });
});

/** The columns of the key of the only table. */
async function key(): Promise<(string | undefined)[]> {
  const [table] = await source.catalog([]);
  return (table?.key ?? []).map((place) => `${table?.columns[place]?.name}: ${table?.columns[place]?.equality}`);
}

test.each([
  [
    'strings in double quotes',
    `CREATE TABLE t (k TEXT COLLATE NoCase PRIMARY KEY NOT NULL, s CHECK (s IN ("x", "y")))`,
  ],
  ['a function of a check', "CREATE TABLE t (k TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, s CHECK (s REGEXP 'x'))"],
  ['a function of a computed column', 'CREATE TABLE t (k TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, g AS (myfn(k)))'],
  ['a function and no rowid', 'CREATE TABLE t (k TEXT COLLATE NOCASE PRIMARY KEY, s CHECK (myfn(s))) WITHOUT ROWID'],
])('a key is found beside %s', async (_, sql) => {
  application.exec(sql);
  expect(await key()).toEqual(['k: TEXT NOCASE']);
});

test.each([
  ['beside', 'k TEXT PRIMARY KEY NOT NULL, e TEXT COLLATE LOCALIZED', ['k: TEXT BINARY']],
  ['in', 'k TEXT COLLATE LOCALIZED NOT NULL UNIQUE, e TEXT', []],
])("a collation of the application %s the key's column", async (_, columns, found) => {
  application.exec('CREATE TABLE t (k TEXT NOT NULL UNIQUE, e TEXT)');
  application.enableDefensive(false);
  application.exec(`PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = 'CREATE TABLE t (${columns})' WHERE type = 'table';
    PRAGMA writable_schema = RESET`);
  expect(await key()).toEqual(found);
});
