import type { Named } from '../../sink.ts';
import { tableName } from '../../table.ts';
import type { Session } from './connect.ts';
import { makeTables, tablesThere } from './mark.ts';

/** Records beside the marks which job writes to which table: two jobs would delete each other's rows. */

/** Tables that other jobs write to. */
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

/** Records those of a job's tables that no other job has, within the caller's transaction. @returns the others */
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
