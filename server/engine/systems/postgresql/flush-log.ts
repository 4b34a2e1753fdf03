import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { isPrivilegeMissing } from '../../errors.ts';
import type { Position } from '../../position.ts';
import { engineError } from './errors.ts';
import { askRow } from './sessions.ts';

/** How often the server is asked how far it has flushed its log, in milliseconds. */
const pollMs = 50;

/**
 * Has the server flush its log up to a position. Commits with `synchronous_commit` off are visible before that, so rows
 * that were read may be lost in a crash, and no log would remove them from the target.
 * @throws EngineError
 */
export async function flushLog(session: pg.ClientBase, { resume }: Position): Promise<void> {
  const isWritten = async () =>
    (await askRow(session, 'SELECT pg_current_wal_flush_lsn() >= $1::pg_lsn', [resume]))[0] === 't';
  if (await isWritten()) return;
  try {
    // Our own commit also flushes the log before it; waiting for a standby would not help against a crash.
    await session.query(
      `BEGIN; SET LOCAL synchronous_commit = local; SELECT pg_logical_emit_message(true, 'millrace', ''); COMMIT`,
    );
  } catch (error) {
    if (!isPrivilegeMissing(engineError(error))) throw error;
    // Without the right to execute that function, only a transaction ID is committed, and flushed a moment later.
    await session.query('ROLLBACK; BEGIN; SELECT pg_current_xact_id(); COMMIT');
    while (!(await isWritten())) await wait(pollMs);
  }
}
