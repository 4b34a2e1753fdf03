/** How long to wait for the server, in milliseconds. */
export interface PostgresLimits {
  /** For a connection, including the wait for a free one. */
  connectMs: number;
  /** No statement of an account call takes this long; one that does is stuck. The server cancels it, … */
  statementMs: number;
  /** … or, if the server hangs, we stop waiting. */
  answerMs: number;
  /** The server ends the lock, and any transaction with its row locks, of a process that stalls for this long. */
  stallMs: number;
}

/** Those of the servers; tests on starved machines wait longer. */
export const shippedLimits: PostgresLimits = {
  connectMs: 5_000,
  statementMs: 7_000,
  answerMs: 8_000,
  stallMs: 20_000,
};
