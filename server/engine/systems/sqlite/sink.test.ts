import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteVersion } from '../../../testing/sqlite-version.ts';
import { sinkContract } from '../../contract/sink.ts';
import { realSurroundings } from './connect.ts';
import { openSqliteSink } from './sink.ts';

/** A connection that breaks at a COMMIT. */
class Breaking extends DatabaseSync {
  when: 'before' | 'after' = 'before';

  override exec(sql: string): void {
    if (sql === 'COMMIT' && this.when === 'after') super.exec(sql);
    if (sql === 'COMMIT') throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
    super.exec(sql);
  }
}

sinkContract('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-sqlite-'));
  const settings = { folder, file: 'target.db' };
  const user = new DatabaseSync(join(folder, 'target.db'), { returnArrays: true });
  user.exec(`
    CREATE TABLE plain (id TEXT NOT NULL PRIMARY KEY CHECK (id <> 'refused'), a TEXT CHECK (a <> 'refused'), big TEXT, code TEXT UNIQUE);
    CREATE TABLE pair (big TEXT, k1 TEXT, k2 TEXT, code TEXT UNIQUE, PRIMARY KEY (k1, k2)) WITHOUT ROWID;
    CREATE TABLE loose (id TEXT NOT NULL COLLATE NOCASE PRIMARY KEY, a TEXT, big TEXT, code TEXT UNIQUE);
  `);
  return {
    system: sqliteVersion,
    open: (signal) => openSqliteSink(settings, signal),
    openFailing: async (signal, when) =>
      openSqliteSink(settings, signal, {
        ...realSurroundings,
        open: (address, options) => Object.assign(new Breaking(address, options), { when }),
      }),
    evicts: true,
    cell: (text) => `t:${text}`,
    rows: async ({ name }) => {
      const rows: unknown[] = user.prepare(`SELECT * FROM ${name}`).all();
      return rows.map((row) => (Array.isArray(row) ? row : []));
    },
    run: async (sql) => user.exec(sql),
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
