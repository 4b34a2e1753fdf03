import { EngineError } from '../../errors.ts';
import type { Mark, MarkUpdate } from '../../mark.ts';
import { emptyMark, type MarkTexts, markTexts, storedMark, tableTexts } from '../../sql/mark-rows.ts';
import type { Session } from './connect.ts';

/** The marks of jobs in the target's own file; every call is part of the caller's transaction. */

/** Takes a job over: its epoch goes up by one. */
export function takeOver(session: Session, job: string): Mark {
  session.run(
    `CREATE TABLE IF NOT EXISTS millrace_mark (job TEXT PRIMARY KEY NOT NULL, epoch INTEGER NOT NULL, incarnation TEXT,
      position TEXT, slice TEXT NOT NULL, unseen TEXT NOT NULL, rereads TEXT NOT NULL)`,
  );
  session.run(
    `CREATE TABLE IF NOT EXISTS millrace_table (job TEXT NOT NULL, id TEXT NOT NULL, content TEXT NOT NULL,
      PRIMARY KEY (job, id)) WITHOUT ROWID`,
  );
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
  );
}

/** @throws EngineError EPOCH_LOST when another process took the job over */
export function assertEpoch(session: Session, { job, epoch }: MarkUpdate): void {
  const isOurs =
    hasMarks(session) && session.row('SELECT 1 FROM millrace_mark WHERE job = ? AND epoch = ?', job, BigInt(epoch));
  if (!isOurs) throw new EngineError('EPOCH_LOST', { side: 'target' });
}

/** Writes what an update tells. @throws EngineError EPOCH_LOST */
export function writeMark(session: Session, update: MarkUpdate): void {
  assertEpoch(session, update);
  const { incarnation, position, slice, unseen, rereads } = markTexts(update);
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
  for (const [id, content] of tableTexts(update)) {
    session.run(
      'INSERT INTO millrace_table (job, id, content) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET content = excluded.content',
      update.job,
      id,
      content,
    );
  }
}

/** Removes the marks of a job; the tables go with the last one. */
export function forget(session: Session, job: string): void {
  if (!hasMarks(session)) return;
  session.run('DELETE FROM millrace_table WHERE job = ?', job);
  session.run('DELETE FROM millrace_mark WHERE job = ?', job);
  if (session.row('SELECT 1 FROM millrace_mark')) return;
  session.run('DROP TABLE millrace_table');
  session.run('DROP TABLE millrace_mark');
}

function hasMarks(session: Session): boolean {
  return session.row("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'millrace_mark'") !== undefined;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
