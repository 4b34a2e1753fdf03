import type pg from 'pg';
import { EngineError } from '../../errors.ts';
import { askRow } from './sessions.ts';

/**
 * The server that all sessions must share, as identified by the first of them: an address may move to another server,
 * while open sessions stay where they are.
 */
export class SameServer {
  #startedAt: string | null | undefined;

  /**
   * @throws EngineError CONNECTION_LOST for a session on another server; which one a job continues on is decided when
   * it starts
   */
  async check(session: pg.ClientBase, side: 'source' | 'target'): Promise<void> {
    // Has microseconds, and needs no privilege. A restarted server has ended all of its sessions.
    const [startedAt] = await askRow(session, 'SELECT pg_postmaster_start_time()');
    this.#startedAt ??= startedAt;
    if (this.#startedAt !== startedAt)
      throw new EngineError('CONNECTION_LOST', {
        side,
        subject: 'it was restarted, or another server has replaced it',
      });
  }
}
