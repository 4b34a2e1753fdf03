import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteVersion } from '../../../testing/sqlite-version.ts';
import { sourceContract } from '../../contract/source.ts';
import { openSqliteSource } from './source.ts';

sourceContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-sqlite-'));
  const user = new DatabaseSync(join(folder, 'source.db'), { returnArrays: true });
  user.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE plain (id INTEGER PRIMARY KEY, a TEXT, big TEXT, code TEXT UNIQUE);
    CREATE TABLE pair (big TEXT, k1 TEXT, k2 INTEGER, code TEXT UNIQUE, PRIMARY KEY (k1, k2)) WITHOUT ROWID;
  `);
  return {
    system: sqliteVersion,
    open: (signal) => openSqliteSource({ folder, file: 'source.db' }, signal),
    write: async (statements, end) => user.exec(['BEGIN IMMEDIATE', ...statements, end].join(';')),
    truncate: (table) => `DELETE FROM ${table}`,
    rows: async ({ name, columns }) => {
      const cells = columns.map(
        (column) =>
          `CASE typeof(${column.name}) WHEN 'integer' THEN 'i:' || ${column.name} WHEN 'text' THEN 't:' || ${column.name} END`,
      );
      const rows: unknown[] = user.prepare(`SELECT ${cells.join(', ')} FROM ${name}`).all();
      return rows.map((row) => (Array.isArray(row) ? row : []));
    },
    leftovers: async () => {
      const rows: unknown[] = user.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'millrace%'").all();
      return rows.map(String);
    },
    close: async () => {
      user.close();
      rmSync(folder, { recursive: true });
    },
  };
});
