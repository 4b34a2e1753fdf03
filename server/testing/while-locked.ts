import { setImmediate } from 'node:timers/promises';
import { EngineError } from '../engine/errors.ts';
import type { SourceDatabase } from './postgres-source.ts';

// Within a transaction, pg_stat_activity keeps showing only the sessions of its first look.
const waiting = `SELECT FROM pg_locks
  WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Begins work that may wait for a lock of the test, and does something once it waits or has ended. If the work gave up
 * waiting before that, as on a starved machine, all begins again.
 * @returns what the work returned
 */
export async function whileLocked<T>(
  { sql }: SourceDatabase,
  begin: () => Promise<T>,
  meanwhile: () => unknown,
): Promise<T> {
  for (;;) {
    const work = begin();
    const ended = work.then(
      () => true,
      () => true,
    );
    while ((await sql(waiting)).length === 0 && !(await Promise.race([ended, setImmediate(false)])));
    const hasEnded = await Promise.race([ended, setImmediate(false)]);
    await meanwhile();
    try {
      return await work;
    } catch (error) {
      if (!hasEnded || !(error instanceof EngineError) || error.code !== 'LOCK_TIMED_OUT') throw error;
    }
  }
}
