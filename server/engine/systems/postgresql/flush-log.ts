import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { isPrivilegeMissing } from '../../errors.ts';
import type { Position } from '../../position.ts';
import { engineError } from './errors.ts';
import { askRow } from './sessions.ts';

/** How often the server is asked how far it has written, in milliseconds. */
const pollMs = 50;

/**
 * Has the server write its log out up to a position. Whoever commits with `synchronous_commit` off is seen before, so rows
 * that were read may be lost in a crash, and no log would take them back from the target.
 * @throws EngineError
 */
export async function flushLog(session: pg.ClientBase, { resume }: Position): Promise<void> {
  const isWritten = async () =>
    (await askRow(session, 'SELECT pg_current_wal_flush_lsn() >= $1::pg_lsn', [resume]))[0] === 't';
  if (await isWritten()) return;
  try {
    // A commit of our own takes the log before it along; a standby that is waited for changes nothing about a crash.
    await session.query(
      `BEGIN; SET LOCAL synchronous_commit = local; SELECT pg_logical_emit_message(true, 'millrace', ''); COMMIT`,
    );
  } catch (error) {
    if (!isPrivilegeMissing(engineError(error))) throw error;
    // Whoever may not execute that function commits nothing but a number, which the server writes out a moment later.
    await session.query('ROLLBACK; BEGIN; SELECT pg_current_xact_id(); COMMIT');
    while (!(await isWritten())) await wait(pollMs);
  }
}
