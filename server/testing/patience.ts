import type { PostgresLimits } from '../storage/postgres-limits.ts';

/**
 * How long a test waits for asynchronous events, in milliseconds: as long as a starved machine may need, since no test
 * measures time by it. `vi.waitFor` and `vi.waitUntil` wait for one second by default, so they are given it.
 */
export const patience = { timeout: 180_000, interval: 50 };

/** The same for a PostgreSQL store: many simultaneous calls wait for its few connections. */
export const patientStore: PostgresLimits = {
  connectMs: patience.timeout,
  statementMs: patience.timeout,
  answerMs: patience.timeout,
  stallMs: patience.timeout,
};

/** The same for an HTTP server: it closes no connection because of its age. */
export const patientConnections = {
  headersTimeout: 600_000,
  requestTimeout: 600_000,
  keepAliveTimeout: 600_000,
  silence: 600_000,
};
