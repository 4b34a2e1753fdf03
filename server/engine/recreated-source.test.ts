import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, sqliteSide, wholeTables } from '../testing/job-spec.ts';
import { untilSameRows } from '../testing/same-rows.ts';
import type { JobSpec } from './job.ts';

/** A job that follows, whose table is recreated at a SQLite source: neither an id nor a log shows it. */

let folder: string;
let user: DatabaseSync;
let spec: JobSpec;
let running: JobProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-remade-'));
  user = new DatabaseSync(join(folder, 'source.db'), { timeout: 60_000 });
  user.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO item VALUES (1, 'one'), (2, 'two'), (3, 'three')`);
  spec = jobSpec({
    source: sqliteSide(folder, 'source.db'),
    target: sqliteSide(folder, 'target.db'),
    tables: wholeTables(['item'], 'main'),
  });
});
afterEach(async () => {
  await running?.kill();
  user.close();
  rmSync(folder, { recursive: true });
});

const query = 'SELECT id, name FROM item ORDER BY id';
const resyncs = () =>
  (running?.reports ?? []).filter((report) => report.kind === 'event' && report.sentence.includes('copied again'));

/** Waits until the target has what the source has. */
async function expectSame(): Promise<void> {
  if (!running) throw new Error('No process runs.');
  await untilSameRows(running, { query, source: user, target: join(folder, 'target.db') });
}

/** Starts a process, and waits until it has caught up with the source. */
async function expectCarried(): Promise<void> {
  running = new JobProcess(spec);
  await running.until(() => running?.states()['main.item'] === 'live');
  await expectSame();
}

const remade = `BEGIN;
  CREATE TABLE other (id INTEGER PRIMARY KEY, name TEXT);
  INSERT INTO other VALUES (2, 'two'), (3, 'another'), (4, 'new');
  DROP TABLE item;
  ALTER TABLE other RENAME TO item;
  COMMIT`;
const cases: [string, string][] = [
  ['recreated with other rows', remade],
  [
    'replaced by a new table of its name',
    `ALTER TABLE item RENAME TO old; CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO item SELECT id, 'copied' FROM old WHERE id > 1`,
  ],
  [
    'changed by REPLACE through a new unique index',
    "CREATE UNIQUE INDEX late ON item (name); INSERT OR REPLACE INTO item VALUES (9, 'one')",
  ],
  [
    'recreated by a script that restores its triggers',
    `BEGIN; CREATE TABLE other (id INTEGER PRIMARY KEY NOT NULL, name TEXT);
      INSERT INTO other SELECT id, upper(name) FROM item; DROP TABLE item; ALTER TABLE other RENAME TO item; RESTORE; COMMIT`,
  ],
  ['changed while a trigger is dropped', `SELECT 1; DELETE FROM item WHERE id = 1`],
];

test.each(cases)('a table %s while the job runs is copied again', async (_, statements) => {
  await expectCarried();
  user.exec(dropping(statements));
  await expectSame();
  user.exec("UPDATE item SET name = 'later ' || id WHERE id > 2");
  await expectSame();
});

test.each(cases)('a table %s while no process runs is copied again, once', async (_, statements) => {
  await expectCarried();
  await running?.kill();
  user.exec(dropping(statements));
  await expectCarried();
  expect(resyncs()).toHaveLength(1);
  await running?.kill();
  user.exec("UPDATE item SET name = 'later ' || id WHERE id > 2");
  await expectCarried();
  expect(resyncs()).toEqual([]);
});

test.each([
  [
    'swaps the names of two columns',
    'ALTER TABLE item RENAME name TO kept; ALTER TABLE item RENAME other TO name; ALTER TABLE item RENAME kept TO other',
  ],
  ['references a renamed table', "ALTER TABLE parent RENAME TO parents; UPDATE item SET name = 'new'"],
])('a table that %s is copied again', async (_, statements) => {
  user.exec(`CREATE TABLE parent (id INTEGER PRIMARY KEY); DROP TABLE item;
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, other TEXT, parent INTEGER REFERENCES parent);
    INSERT INTO item VALUES (1, 'one', 'other', NULL), (2, 'two', NULL, NULL)`);
  await expectCarried();
  user.exec(`BEGIN; ${statements}; COMMIT`);
  await running?.until(() => resyncs().length === 1);
  await expectSame();
});

test('a dropped table is resumed once it exists again, and each order is reported as carried out', async () => {
  await expectCarried();
  const carried = () => (running?.reports ?? []).flatMap((report) => (report.kind === 'carried' ? [report.order] : []));
  user.exec('DROP TABLE item');
  await running?.until(() => running?.states()['main.item'] === 'blocked');
  running?.send({ kind: 'table', id: 'item', action: 'resume', order: 1 });
  await running?.until(() => carried().includes(1));
  expect(running?.states()['main.item']).toBe('blocked');
  user.exec("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (7, 'again')");
  running?.send({ kind: 'table', id: 'item', action: 'resume', order: 2 });
  await running?.until(() => carried().includes(2) && running?.states()['main.item'] === 'live');
  await expectSame();
  expect(resyncs()).toEqual([]);
  for (const change of [
    "UPDATE item SET name = 'followed'",
    "INSERT INTO item VALUES (8, 'new')",
    'DELETE FROM item WHERE id = 7',
  ]) {
    user.exec(change);
    await expectSame();
  }
  // Through the log, not by another copy.
  expect(resyncs()).toEqual([]);
  running?.send({ kind: 'table', id: 'item', action: 'pause', order: 3 });
  running?.send({ kind: 'retry', id: 'gone', row: null, order: 4 });
  await running?.until(() => carried().includes(4));
  expect(carried()).toEqual([1, 2, 3, 4]);
});

test('a table with a new column waits until the target has it, and is copied again when resumed', async () => {
  await expectCarried();
  user.exec("ALTER TABLE item ADD COLUMN more TEXT DEFAULT 'more'");
  await running?.until(() => running?.states()['main.item'] === 'blocked');
  const target = new DatabaseSync(join(folder, 'target.db'), { timeout: 60_000 });
  target.exec('ALTER TABLE item ADD COLUMN more TEXT');
  running?.send({ kind: 'table', id: 'item', action: 'resume' });
  await running?.until(() => running?.states()['main.item'] === 'live');
  expect(target.prepare('SELECT id, more FROM item').all()).toEqual([1, 2, 3].map((id) => ({ id, more: 'more' })));
  target.close();
  user.exec("UPDATE item SET name = 'followed'");
  await expectSame();
});

test.each([
  ['would convert its values', 'id INTEGER PRIMARY KEY, name INTEGER', 'TABLE_CHANGED'],
  ['compares its key otherwise', 'id TEXT COLLATE NOCASE PRIMARY KEY NOT NULL, name TEXT', 'KEY_COMPARED_OTHERWISE'],
])('a recreated table waits for an operator if the target %s', async (what, columns, code) => {
  const isKey = what === 'compares its key otherwise';
  if (isKey) user.exec('DROP TABLE item; CREATE TABLE item (id TEXT PRIMARY KEY NOT NULL, name TEXT)');
  else user.exec('DROP TABLE item; CREATE TABLE item (id INTEGER PRIMARY KEY, name INTEGER)');
  user.exec("INSERT INTO item VALUES ('1', 5)");
  await expectCarried();
  const definition = isKey ? columns : columns.replace('name INTEGER', 'name TEXT');
  user.exec(`BEGIN; DROP TABLE item; CREATE TABLE item (${definition}); INSERT INTO item VALUES ('1', '005'); COMMIT`);
  await running?.until(() => running?.states()['main.item'] === 'blocked');
  expect(running?.tables().at(-1)?.fault?.code).toBe(code);
});

/** With the name of the job's trigger, for cases that drop one. */
function dropping(statements: string): string {
  const triggers = user.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").all();
  return statements
    .replace('SELECT 1', `DROP TRIGGER millrace_${spec.id}_ad_item`)
    .replace('RESTORE', () => triggers.map(({ sql }) => String(sql)).join('; '));
}
