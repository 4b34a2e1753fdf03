import type { Named } from '../../sink.ts';
import { tableName } from '../../table.ts';
import type { Session } from './connect.ts';
import { makeTables, tablesThere } from './mark.ts';

/** Which job writes into which table, beside the marks: two would delete each other's rows. */

/** Tables that other jobs write into. */
export function takenTables(session: Session, job: string, tables: readonly Named[]): ReadonlyMap<string, string> {
  if (!tablesThere(session).includes('millrace_target')) return new Map();
  return new Map(
    tables.flatMap((table): [string, string][] => {
      const [holder] =
        session.row('SELECT job FROM millrace_target WHERE name = ? AND job <> ?', table.name, job) ?? [];
      return holder === undefined ? [] : [[tableName(table), String(holder)]];
    }),
  );
}

/** Notes the tables of a job that no other has; part of the caller's transaction. @returns the others */
export function claimTables(session: Session, job: string, tables: readonly Named[]): ReadonlyMap<string, string> {
  makeTables(session);
  const taken = takenTables(session, job, tables);
  session.run('DELETE FROM millrace_target WHERE job = ?', job);
  for (const table of tables) {
    if (!taken.has(tableName(table)))
      session.run('INSERT OR IGNORE INTO millrace_target (name, job) VALUES (?, ?)', table.name, job);
  }
  return taken;
}
