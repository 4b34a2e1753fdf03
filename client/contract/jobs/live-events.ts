import type { Job, JobEvent, JobSample, JobTable } from './jobs.ts';

/**
 * What `B/job/events` sends: the SSE field `event` is `kind`, `data` is the rest as JSON. The first event is `jobs`
 * with all of them; then one message per change. A comment line is sent every 10 s.
 */
export type LiveEvent =
  /** At the beginning: every job of the account, or the requested one. */
  | { kind: 'jobs'; jobs: Job[] }
  /** A job's state, fault or table counts changed. */
  | { kind: 'job'; job: Job }
  | { kind: 'deleted'; dataJobId: number }
  | { kind: 'sample'; dataJobId: number; sample: JobSample }
  /** Tables that changed; only when one job was requested. */
  | { kind: 'tables'; dataJobId: number; tables: JobTable[] }
  | { kind: 'event'; dataJobId: number; event: JobEvent };

/** The answer of `B/practice/create`. */
export interface PracticePair {
  jobId: number;
  sourceId: number;
  targetId: number;
}
