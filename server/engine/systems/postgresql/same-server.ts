import type pg from 'pg';
import { EngineError } from '../../errors.ts';
import { askRow } from './sessions.ts';

/**
 * The server of all sessions that share it, which the first of them says: an address may move to another server, while
 * sessions that are open stay where they are.
 */
export class SameServer {
  #startedAt: string | null | undefined;

  /** @throws EngineError CONNECTION_LOST for a session of another server; which one goes on is decided where a job starts */
  async check(session: pg.ClientBase, side: 'source' | 'target'): Promise<void> {
    // To the microsecond, and nobody needs a right for it. A server that was started again has cut all of its sessions.
    const [startedAt] = await askRow(session, 'SELECT pg_postmaster_start_time()');
    this.#startedAt ??= startedAt;
    if (this.#startedAt !== startedAt)
      throw new EngineError('CONNECTION_LOST', {
        side,
        subject: 'it was started again, or another server is in its place',
      });
  }
}
