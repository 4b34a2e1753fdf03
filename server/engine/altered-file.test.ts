import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'vitest';
import { AlteredJob, differingRows, histories } from '../testing/altered-job.ts';
import { jobSpec, sqliteSide, wholeTables } from '../testing/job-spec.ts';
import type { Random } from './contract/random.ts';
import type { JobSpec } from './job.ts';

/** Random user and administrator statements on a SQLite file while the job runs, is killed and restarts. */

const names = ['item', 'keyed', 'named'];

const structure: Record<string, string> = {
  item: 'CREATE TABLE item (id INTEGER PRIMARY KEY, u INTEGER UNIQUE, a INTEGER NOT NULL DEFAULT 0, b TEXT COLLATE NOCASE, big BLOB)',
  keyed: 'CREATE TABLE keyed (k TEXT, n INTEGER, a INTEGER, b TEXT, PRIMARY KEY (k, n)) WITHOUT ROWID',
  named: 'CREATE TABLE named (id TEXT PRIMARY KEY NOT NULL, u TEXT COLLATE NOCASE UNIQUE, a, b TEXT)',
};
const rows = `
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
  INSERT INTO item SELECT i, i, i, 'b', zeroblob(3000) FROM n;
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
  INSERT INTO keyed SELECT 'k' || (i % 10), i, i, 'b' FROM n;
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
  INSERT INTO named SELECT 'n' || i, 'u' || i, i, 'b' FROM n`;

let folder: string;
let user: DatabaseSync;
let spec: JobSpec;
let running: AlteredJob | undefined;

const open = (file: string) =>
  new DatabaseSync(join(folder, file), { timeout: 60_000, enableForeignKeyConstraints: false });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-altered-'));
  user = open('source.db');
  user.exec(`PRAGMA journal_mode = WAL; ${Object.values(structure).join(';')};${rows}`);
  spec = jobSpec({
    source: sqliteSide(folder, 'source.db'),
    target: sqliteSide(folder, 'target.db'),
    tables: wholeTables(names, 'main'),
  });
});

afterEach(async () => {
  await running?.kill();
  running = undefined;
  user.close();
  rmSync(folder, { recursive: true });
});

const columnsOf = (table: string): string[] =>
  user
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name));

/** A user's statement; `turn` is a different number each time. */
function write(random: Random, turn: number): string {
  const id = random.below(110);
  const other = random.below(110);
  return random.pick([
    `INSERT OR REPLACE INTO item (id, u, a) VALUES (${id}, ${other}, ${turn})`,
    `INSERT OR REPLACE INTO item (id, u) SELECT id + 1, u FROM item WHERE id BETWEEN ${id} AND ${id + 5}`,
    `UPDATE OR REPLACE item SET u = ${other} WHERE id = ${id}`,
    `UPDATE OR REPLACE item SET id = ${other} WHERE id = ${id}`,
    `INSERT INTO item (id, u) VALUES (${id}, ${other}) ON CONFLICT DO UPDATE SET a = ${turn}`,
    `UPDATE item SET a = ${turn} WHERE id % 7 = ${turn % 7}`,
    `UPDATE item SET u = u + 100000 WHERE id = ${id}`,
    `UPDATE OR IGNORE item SET u = u + 1 WHERE id > ${id}`,
    `UPDATE item SET id = ${1000 + turn} WHERE id = ${id}`,
    `UPDATE item SET b = upper(b) WHERE id % 3 = ${turn % 3}`,
    `DELETE FROM item WHERE id = ${id}`,
    `INSERT OR IGNORE INTO item (id, u) VALUES (${id}, ${other})`,
    `INSERT OR REPLACE INTO keyed (k, n, a) VALUES ('k${id % 10}', ${other}, ${turn})`,
    `UPDATE OR REPLACE keyed SET n = n + 1 WHERE k = 'k${id % 10}'`,
    `UPDATE OR REPLACE keyed SET k = 'k${other % 10}' WHERE n = ${id}`,
    `UPDATE keyed SET a = ${turn} WHERE n % 5 = ${turn % 5}`,
    `DELETE FROM keyed WHERE k = 'k${id % 10}' AND n % 2 = 0`,
    `INSERT OR REPLACE INTO named (id, u) VALUES ('n${id}', 'U${other}')`,
    `UPDATE OR REPLACE named SET u = 'u${other}' WHERE id = 'n${id}'`,
    `UPDATE named SET u = upper(u), a = ${turn} WHERE id = 'n${id}'`,
    `UPDATE OR REPLACE named SET id = 'n${other}' WHERE id = 'n${id}'`,
    `UPDATE named SET a = CASE a WHEN 1 THEN '1' WHEN '1' THEN 1.5 ELSE 1 END WHERE id LIKE 'n${id % 10}%'`,
    'DELETE FROM named',
    'DELETE FROM keyed WHERE n > 50',
    `BEGIN; UPDATE item SET a = -1; SAVEPOINT s; DELETE FROM item; ROLLBACK TO s; UPDATE item SET a = ${turn} WHERE id < ${id}; COMMIT`,
    `BEGIN; DELETE FROM item WHERE id < ${id}; INSERT OR REPLACE INTO named (id, a) VALUES ('n${id}', ${turn}); ROLLBACK`,
    `UPDATE item SET u = CASE id WHEN ${id} THEN NULL ELSE u END; UPDATE OR IGNORE item SET u = ${id} WHERE id = ${other}`,
  ]);
}

/** Recreates a table as SQLite's documentation says: a new one gets the rows that meet a condition, then the name. */
function madeAgain(table: string, condition: string): string {
  const sql = String(user.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table)?.sql);
  const made = sql.replace(/^CREATE TABLE "?\w+"?/, 'CREATE TABLE made');
  return `BEGIN; ${made}; INSERT INTO made SELECT * FROM ${table} WHERE ${condition}; DROP TABLE ${table}; ALTER TABLE made RENAME TO ${table}; COMMIT`;
}

/** An administrator's statements. */
async function alter(random: Random, turn: number): Promise<string[]> {
  const table = random.pick(names);
  const own = columnsOf(table).filter((name) => !['id', 'k', 'n', 'u', 'a'].includes(name));
  const name = random.pick([...own, 'a']);
  const number = table === 'keyed' ? 'n' : 'rowid';
  const triggers = user
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?")
    .all(table)
    .map((row) => String(row.name));
  return random.pick([
    [`ALTER TABLE ${table} ADD x${turn} TEXT DEFAULT 'default ${turn}'`],
    [`ALTER TABLE ${table} ADD x${turn} TEXT; UPDATE ${table} SET x${turn} = 'own'`],
    name === 'a' ? [`UPDATE ${table} SET a = a + 1`] : [`ALTER TABLE ${table} DROP COLUMN ${name}`],
    [
      `ALTER TABLE ${table} RENAME ${name} TO r${turn}`,
      `UPDATE ${table} SET r${turn} = 'then ${turn}' WHERE ${number} % 4 = 1`,
      `ALTER TABLE ${table} RENAME r${turn} TO ${name}`,
    ],
    [`ALTER TABLE ${table} RENAME ${name} TO y${turn}`, `ALTER TABLE ${table} RENAME y${turn} TO ${name}`],
    [madeAgain(table, `${number} % 9 <> 1`)],
    [
      `ALTER TABLE ${table} RENAME TO away`,
      `UPDATE away SET a = ${turn}`,
      `DELETE FROM away WHERE ${number} % 11 = 3`,
      `ALTER TABLE away RENAME TO ${table}`,
    ],
    [`DROP TABLE ${table}; ${structure[table]}`, write(random, turn)],
    [`CREATE UNIQUE INDEX IF NOT EXISTS late_${turn} ON keyed (n, k, b)`],
    [`CREATE UNIQUE INDEX IF NOT EXISTS part_${turn} ON item (a) WHERE id = ${turn}`],
    ['VACUUM'],
    triggers.length ? [`DROP TRIGGER ${random.pick(triggers)}`, write(random, turn)] : ['SELECT 1'],
    ['PRAGMA recursive_triggers = ON'],
    ['PRAGMA recursive_triggers = OFF'],
    ['REINDEX'],
    [replace],
  ]);
}

/** Another file with the same content takes the source's place. */
const replace = '-- replace the file';

/** Runs it; what SQLite refuses (a column used by an index, a duplicate value) is left undone. */
async function perform(statement: string): Promise<void> {
  if (statement === replace) {
    // A job that is creating its log right now creates it in the file that is then gone, and must be replayed.
    if (user.prepare("SELECT 1 FROM sqlite_schema WHERE name LIKE 'millrace_log%'").all().length === 0) return;
    rmSync(join(folder, 'copy.db'), { force: true });
    user.exec(`VACUUM INTO '${join(folder, 'copy.db')}'`);
    user.close();
    for (const end of ['-wal', '-shm']) rmSync(join(folder, `source.db${end}`), { force: true });
    renameSync(join(folder, 'copy.db'), join(folder, 'source.db'));
    user = open('source.db');
    user.exec('PRAGMA journal_mode = WAL');
    return;
  }
  try {
    user.exec(statement);
  } catch (error) {
    if (user.isTransaction) user.exec('ROLLBACK');
    if (!(error instanceof Error) || !/UNIQUE constraint|no such column|error in|cannot drop/.test(error.message))
      throw error;
  }
}

function rowsOf(database: DatabaseSync, table: string, columns: readonly string[]): string[] {
  const list = columns.map((name) => `quote("${name}")`).join(" || ',' || ");
  try {
    const found = database.prepare(`SELECT ${list} AS row FROM ${table}`).all();
    return found.map(({ row }) => String(row));
  } catch (error) {
    // A column that the target is about to get is not there yet.
    if (error instanceof Error && error.message.includes('no such')) return [error.message];
    throw error;
  }
}

/** Tables that differ in the columns that the source has, with rows of them; empty if none does. */
async function difference(): Promise<string> {
  const target = open('target.db');
  try {
    return names
      .map((name) => differingRows(name, rowsOf(user, name, columnsOf(name)), rowsOf(target, name, columnsOf(name))))
      .filter(Boolean)
      .join('; ');
  } finally {
    target.close();
  }
}

/** Recreates the target table as the source has it now. */
function mend(table: string): void {
  const sql = user.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table)?.sql;
  const target = open('target.db');
  target.exec(`BEGIN IMMEDIATE; DROP TABLE IF EXISTS ${table}; ${sql}; COMMIT`);
  target.close();
}

test.each(histories({ 'has the same rows': [2, 14] }))(
  'after random alterations of a SQLite file, its target %s (seed %i)',
  async (_, seed) => {
    running = new AlteredJob(spec, { write, alter, perform, difference, mend });
    await running.run(seed);
  },
);
