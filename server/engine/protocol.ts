import { z } from 'zod';
import { engineErrorCodes } from './errors.ts';
import { jobSpecSchema } from './job.ts';

/** Every message between the supervisor and a job's child process; both sides validate what they receive. */

/** An error as shown to people: it never contains a value, a key or a password. */
export const faultSchema = z.strictObject({
  code: z.enum(engineErrorCodes),
  sentence: z.string(),
  hint: z.string(),
  retry: z.enum(['timed', 'manual', 'never']),
});

/** Prefix of the id of a table that the source does not have; its name follows. */
export const byName = 'name:';

const tableReport = z.strictObject({
  /** `Table.id` at the source, or see `byName`. */
  id: z.string(),
  source: z.string(),
  target: z.string(),
  state: z.enum(['waiting', 'copying', 'catching-up', 'live', 'paused', 'blocked', 'removed', 'done']),
  /** Rows copied so far, and the source's estimate of the total. */
  rows: z.number(),
  estimate: z.number(),
  /** Whether resuming or unblocking means a resync. */
  skipped: z.boolean(),
  /** Rows that the target refused and that wait for an operator. */
  parked: z.number(),
  fault: faultSchema.nullable(),
  /** It could not take part at the start, which no event reports. */
  isRefused: z.literal(true).optional(),
});

export const sampleSchema = z.strictObject({
  at: z.number(),
  /** Milliseconds since the last sample. */
  spanMs: z.number(),
  /** Since the last sample. */
  copied: z.number(),
  applied: z.number(),
  transactions: z.number(),
  bytes: z.number(),
  /** Age of the newest applied commit while changes wait, 0 if the target has all; null before the stream runs. */
  lagMs: z.number().nullable(),
  /** Where the time since the last sample went. */
  waitedForSourceMs: z.number(),
  waitedForTargetMs: z.number(),
  position: z.string().nullable(),
  /** Bytes of log that the source keeps for this job; null if it cannot say. */
  retainedBytes: z.number().nullable(),
  /** Bytes that the source still writes before it discards that log; null if it sets no limit. */
  logRoomBytes: z.number().nullable().optional(),
  memoryBytes: z.number(),
});

/** From the child. */
export const reportSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('phase'), phase: z.enum(['INIT', 'FULL', 'CATCH_UP', 'INCRE', 'COMPLETE']) }),
  /** Tables whose report changed since the last one. */
  z.strictObject({ kind: z.literal('tables'), tables: z.array(tableReport) }),
  /** Source tables that the job does not carry; a process reports each once. */
  z.strictObject({
    kind: z.literal('found'),
    tables: z.array(z.strictObject({ schema: z.string(), name: z.string() })),
  }),
  z.strictObject({ kind: z.literal('sample'), sample: sampleSchema }),
  z.strictObject({
    kind: z.literal('event'),
    at: z.number(),
    level: z.enum(['info', 'warning', 'error']),
    table: z.string().nullable(),
    sentence: z.string(),
  }),
  /** Rows committed at the target, for metering; each number of a process counts once. */
  z.strictObject({
    kind: z.literal('usage'),
    process: z.string(),
    number: z.int(),
    item: z.enum(['FULL', 'INCREMENT', 'BUILD_STRUCT']),
    rows: z.number(),
  }),
  /** A numbered command was carried out, or nothing is left to do for it. */
  z.strictObject({ kind: z.literal('carried'), order: z.int() }),
  /** A command for a table that could not take part at the start: the next process checks that table again. */
  z.strictObject({ kind: z.literal('restart'), order: z.int().optional() }),
  /** The last message of a child that gives up; it exits afterwards. */
  z.strictObject({ kind: z.literal('failed'), fault: faultSchema }),
  /** The last message of a child that was asked to stop, or whose work is complete. */
  z.strictObject({ kind: z.literal('ended'), complete: z.boolean() }),
]);

/** Parked rows of a table to retry: the one with a number, or all. */
const retry = z.strictObject({ id: z.string(), row: z.int().positive().nullable() });

/** To the child; `order` numbers a command, by its row in `job_order`. A child whose channel closes stops on its own. */
export const commandSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('start'),
    spec: jobSpecSchema,
    /** The job is complete: parked rows are retried, and nothing else is done. */
    retries: z.array(retry).optional(),
  }),
  z.strictObject({ kind: z.literal('stop') }),
  z.strictObject({
    kind: z.literal('table'),
    id: z.string(),
    action: z.enum(['pause', 'resume', 'resync']),
    order: z.int().optional(),
  }),
  retry.extend({ kind: z.literal('retry'), order: z.int().optional() }),
]);

const side = z.strictObject({ family: z.string(), settings: z.unknown() });

/** A question to a short-lived child: the web process itself opens no connection to a customer's database. */
export const questionSchema = z.discriminatedUnion('kind', [
  /** Whether the system answers, its version and the user's privileges. */
  z.strictObject({ kind: z.literal('test'), side }),
  z.strictObject({ kind: z.literal('databases'), side }),
  z.strictObject({ kind: z.literal('catalog'), side, schemas: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('check'), spec: jobSpecSchema }),
  /** The statements that would create the structure. */
  z.strictObject({ kind: z.literal('plan'), spec: jobSpecSchema }),
  /** Parked rows of a table after a number, with their keys: only for the owner of the job. */
  z.strictObject({
    kind: z.literal('parked'),
    side,
    job: z.string(),
    table: z.string(),
    after: z.int().min(0),
    limit: z.int().min(1).max(1_000),
  }),
  /** Removes what the job keeps on both sides, except the rows. */
  z.strictObject({ kind: z.literal('release'), spec: jobSpecSchema }),
]);

export type Fault = z.infer<typeof faultSchema>;
export type TableReport = z.infer<typeof tableReport>;
export type Sample = z.infer<typeof sampleSchema>;
export type Report = z.infer<typeof reportSchema>;
export type Command = z.infer<typeof commandSchema>;
export type Retry = z.infer<typeof retry>;
export type Question = z.infer<typeof questionSchema>;
