import { z } from 'zod';

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

export const jobTypes = ['STRUCT_MIGRATION', 'MIGRATION', 'SYNC'] as const;
export type JobType = (typeof jobTypes)[number];

export const hostTypes = ['PRIVATE', 'PUBLIC'] as const;

const jobFaultSchema = z
  .object({
    code: z.string().describe("From the engine's closed list."),
    sentence: z.string(),
    hint: z.string(),
    retry: z
      .enum(['timed', 'manual', 'never'])
      .describe('Who retries: the job automatically, a person, or no one (then the job is replayed).'),
    at: z.int(),
    nextTryAt: z.int().nullable().describe('When the job retries automatically; null if it does not.'),
  })
  .meta({
    id: 'JobFault',
    description: 'A fault report for people: never a value, a key or a password. Moments are epoch milliseconds.',
  });
export type JobFault = z.infer<typeof jobFaultSchema>;

const jobSideSchema = z
  .object({
    id: z.int(),
    instanceId: z.string(),
    instanceDesc: z.string(),
    dataSourceType: z.string().describe('Name of the system, e.g. PostgreSQL.'),
    hostType: z.enum(hostTypes),
    deployType: z.string(),
    region: z.string(),
    lifeCycleState: z.enum(lifeCycles),
    family: z.string().describe('Engine family, e.g. postgresql.'),
    address: z.string().describe('`host:port`, or a file.'),
    database: z.string().describe("The job's database on this side; empty if there is none."),
  })
  .meta({ id: 'JobSide', description: 'One side of a job, as lists show it.' });
export type JobSide = z.infer<typeof jobSideSchema>;

const jobTaskSchema = z
  .object({
    dataTaskId: z.int(),
    dataTaskType: z.enum(['BUILD_STRUCT', 'FULL', 'INCREMENT']),
    dataTaskName: z.string(),
    dataTaskStatus: z.enum(statuses),
    workerIp: z.string(),
  })
  .meta({ id: 'JobTask' });
export type JobTask = z.infer<typeof jobTaskSchema>;

const tableCountsSchema = z
  .object({
    total: z.int(),
    waiting: z.int(),
    copying: z.int(),
    catchingUp: z.int(),
    live: z.int(),
    paused: z.int(),
    blocked: z.int(),
    done: z.int(),
  })
  .meta({ id: 'TableCounts', description: 'Number of tables in each state.' });
export type TableCounts = z.infer<typeof tableCountsSchema>;

const taskStates = ['WAIT_START', 'EXECUTE', 'SUCCESS', 'FAILED', 'CANCELED', 'SKIP'] as const;

export const jobSchema = z
  .object({
    dataJobId: z.int(),
    dataJobName: z.string().describe('`canal` and 11 characters.'),
    dataJobDesc: z.string(),
    userName: z.string(),
    dataJobType: z.enum(jobTypes),
    dataTaskState: z.enum(phases),
    currTaskStatus: z.enum(statuses),
    lifeCycleState: z.enum(lifeCycles),
    haveException: z.boolean(),
    sourceDsVO: jobSideSchema,
    targetDsVO: jobSideSchema,
    sourceSchema: z.string().describe('JSON text, as given.'),
    targetSchema: z.string().describe('JSON text, as given.'),
    mappingConfig: z.string().describe('JSON text, as given.'),
    consoleJobId: z.int(),
    consoleTaskState: z.enum(taskStates),
    dataTasks: z.array(jobTaskSchema),
    gmtCreated: z.string(),
    filterDdl: z.boolean(),
    ddl: z.enum(['safe', 'ignore', 'stop']).describe("What happens when a table's structure changes."),
    keyConflictStrategy: z
      .enum(['IGNORE', 'REPLACE'])
      .describe('What happens to rows that are in the target before the first chunk.'),
    addNewTables: z.boolean().describe('Whether new tables that match a pattern are added.'),
    structMigration: z.boolean(),
    initialSync: z.boolean(),
    fsmActive: z.boolean(),
    possible: z.array(z.enum(jobActions)).describe('Actions that are currently possible.'),
    waitsFor: z.string().nullable().describe('Why a starting job has not begun: other jobs must end first.'),
    fault: jobFaultSchema.nullable().describe('The last fault that has not been resolved since.'),
    lagMs: z
      .number()
      .nullable()
      .describe('Age of the oldest change that the target lacks; 0 when it has all, null while nothing is followed.'),
    lagByMinute: z
      .array(z.number().nullable())
      .describe('Largest lag of each of the last 60 minutes, newest last; null when none was reported.'),
    tables: tableCountsSchema,
    seenAt: z.int().nullable().describe('When the child process sent its last sample.'),
    practice: z.boolean(),
    version: z.int().describe('Grows with each change of the job, its tables and its events.'),
  })
  .meta({
    id: 'Job',
    description:
      'A job in lists and on its own; dates `2021-05-27T13:15:43.000+0000`, all other times in milliseconds.',
  });
export type Job = z.infer<typeof jobSchema>;

/** `done`: copied by a job that does not follow. */
export const tableStates = [
  'waiting',
  'copying',
  'catching-up',
  'live',
  'paused',
  'blocked',
  'removed',
  'done',
] as const;
export type TableState = (typeof tableStates)[number];

export const jobTableSchema = z
  .object({
    id: z.string().describe('Identifies the table in the calls of job/table.'),
    source: z.string().describe('`schema.table`.'),
    target: z.string(),
    state: z.enum(tableStates).describe('`done`: copied by a job that does not follow.'),
    rows: z.int().describe('Copied so far.'),
    estimate: z.int().describe("The source's estimate of the total."),
    skipped: z.boolean().describe('Whether ending the pause or the block requires a resync.'),
    parked: z.int().describe('Rows that the target refused and that wait for an operator.'),
    fault: jobFaultSchema.omit({ at: true, nextTryAt: true }).nullable(),
  })
  .meta({ id: 'JobTable' });
export type JobTable = z.infer<typeof jobTableSchema>;

const parkedRowSchema = z
  .object({
    number: z.int().describe('Identifies the row in job/table/retry.'),
    key: z.array(z.string()).describe("The key's cells in readable form."),
    op: z
      .enum(['upsert', 'update', 'delete', 'move', 'copy'])
      .describe('`copy` is a row of the initial load or a resync, `move` a change of key.'),
    position: z.string().describe("The position in the source's log."),
    code: z.string().describe("From the engine's closed list."),
    sentence: z.string().describe("The code's meaning; empty for a code of another version."),
    at: z.int().describe('Epoch milliseconds.'),
  })
  .meta({
    id: 'ParkedRow',
    description:
      "A row that the target refused. Its key is shown only to the job's owner; its values are stored nowhere.",
  });
export type ParkedRow = z.infer<typeof parkedRowSchema>;

export const parkedRowsSchema = z
  .object({
    total: z.int(),
    rows: z.array(parkedRowSchema).describe('The lowest number first.'),
    next: z.int().nullable().describe('`after` for the next page; null at the end.'),
  })
  .meta({ id: 'ParkedRows' });
export type ParkedRows = z.infer<typeof parkedRowsSchema>;

export const jobSampleSchema = z
  .object({
    at: z.number().describe('End of the interval.'),
    spanMs: z.number().describe('Length of the interval: 10 s, or 5 min for older ones; about 1 s in live events.'),
    copied: z.number().describe('Rows.'),
    applied: z.number().describe('Rows.'),
    transactions: z.number(),
    bytes: z.number(),
    lagMs: z.number().nullable().describe('The largest in the interval.'),
    waitedForSourceMs: z.number(),
    waitedForTargetMs: z.number(),
    position: z.string().nullable(),
    retainedBytes: z
      .number()
      .nullable()
      .describe('Bytes of log that the source keeps for this job; null when it cannot say.'),
    logRoomBytes: z
      .number()
      .nullable()
      .optional()
      .describe(
        'Bytes that it will still write before it gives that log up; null without a limit, absent in stored samples.',
      ),
    memoryBytes: z.number(),
  })
  .meta({ id: 'JobSample', description: 'What happened in one interval.' });
export type JobSample = z.infer<typeof jobSampleSchema>;

export const jobEventSchema = z
  .object({
    id: z.int(),
    at: z.int(),
    level: z.enum(['info', 'warning', 'error']),
    table: z.string().nullable().describe('`schema.table`, if it concerns one.'),
    sentence: z.string(),
  })
  .meta({ id: 'JobEvent' });
export type JobEvent = z.infer<typeof jobEventSchema>;

export const jobDetailSchema = z
  .object({
    job: jobSchema,
    tables: z.array(jobTableSchema),
    samples: z.array(jobSampleSchema).describe('Oldest first. HOUR and DAY: 10 s each; MONTH: 5 min each.'),
    events: z.array(jobEventSchema).describe('Newest first, at most 200.'),
  })
  .meta({ id: 'JobDetail', description: 'Everything about one job.' });
export type JobDetail = z.infer<typeof jobDetailSchema>;

export const sampleSpans = ['HOUR', 'DAY', 'MONTH'] as const;
export type SampleSpan = (typeof sampleSpans)[number];

const consoleTaskSchema = z
  .object({
    id: z.int(),
    jobId: z.int().describe('The console job, not the data job.'),
    taskState: z.enum(taskStates),
    handlerBeanName: z.string(),
    handlerClassName: z.string(),
    host: z.string(),
    executeOrder: z.int(),
    message: z.string().describe('Why it failed; empty otherwise.'),
    cancelable: z.boolean(),
    stepName: z.string(),
  })
  .meta({ id: 'ConsoleTask' });
export type ConsoleTask = z.infer<typeof consoleTaskSchema>;

export const consoleJobSchema = z
  .object({
    id: z.int(),
    jobToken: z.string(),
    label: z.literal('DATA_JOB_CREATE'),
    dataJobName: z.string(),
    dataJobDesc: z.string(),
    taskState: z.enum(taskStates),
    launcher: z.string(),
    resourceType: z.literal('DATA_JOB'),
    resourceId: z.int(),
    gmtCreated: z.string(),
    taskVOList: z.array(consoleTaskSchema),
  })
  .meta({ id: 'ConsoleJob', description: 'The steps in which a job is created.' });
export type ConsoleJob = z.infer<typeof consoleJobSchema>;
