import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Sink, Statement } from '../../sink.ts';
import type { Source } from '../../source.ts';
import type { Table } from '../../table.ts';
import { openSqliteSink } from './sink.ts';
import { openSqliteSource } from './source.ts';

let folder: string;
let user: DatabaseSync;
let source: Source;
let sink: Sink;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-sqlite-'));
  user = new DatabaseSync(join(folder, 'source.db'));
  const { signal } = new AbortController();
  source = openSqliteSource({ folder, file: 'source.db' }, signal);
  sink = openSqliteSink({ folder, file: 'target.db' }, signal);
});

afterEach(async () => {
  await source.close();
  await sink.close();
  user.close();
  rmSync(folder, { recursive: true });
});

async function make(rename: (table: Table) => Table = (table) => table): Promise<Statement[]> {
  const tables = await source.catalog([]);
  const planned = await source.structure(tables, tables.map(rename), await sink.catalog([]));
  const isMade = await sink.findMade(planned);
  const statements = planned.map((one, place) => ({ ...one, exists: one.exists || isMade[place] === true }));
  for (const phase of ['before', 'after']) {
    for (const statement of statements) {
      if (statement.phase === phase && !statement.exists) await sink.run(statement);
    }
  }
  return statements;
}

/** A file's schema, read by SQLite directly. */
function schema(file: string): string[] {
  const database = new DatabaseSync(join(folder, file), { readOnly: true });
  const rows = database
    .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all();
  database.close();
  return rows.map(({ sql }) => String(sql));
}

const everything = `
  CREATE TABLE parent (id INTEGER PRIMARY KEY AUTOINCREMENT, "odd ""name" TEXT COLLATE NOCASE, n INT DEFAULT (1 + 2) CHECK (n > 0));
  CREATE TABLE child (a TEXT, b TEXT, p REFERENCES parent(id) ON DELETE CASCADE, g AS (a || b) STORED, PRIMARY KEY (a, b)) WITHOUT ROWID;
  CREATE TABLE strict (k BLOB NOT NULL UNIQUE, v ANY) STRICT;
  CREATE TABLE loose (k TEXT NOT NULL, v);
  CREATE UNIQUE INDEX loose_key ON loose (k);
  CREATE INDEX parent_name ON parent (lower("odd ""name") DESC) WHERE n > 5;
  INSERT INTO parent VALUES (41, 'a', 1);
  DELETE FROM parent;
`;

test('structure is reproduced exactly, and can be created again', async () => {
  user.exec(everything);
  const statements = await make();
  expect(schema('target.db').map((sql) => sql.replace('INDEX IF NOT EXISTS', 'INDEX'))).toEqual(schema('source.db'));
  expect(statements.map(({ kind, phase }) => `${kind} ${phase}`)).toEqual([
    'table before',
    'table before',
    'key before',
    'table before',
    'index after',
    'sequence after',
    'sequence after',
    'table before',
  ]);
  const database = new DatabaseSync(join(folder, 'target.db'));
  database.exec('INSERT INTO parent (n) VALUES (1)');
  expect(database.prepare('SELECT id FROM parent').get()).toEqual({ id: 42 });
  database.close();
  const again = await make();
  expect(again.filter(({ kind, exists }) => kind !== 'sequence' && !exists)).toEqual([]);
  for (const statement of again.filter(({ kind }) => kind === 'sequence'))
    expect(await sink.run(statement)).toBe(false);
});

test("an index is created even if another target table's index has its name", async () => {
  user.exec('CREATE TABLE item (id INTEGER PRIMARY KEY, v); CREATE UNIQUE INDEX "item v" ON item (v)');
  await make();
  for (let time = 0; time < 2; time++) await make((table) => ({ ...table, name: 'item_of_b' }));
  const made = schema('target.db').filter((sql) => sql.includes('INDEX'));
  expect(made).toEqual([
    expect.stringMatching(/^CREATE UNIQUE INDEX "item v" ON "?item"? \(v\)$/),
    expect.stringMatching(/^CREATE UNIQUE INDEX "item v_[0-9a-f]{8}" ON "?item_of_b"? \(v\)$/),
  ]);
});

test('tables and columns are renamed wherever they are named, even if they swap names', async () => {
  user.exec(everything);
  const names: Record<string, string> = { parent: 'child', child: 'parent', strict: 'strict', loose: 'Loose 2' };
  await make((table) => ({
    ...table,
    name: names[table.name] ?? '',
    columns: table.columns.map((column) =>
      table.name === 'parent' ? { ...column, name: { id: 'n', n: 'id' }[column.name] ?? column.name } : column,
    ),
  }));
  const text = schema('target.db').join('\n');
  expect(text).toMatch(/CREATE TABLE "child" \("?n"? INTEGER PRIMARY KEY AUTOINCREMENT/);
  expect(text).toMatch(/CHECK \("?id"? > 0\)/);
  expect(text).toMatch(/REFERENCES "child"\("?n"?\)/);
  expect(text).toMatch(/ON "child" \(lower\("odd ""name"\) DESC\) WHERE "?id"? > 5/);
  expect(text).toMatch(/ON "Loose 2" \(k\)/);
});

test('left-out columns and their indexes are not created, unless the table itself needs them', async () => {
  user.exec(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, secret TEXT NOT NULL, code TEXT UNIQUE, note TEXT);
    CREATE INDEX over_secret ON t (note, SECRET);
    CREATE INDEX over_note ON t (note);`);
  const tables = await source.catalog([]);
  const kept = tables.map((table) => ({
    ...table,
    columns: table.columns.filter(({ name }) => name === 'id' || name === 'note'),
  }));
  const renamed = kept.map((table) => ({
    ...table,
    columns: table.columns.map((column) => ({ ...column, name: column.name === 'note' ? 'remark' : column.name })),
  }));
  for (const statement of await source.structure(kept, renamed, [])) await sink.run(statement);
  expect(schema('target.db').map((sql) => sql.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^CREATE INDEX over_note ON t \("?remark"?\)$/),
    expect.stringMatching(/^CREATE TABLE t \(id INTEGER PRIMARY KEY, code TEXT UNIQUE, "?remark"? TEXT\)$/),
  ]);
});

test('target triggers are reported as a fault, with the statement that removes them', async () => {
  user.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
  await make();
  const database = new DatabaseSync(join(folder, 'target.db'));
  database.exec('CREATE TRIGGER own AFTER INSERT ON t BEGIN DELETE FROM t; END');
  const faults = (await sink.check(await sink.catalog([]))).filter(({ result }) => result === 'fault');
  expect(faults.map(({ sentence }) => sentence)).toEqual([expect.stringContaining('trigger own')]);
  database.exec(faults[0]?.sql ?? '');
  expect((await sink.check(await sink.catalog([]))).filter(({ result }) => result === 'fault')).toEqual([]);
  database.close();
});

test('a target column that would convert values, or a key index that compares differently, is a fault', async () => {
  user.exec(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT, n INT, any_value, price DECIMAL(10, 2));
    CREATE TABLE named (name TEXT COLLATE NOCASE PRIMARY KEY NOT NULL)`);
  const database = new DatabaseSync(join(folder, 'target.db'));
  database.exec(`
    CREATE TABLE t (id BIGINT UNIQUE, code INTEGER, n, any_value TEXT, price INTEGER);
    CREATE TABLE named (name TEXT COLLATE NOCASE NOT NULL, PRIMARY KEY (name COLLATE BINARY))`);
  const faults = (await sink.check(await source.catalog([]))).filter(({ result }) => result === 'fault');
  expect(faults.map(({ sentence }) => sentence)).toEqual([
    expect.stringContaining("main.named has no unique index on the source's key"),
    expect.stringContaining('column code of main.t is declared INTEGER'),
    expect.stringContaining('column any_value of main.t is declared TEXT'),
  ]);
  database.close();
});

test('a target that would treat different source values as equal is reported as a fault', async () => {
  user.exec(`
    CREATE TABLE keyed (k TEXT PRIMARY KEY NOT NULL, v TEXT);
    CREATE TABLE coded (id INTEGER PRIMARY KEY, code TEXT UNIQUE, "as is" TEXT COLLATE NOCASE UNIQUE);
    INSERT INTO keyed VALUES ('a', '1'), ('A', '2')`);
  const database = new DatabaseSync(join(folder, 'target.db'));
  database.exec(`
    CREATE TABLE keyed (k TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, v TEXT);
    CREATE TABLE coded (id INTEGER PRIMARY KEY, code TEXT, "as is" TEXT COLLATE NOCASE UNIQUE);
    CREATE UNIQUE INDEX coded_code ON coded (code COLLATE RTRIM)`);
  const check = async () => (await sink.check(await source.catalog([]))).filter(({ result }) => result === 'fault');
  const faults = await check();
  expect(faults.map(({ type, table }) => [type, table])).toEqual([
    ['COLUMN_TYPE', 'main.coded'],
    ['COLUMN_TYPE', 'main.keyed'],
  ]);
  expect(faults.map(({ sentence }) => sentence).join()).toMatch(/compares code by RTRIM.*compares k by NOCASE/);
  database.exec('DROP TABLE keyed; DROP INDEX coded_code; CREATE TABLE keyed (k TEXT PRIMARY KEY NOT NULL, v TEXT)');
  expect(await check()).toEqual([]);
  database.close();
});

describe('what only the application can create', () => {
  const good = 'CREATE TABLE good (id INTEGER PRIMARY KEY, n TEXT)';
  const checked = "CREATE TABLE bad (id INTEGER PRIMARY KEY, e TEXT CHECK (e REGEXP 'a'), other TEXT)";

  beforeEach(() => {
    for (const name of ['regexp', 'myfn']) user.function(name, { deterministic: true, varargs: true }, () => 1);
  });

  async function plan(
    targetOf: (table: Table) => Table = (table) => table,
    have: readonly Table[] = [],
    carried: (table: Table) => Table = (table) => table,
  ) {
    const tables = (await source.catalog([])).map(carried);
    return await source.structure(tables, tables.map(targetOf), have);
  }

  test.each([
    ['a function of a check', checked, 'it needs the function REGEXP'],
    ['a function of a computed column', 'CREATE TABLE bad (id, e AS (myfn(id)))', 'it needs the function myfn'],
  ])('%s keeps out its own table', async (_, sql, lacks) => {
    user.exec(`${good}; ${sql}; CREATE TABLE child (b REFERENCES bad (id))`);
    const statements = await plan((table) => ({ ...table, name: `new_${table.name}` }));
    expect(statements.map((one) => [one.table, one.lacks ?? null])).toEqual([
      ['main.new_bad', `${lacks}, which only the application has`],
      ['main.new_child', null],
      ['main.new_good', null],
    ]);
    expect(statements[1]?.sql).toMatch(/REFERENCES "?new_bad"?/);
  });

  test('a collation keeps out its own table', async () => {
    user.exec(`${good}; CREATE TABLE bad (id INTEGER PRIMARY KEY, e TEXT)`);
    user.enableDefensive(false);
    user.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE bad (id INTEGER PRIMARY KEY, e TEXT COLLATE LOCALIZED)' WHERE name = 'bad';
      PRAGMA writable_schema = RESET`);
    expect((await plan()).map((one) => [one.table, one.lacks ?? null])).toEqual([
      ['main.bad', 'it needs the collation LOCALIZED, which only the application has'],
      ['main.good', null],
    ]);
  });

  test('an index is left to the later phase, also beside strings in double quotes', async () => {
    const application = new DatabaseSync(join(folder, 'source.db'), { enableDoubleQuotedStringLiterals: true });
    application.function('myfn', { deterministic: true }, (value) => value);
    application.exec(`CREATE TABLE good (id INTEGER PRIMARY KEY, n TEXT CHECK (n <> "bad"));
      CREATE INDEX by_fn ON good (myfn(n)); CREATE INDEX open ON good (n) WHERE n = "open"`);
    application.close();
    const statements = await plan();
    expect(statements.map(({ kind, phase, lacks }) => [kind, phase, lacks ?? null])).toEqual([
      ['table', 'before', null],
      ['index', 'after', null],
      ['index', 'after', 'the index by_fn needs the function myfn, which only the application has'],
    ]);
    for (const statement of statements) if (statement.lacks === undefined) await sink.run(statement);
    expect(schema('target.db')).toHaveLength(2);
  });

  test('an index on a text in double quotes, such as a misspelled column, is left out', async () => {
    const application = new DatabaseSync(join(folder, 'source.db'), { enableDoubleQuotedStringLiterals: true });
    application.exec(`${good}; CREATE UNIQUE INDEX misspelled ON good (n, "tenat")`);
    application.close();
    await source.reserve('canal0123456789a', await source.catalog([]));
    expect((await plan()).map(({ kind, lacks }) => [kind, lacks ?? null])).toEqual([
      ['table', null],
      ['index', expect.stringContaining('SQLite says of the index misspelled: no such column: "tenat"')],
    ]);
  });

  test('a table that was created by hand gets its key before the copy', async () => {
    user.exec(`CREATE TABLE bad (a TEXT NOT NULL, e TEXT CHECK (e REGEXP 'a')); CREATE UNIQUE INDEX k ON bad (a)`);
    const byHand = new DatabaseSync(join(folder, 'target.db'));
    byHand.exec('CREATE TABLE bad (a TEXT NOT NULL, e TEXT)');
    byHand.close();
    const statements = await plan(undefined, await sink.catalog([]));
    expect(statements.map(({ kind, phase }) => [kind, phase])).toEqual([
      ['table', 'before'],
      ['key', 'before'],
    ]);
  });

  test('a table that was created by hand gets the indexes that it can have', async () => {
    user.exec(`${checked}; CREATE INDEX by_e ON bad (e); CREATE INDEX by_fn ON bad (myfn(e));
      CREATE INDEX by_other ON bad (other, e)`);
    const byHand = new DatabaseSync(join(folder, 'target.db'));
    byHand.exec('CREATE TABLE made (id INTEGER PRIMARY KEY, text TEXT)');
    byHand.close();
    const keep = (table: Table) => ({ ...table, columns: table.columns.filter(({ name }) => name !== 'other') });
    const rename = (table: Table) => ({
      ...table,
      name: 'made',
      columns: table.columns.map((column) => ({ ...column, name: column.name === 'e' ? 'text' : column.name })),
    });
    const statements = await plan(rename, await sink.catalog([]), keep);
    expect(statements.map(({ kind, exists, lacks }) => [kind, exists, lacks !== undefined])).toEqual([
      ['table', true, false],
      ['index', false, false],
      ['index', false, true],
    ]);
    for (const one of statements) if (!one.exists && one.lacks === undefined) await sink.run(one);
    expect(schema('target.db')[0]).toMatch(/by_e ON "?made"? \("?text"?\)/);
  });
});
