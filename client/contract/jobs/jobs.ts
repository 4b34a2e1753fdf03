/** A job's life cycle; LOCKED means detached. */
export const lifeCycles = ['CREATING', 'CREATED', 'LOCKED', 'DELETING', 'DELETED'] as const;
export type LifeCycle = (typeof lifeCycles)[number];

/** What a job is about to do, or is doing. */
export const phases = ['CREATED', 'INIT', 'FULL', 'CATCH_UP', 'INCRE', 'COMPLETE'] as const;
export type Phase = (typeof phases)[number];

/**
 * Whether a job runs. WAIT_RESTART: it had a fault and retries automatically, or someone restarts it. ABNORMAL: it
 * needs manual action.
 */
export const statuses = [
  'INIT',
  'WAIT_START',
  'RUNNING',
  'WAIT_STOP',
  'STOP',
  'COMPLETE',
  'ABNORMAL',
  'DELETE',
  'WAIT_RESTART',
] as const;
export type JobStatus = (typeof statuses)[number];

/** Actions that a user can take on a job. */
export const jobActions = ['activate', 'start', 'stop', 'restart', 'replay', 'detach', 'attach', 'delete'] as const;
export type JobAction = (typeof jobActions)[number];

export type JobType = 'STRUCT_MIGRATION' | 'MIGRATION' | 'SYNC';

/** A fault report for people: never a value, a key or a password. Moments are epoch milliseconds. */
export interface JobFault {
  /** From the engine's closed list. */
  code: string;
  sentence: string;
  hint: string;
  /** Who retries: the job automatically, a person, or no one (then the job is replayed). */
  retry: 'timed' | 'manual' | 'never';
  at: number;
  /** When the job retries automatically; null if it does not. */
  nextTryAt: number | null;
}

/** One side of a job, as lists show it. */
export interface JobSide {
  id: number;
  instanceId: string;
  instanceDesc: string;
  /** Name of the system, e.g. PostgreSQL. */
  dataSourceType: string;
  hostType: 'PRIVATE' | 'PUBLIC';
  deployType: string;
  region: string;
  lifeCycleState: LifeCycle;
  /** Engine family, e.g. postgresql. */
  family: string;
  /** `host:port`, or a file. */
  address: string;
  /** The job's database on this side; empty if there is none. */
  database: string;
}

/** A job in lists and on its own; dates `2021-05-27T13:15:43.000+0000`, all other times in milliseconds. */
export interface Job {
  dataJobId: number;
  /** `canal` and 11 characters. */
  dataJobName: string;
  dataJobDesc: string;
  userName: string;
  dataJobType: JobType;
  dataTaskState: Phase;
  currTaskStatus: JobStatus;
  lifeCycleState: LifeCycle;
  haveException: boolean;
  sourceDsVO: JobSide;
  targetDsVO: JobSide;
  /** JSON texts, as given. */
  sourceSchema: string;
  targetSchema: string;
  mappingConfig: string;
  consoleJobId: number;
  consoleTaskState: TaskState;
  dataTasks: JobTask[];
  gmtCreated: string;
  filterDdl: boolean;
  /** What happens when a table's structure changes. */
  ddl: 'safe' | 'ignore' | 'stop';
  /** What happens to rows that are in the target before the first chunk. */
  keyConflictStrategy: 'IGNORE' | 'REPLACE';
  /** Whether new tables that match a pattern are added. */
  addNewTables: boolean;
  structMigration: boolean;
  initialSync: boolean;
  fsmActive: boolean;
  /** Actions that are currently possible. */
  possible: JobAction[];
  /** Why a starting job has not begun: other jobs must end first. */
  waitsFor: string | null;
  /** The last fault that has not been resolved since. */
  fault: JobFault | null;
  /** Age of the oldest change that the target lacks; 0 when it has all, null while nothing is followed. */
  lagMs: number | null;
  /** Largest lag of each of the last 60 minutes, newest last; null when none was reported. */
  lagByMinute: (number | null)[];
  tables: TableCounts;
  /** When the child process sent its last sample. */
  seenAt: number | null;
  practice: boolean;
}

/** Number of tables in each state. */
export interface TableCounts {
  total: number;
  waiting: number;
  copying: number;
  catchingUp: number;
  live: number;
  paused: number;
  blocked: number;
  done: number;
}

export interface JobTask {
  dataTaskId: number;
  dataTaskType: 'BUILD_STRUCT' | 'FULL' | 'INCREMENT';
  dataTaskName: string;
  dataTaskStatus: JobStatus;
  workerIp: string;
}

/** `done`: copied by a job that does not follow. */
export type TableState = 'waiting' | 'copying' | 'catching-up' | 'live' | 'paused' | 'blocked' | 'removed' | 'done';

export interface JobTable {
  /** Identifies the table in the calls of B/job/table. */
  id: string;
  /** `schema.table`. */
  source: string;
  target: string;
  state: TableState;
  /** Copied so far, and the source's estimate of the total. */
  rows: number;
  estimate: number;
  /** Whether ending the pause or the block requires a resync. */
  skipped: boolean;
  /** Rows that the target refused and that wait for an operator. */
  parked: number;
  fault: Omit<JobFault, 'at' | 'nextTryAt'> | null;
}

/** A row that the target refused. Its key is shown only to the job's owner; its values are stored nowhere. */
export interface ParkedRow {
  /** Identifies the row in `retryTable`. */
  number: number;
  /** The key's cells in readable form. */
  key: string[];
  /** The operation; `copy` is a row of the initial load or a resync, `move` a change of key. */
  op: 'upsert' | 'update' | 'delete' | 'move' | 'copy';
  /** The position in the source's log. */
  position: string;
  /** From the engine's closed list. */
  code: string;
  /** The code's meaning; empty for a code of another version. */
  sentence: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface ParkedRows {
  total: number;
  /** The lowest number first. */
  rows: ParkedRow[];
  /** `after` for the next page; null at the end. */
  next: number | null;
}

/** What happened in one interval. */
export interface JobSample {
  /** End of the interval. */
  at: number;
  /** Length of the interval: 10 s, or 5 min for older ones. */
  spanMs: number;
  /** Rows. */
  copied: number;
  applied: number;
  transactions: number;
  bytes: number;
  /** The largest in the interval. */
  lagMs: number | null;
  waitedForSourceMs: number;
  waitedForTargetMs: number;
  position: string | null;
  /** Bytes of log that the source keeps for this job; null when it cannot say. */
  retainedBytes: number | null;
  /** Bytes that it will still write before it gives that log up; null without a limit, absent in stored samples. */
  logRoomBytes?: number | null | undefined;
  memoryBytes: number;
}

export interface JobEvent {
  id: number;
  at: number;
  level: 'info' | 'warning' | 'error';
  /** `schema.table`, if it concerns one. */
  table: string | null;
  sentence: string;
}

/** Everything about one job. */
export interface JobDetail {
  job: Job;
  tables: JobTable[];
  /** Oldest first. HOUR and DAY: 10 s each; MONTH: 5 min each. */
  samples: JobSample[];
  /** Newest first, at most 200. */
  events: JobEvent[];
}

export type SampleSpan = 'HOUR' | 'DAY' | 'MONTH';

export type TaskState = 'WAIT_START' | 'EXECUTE' | 'SUCCESS' | 'FAILED' | 'CANCELED' | 'SKIP';

/** The steps in which a job is created. */
export interface ConsoleJob {
  id: number;
  jobToken: string;
  label: 'DATA_JOB_CREATE';
  dataJobName: string;
  dataJobDesc: string;
  taskState: TaskState;
  launcher: string;
  resourceType: 'DATA_JOB';
  resourceId: number;
  gmtCreated: string;
  taskVOList: ConsoleTask[];
}

export interface ConsoleTask {
  id: number;
  jobId: number;
  taskState: TaskState;
  host: string;
  executeOrder: number;
  /** Why it failed; empty otherwise. */
  message: string;
  cancelable: boolean;
  stepName: string;
}
