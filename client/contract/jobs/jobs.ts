/** Life cycle of a job; LOCKED is one that is detached. */
export const lifeCycles = ['CREATING', 'CREATED', 'LOCKED', 'DELETING', 'DELETED'] as const;
export type LifeCycle = (typeof lifeCycles)[number];

/** What a job is about to do, or what it does. */
export const phases = ['CREATED', 'INIT', 'FULL', 'CATCH_UP', 'INCRE', 'COMPLETE'] as const;
export type Phase = (typeof phases)[number];

/** Whether a job runs. WAIT_RESTART: it had a fault and tries again by itself, or a person restarts it. ABNORMAL: it waits for a person. */
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

/** What a person can do with a job. */
export const jobActions = ['activate', 'start', 'stop', 'restart', 'replay', 'detach', 'attach', 'delete'] as const;
export type JobAction = (typeof jobActions)[number];

export type JobType = 'STRUCT_MIGRATION' | 'MIGRATION' | 'SYNC';

/** What went wrong, for a person: never a value, a key or a password. Moments are epoch milliseconds. */
export interface JobFault {
  /** Of the closed list of the engine. */
  code: string;
  sentence: string;
  hint: string;
  /** Who tries again: the job by itself, a person, or nobody (then the job is replayed). */
  retry: 'timed' | 'manual' | 'never';
  at: number;
  /** When the job tries again by itself; null where it does not. */
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
  /** Family of the engine, e.g. postgresql. */
  family: string;
  /** `host:port`, or a file. */
  address: string;
  /** Database of the job at this side; empty where there is none. */
  database: string;
}

/** A job in lists and by itself; dates `2021-05-27T13:15:43.000+0000`, everything else of time in milliseconds. */
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
  /** JSON texts, as they were given. */
  sourceSchema: string;
  targetSchema: string;
  mappingConfig: string;
  consoleJobId: number;
  consoleTaskState: TaskState;
  dataTasks: JobTask[];
  gmtCreated: string;
  filterDdl: boolean;
  /** What happens when the structure of a table changes. */
  ddl: 'safe' | 'ignore' | 'stop';
  /** Rows that are in the target before the first chunk. */
  keyConflictStrategy: 'IGNORE' | 'REPLACE';
  /** Whether tables that come later and fit a pattern are added. */
  addNewTables: boolean;
  structMigration: boolean;
  initialSync: boolean;
  fsmActive: boolean;
  /** Actions that are possible now. */
  possible: JobAction[];
  /** Why a job that is to start has not begun: others have to end first. */
  waitsFor: string | null;
  /** The last fault that nothing has mended since. */
  fault: JobFault | null;
  /** Age of the oldest change that the target lacks; 0 when it has all, null while nothing is followed. */
  lagMs: number | null;
  /** Largest lag of each of the last 60 minutes, the newest last; null where nothing was told. */
  lagByMinute: (number | null)[];
  tables: TableCounts;
  /** When the child process sent its last sample. */
  seenAt: number | null;
  practice: boolean;
}

/** How many tables are in which state. */
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
  /** Names the table in the calls of B/job/table. */
  id: string;
  /** `schema.table`. */
  source: string;
  target: string;
  state: TableState;
  /** Copied so far, and how many the source estimates. */
  rows: number;
  estimate: number;
  /** Whether leaving the pause or the block means a resync. */
  skipped: boolean;
  /** Rows that the target refused and that wait for a person. */
  parked: number;
  fault: Omit<JobFault, 'at' | 'nextTryAt'> | null;
}

/** A row that the target refused. Its key is shown to the owner of the job alone; its values are kept nowhere. */
export interface ParkedRow {
  /** Names the row in `retryTable`. */
  number: number;
  /** The cells of the key as people write them. */
  key: string[];
  /** What was done; `copy` is a row of the initial load or a resync, `move` a change of key. */
  op: 'upsert' | 'update' | 'delete' | 'move' | 'copy';
  /** Where the source's log was. */
  position: string;
  /** Of the closed list of the engine. */
  code: string;
  /** What the code says; empty for one of another version. */
  sentence: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface ParkedRows {
  total: number;
  /** The oldest number first. */
  rows: ParkedRow[];
  /** `after` of the next page; null at the end. */
  next: number | null;
}

/** What happened in one stretch of time. */
export interface JobSample {
  /** End of the stretch. */
  at: number;
  /** Length of the stretch: 10 s, or 5 min in older ones. */
  spanMs: number;
  /** Rows. */
  copied: number;
  applied: number;
  transactions: number;
  bytes: number;
  /** The largest of the stretch. */
  lagMs: number | null;
  waitedForSourceMs: number;
  waitedForTargetMs: number;
  position: string | null;
  /** Bytes of log that the source keeps for this job; null where it cannot say. */
  retainedBytes: number | null;
  /** Bytes that it still writes before it gives that log up; null without a limit, absent in stored samples. */
  logRoomBytes?: number | null | undefined;
  memoryBytes: number;
}

export interface JobEvent {
  id: number;
  at: number;
  level: 'info' | 'warning' | 'error';
  /** `schema.table`, where it concerns one. */
  table: string | null;
  sentence: string;
}

/** Everything about one job. */
export interface JobDetail {
  job: Job;
  tables: JobTable[];
  /** The oldest first. HOUR and DAY: of 10 s each; MONTH: of 5 min each. */
  samples: JobSample[];
  /** The newest first, at most 200. */
  events: JobEvent[];
}

export type SampleSpan = 'HOUR' | 'DAY' | 'MONTH';

export type TaskState = 'WAIT_START' | 'EXECUTE' | 'SUCCESS' | 'FAILED' | 'CANCELED' | 'SKIP';

/** The steps in which a job is made. */
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
