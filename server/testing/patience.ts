import type { PostgresLimits } from '../storage/postgres.ts';

/**
 * How long a test waits for what happens by itself, in milliseconds: as long as a starved machine may need, since nothing
 * is timed by it. `vi.waitFor` and `vi.waitUntil` wait for one second where nothing is said, so they are given it.
 */
export const patience = { timeout: 180_000, interval: 50 };

/** The same for a store on PostgreSQL: many calls at once wait for its few connections. */
export const patientStore: PostgresLimits = {
  connectMs: patience.timeout,
  statementMs: patience.timeout,
  answerMs: patience.timeout,
};
