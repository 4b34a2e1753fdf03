import { setImmediate } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import { type Database, type SqlValue, StorageSilent } from '../../storage/database.ts';
import { takesWrites } from './takes-writes.ts';

/** A limit for statements that may find many rows: other work gets its turn in between. */
export const mostAtOnce = 5_000;

/** A statement that deletes old rows, and its parameters; it is repeated while it deletes `mostAtOnce`. */
export type Deletion = readonly [sql: string, parameters: readonly SqlValue[]];

/**
 * Runs each deletion, even if one before it failed; every failure is logged.
 * @throws the first failure, or at once if the store is silent about everything
 */
export async function deleteEach(database: Database, log: Log, deletions: readonly Deletion[]): Promise<void> {
  const failures: unknown[] = [];
  for (const [sql, parameters] of deletions) {
    try {
      while ((await database.run(sql, parameters)) >= mostAtOnce) await setImmediate();
    } catch (error) {
      // The others could not reach the store either.
      if (error instanceof StorageSilent && !(await takesWrites(database))) throw error;
      log.error({ err: error, statement: sql }, 'old rows could not be deleted; this will be retried');
      failures.push(error);
    }
    await setImmediate();
  }
  if (failures.length > 0) throw failures[0];
}
