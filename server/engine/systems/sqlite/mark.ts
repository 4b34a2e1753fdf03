import { EngineError } from '../../errors.ts';
import type { Mark, MarkUpdate, ParkedRow, ParkedUpdate } from '../../mark.ts';
import {
  emptyMark,
  type MarkTexts,
  markTexts,
  type ParkedTexts,
  parkedColumns,
  parkedTexts,
  storedMark,
  storedParkedRow,
  tableTexts,
} from '../../sql/mark-rows.ts';
import { markTables } from '../../sql/mark-tables.ts';
import type { Session } from './connect.ts';

/** The jobs' marks in the target's own file; every call is part of the caller's transaction. */

/** Creates those of our tables that are missing. */
export function makeTables(session: Session): void {
  session.run(
    `CREATE TABLE IF NOT EXISTS millrace_mark (job TEXT PRIMARY KEY NOT NULL, epoch INTEGER NOT NULL, incarnation TEXT,
      position TEXT, slice TEXT NOT NULL, unseen TEXT NOT NULL, rereads TEXT NOT NULL)`,
  );
  session.run(
    `CREATE TABLE IF NOT EXISTS millrace_table (job TEXT NOT NULL, id TEXT NOT NULL, content TEXT NOT NULL,
      PRIMARY KEY (job, id)) WITHOUT ROWID`,
  );
  session.run(
    `CREATE TABLE IF NOT EXISTS millrace_parked (job TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL,
      key TEXT NOT NULL, op TEXT NOT NULL, position TEXT NOT NULL, code TEXT NOT NULL, at INTEGER NOT NULL,
      PRIMARY KEY (job, id, number)) WITHOUT ROWID`,
  );
  // SQLite itself compares names case-insensitively.
  session.run(
    `CREATE TABLE IF NOT EXISTS millrace_target (name TEXT PRIMARY KEY NOT NULL COLLATE NOCASE, job TEXT NOT NULL)
      WITHOUT ROWID`,
  );
}

/** Those of our tables that exist: what an earlier version created lacks the newest ones. */
export function tablesThere(session: Session): string[] {
  const rows = session.rows(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN (${markTables.map(() => '?').join(', ')})`,
    ...markTables,
  );
  return rows.map(([name]) => String(name));
}

/** Takes over a job: its epoch increases by one. */
export function takeOver(session: Session, job: string): Mark {
  makeTables(session);
  session.run(
    'INSERT INTO millrace_mark (job, epoch, slice, unseen, rereads) VALUES (?, 0, ?, ?, ?) ON CONFLICT DO NOTHING',
    job,
    emptyMark.slice,
    emptyMark.unseen,
    emptyMark.rereads,
  );
  const [epoch, ...texts] =
    session.row(
      `UPDATE millrace_mark SET epoch = epoch + 1 WHERE job = ?
        RETURNING epoch, incarnation, position, slice, unseen, rereads`,
      job,
    ) ?? [];
  if (typeof epoch !== 'bigint') throw new EngineError('MARK_DAMAGED', { side: 'target' });
  const [incarnation = null, position = null, slice = null, unseen = null, rereads = null] = texts.map(textOrNull);
  const row: MarkTexts = { incarnation, position, slice, unseen, rereads };
  const tables = session.rows('SELECT id, content FROM millrace_table WHERE job = ?', job);
  return storedMark(
    Number(epoch),
    row,
    tables.map(([id, content]) => [String(id), String(content)]),
    session.rows(`${selectParked} WHERE job = ?`, job).map(parkedOf),
  );
}

const selectParked = `SELECT ${parkedColumns.join(', ')} FROM millrace_parked`;

function parkedOf(values: readonly unknown[]): ParkedTexts {
  const [id = '', number = '', key = '', op = '', position = '', code = '', at = ''] = values.map(String);
  return [id, number, key, op, position, code, at];
}

/** A table's parked rows after a number. */
export function readParked(session: Session, job: string, table: string, after: number, limit: number): ParkedRow[] {
  if (!tablesThere(session).includes('millrace_parked')) return [];
  return session
    .rows(`${selectParked} WHERE job = ? AND id = ? AND number > ? ORDER BY number LIMIT ?`, job, table, after, limit)
    .map((values) => storedParkedRow(parkedOf(values)));
}

/** @throws EngineError EPOCH_LOST if another process took over the job */
export function assertEpoch(session: Session, { job, epoch }: MarkUpdate): void {
  const isOurs =
    tablesThere(session).includes('millrace_mark') &&
    session.row('SELECT 1 FROM millrace_mark WHERE job = ? AND epoch = ?', job, BigInt(epoch));
  if (!isOurs) throw new EngineError('EPOCH_LOST', { side: 'target' });
}

/** Parts of a mark as a process last wrote them, by name. */
export type Written = Map<string, string>;

/**
 * Writes what an update contains.
 * @param written what this process wrote before
 * @throws EngineError EPOCH_LOST; CONNECTION_LOST if the file was reverted to an older state meanwhile
 */
export function writeMark(session: Session, update: MarkUpdate, written: Written): void {
  assertEpoch(session, update);
  const { incarnation, position, slice, unseen, rereads } = markTexts(update);
  const tables = tableTexts(update);
  assertOwn(session, { job: update.job, position, tables }, written);
  session.run(
    `UPDATE millrace_mark SET incarnation = coalesce(?, incarnation), position = coalesce(?, position),
      slice = coalesce(?, slice), unseen = coalesce(?, unseen), rereads = coalesce(?, rereads) WHERE job = ?`,
    incarnation,
    position,
    slice,
    unseen,
    rereads,
    update.job,
  );
  for (const [id, content] of tables) {
    session.run(
      'INSERT INTO millrace_table (job, id, content) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET content = excluded.content',
      update.job,
      id,
      content,
    );
  }
  for (const parked of update.parked ?? []) writeParked(session, update.job, parked);
}

/** A restored file has the epoch of its backup, which may be this process's own, but not the rows that came later. */
function assertOwn(
  session: Session,
  { job, position, tables }: Pick<MarkTexts, 'position'> & { job: string; tables: ReturnType<typeof tableTexts> },
  written: Written,
): void {
  const parts = tables.map(([id, text]) => {
    const sql = 'SELECT content FROM millrace_table WHERE job = ? AND id = ?';
    return { part: `${job} table ${id}`, text, stored: session.row(sql, job, id) };
  });
  if (position !== null) {
    const stored = session.row('SELECT position FROM millrace_mark WHERE job = ?', job);
    parts.push({ part: `${job} position`, text: position, stored });
  }
  for (const { part, text, stored: [before] = [] } of parts) {
    const own = written.get(part);
    if (own !== undefined && before !== own)
      throw new EngineError('CONNECTION_LOST', {
        side: 'target',
        subject: 'the file was reverted to an older state',
      });
    session.afterCommit(() => written.set(part, text));
  }
}

function writeParked(session: Session, job: string, { table, unpark, park }: ParkedUpdate): void {
  if (unpark === 'all') session.run('DELETE FROM millrace_parked WHERE job = ? AND id = ?', job, table);
  else
    for (const number of unpark)
      session.run('DELETE FROM millrace_parked WHERE job = ? AND id = ? AND number = ?', job, table, number);
  for (const row of park)
    session.run(
      `INSERT OR REPLACE INTO millrace_parked (job, ${parkedColumns.join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      job,
      ...parkedTexts(table, row),
    );
}

/** Removes everything of a job; with the last job, the tables are dropped too. */
export function forget(session: Session, job: string): void {
  const tables = tablesThere(session);
  for (const table of tables) session.run(`DELETE FROM ${table} WHERE job = ?`, job);
  if (tables.some((table) => session.row(`SELECT 1 FROM ${table}`))) return;
  for (const table of tables) session.run(`DROP TABLE ${table}`);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
