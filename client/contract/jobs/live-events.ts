import type { Job, JobEvent, JobSample, JobTable } from './jobs.ts';

/**
 * What `B/job/events` sends: the SSE field `event` is `kind`, `data` is the rest as JSON. First comes `jobs` with all of
 * them; later one message a change. A comment line comes every 10 s.
 */
export type LiveEvent =
  /** At the beginning: every job of the account, or the one that was asked for. */
  | { kind: 'jobs'; jobs: Job[] }
  /** State, fault or counts of tables changed. */
  | { kind: 'job'; job: Job }
  | { kind: 'deleted'; dataJobId: number }
  | { kind: 'sample'; dataJobId: number; sample: JobSample }
  /** Tables that changed; only when one job was asked for. */
  | { kind: 'tables'; dataJobId: number; tables: JobTable[] }
  | { kind: 'event'; dataJobId: number; event: JobEvent };

/** Answer of `B/practice/create`. */
export interface PracticePair {
  jobId: number;
  sourceId: number;
  targetId: number;
}
