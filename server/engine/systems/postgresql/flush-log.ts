import type pg from 'pg';
import type { Position } from '../../position.ts';
import { askRow } from './sessions.ts';

/**
 * Has the server write its log out up to a position. Whoever commits with `synchronous_commit` off is seen before, so rows
 * that were read may be lost in a crash, and no log would take them back from the target.
 * @throws EngineError
 */
export async function flushLog(session: pg.ClientBase, { resume }: Position): Promise<void> {
  const [isWritten] = await askRow(session, 'SELECT pg_current_wal_flush_lsn() >= $1::pg_lsn', [resume]);
  if (isWritten === 't') return;
  // A commit of our own takes the log before it along; a standby that is waited for changes nothing about a crash.
  await session.query(
    `BEGIN; SET LOCAL synchronous_commit = local; SELECT pg_logical_emit_message(true, 'millrace', ''); COMMIT`,
  );
}
