import { z } from 'zod';
import { engineErrorCodes } from './errors.ts';
import { jobSpecSchema } from './job.ts';

/** Every message between the supervisor and the child process of a job; both sides parse what they get. */

/** An error on its way to a person: never a value, a key or a password. */
export const faultSchema = z.strictObject({
  code: z.enum(engineErrorCodes),
  sentence: z.string(),
  hint: z.string(),
  retry: z.enum(['timed', 'manual', 'never']),
});

/** How the id of a table begins that the source does not have; its name follows. */
export const byName = 'name:';

const tableReport = z.strictObject({
  /** `Table.id` of the source, or see `byName`. */
  id: z.string(),
  source: z.string(),
  target: z.string(),
  state: z.enum(['waiting', 'copying', 'catching-up', 'live', 'paused', 'blocked', 'removed', 'done']),
  /** Rows copied so far, and how many the source estimates. */
  rows: z.number(),
  estimate: z.number(),
  /** Whether leaving the pause or the block means a resync. */
  skipped: z.boolean(),
  /** Rows that the target refused and that wait for a person. */
  parked: z.number(),
  fault: faultSchema.nullable(),
  /** It takes no part since the start, of which no event tells. */
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
  /** Age of the newest applied commit while changes are waiting, 0 when the target has all; null before the stream runs. */
  lagMs: z.number().nullable(),
  /** Where the time since the last sample went. */
  waitedForSourceMs: z.number(),
  waitedForTargetMs: z.number(),
  position: z.string().nullable(),
  /** Bytes of log that the source keeps for this job; null where it cannot say. */
  retainedBytes: z.number().nullable(),
  /** Bytes that the source still writes before it gives that log up; null where it sets no limit. */
  logRoomBytes: z.number().nullable().optional(),
  memoryBytes: z.number(),
});

/** From the child. */
export const reportSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('phase'), phase: z.enum(['INIT', 'FULL', 'CATCH_UP', 'INCRE', 'COMPLETE']) }),
  /** Tables whose report changed since the last one. */
  z.strictObject({ kind: z.literal('tables'), tables: z.array(tableReport) }),
  /** Tables of the source that the job does not carry, each told once by a process. */
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
  /** Rows that the target committed, for metering; `id` is counted once. */
  z.strictObject({
    kind: z.literal('usage'),
    id: z.string(),
    item: z.enum(['FULL', 'INCREMENT', 'BUILD_STRUCT']),
    rows: z.number(),
  }),
  /** An order that named itself was carried out, or nothing is left to do for it. */
  z.strictObject({ kind: z.literal('carried'), order: z.int() }),
  /** What was asked of a table that takes no part since the start is for the next process, which looks at it again. */
  z.strictObject({ kind: z.literal('restart'), order: z.int().optional() }),
  /** The last message of a child that gives up; it exits after it. */
  z.strictObject({ kind: z.literal('failed'), fault: faultSchema }),
  /** The last message of a child that was asked to stop, or whose work is complete. */
  z.strictObject({ kind: z.literal('ended'), complete: z.boolean() }),
]);

/** Parked rows of a table that are tried again: the one of a number, or all. */
const retry = z.strictObject({ id: z.string(), row: z.int().positive().nullable() });

/** To the child. A child whose channel closes stops by itself. */
export const orderSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('start'),
    spec: jobSpecSchema,
    /** The job is complete: parked rows are tried again, and that is all. */
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

/** One question to a short-lived child: the web process itself opens no connection to a customer's database. */
export const questionSchema = z.discriminatedUnion('kind', [
  /** Whether the system answers, as what version and with which privileges. */
  z.strictObject({ kind: z.literal('test'), side }),
  z.strictObject({ kind: z.literal('databases'), side }),
  z.strictObject({ kind: z.literal('catalog'), side, schemas: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('check'), spec: jobSpecSchema }),
  /** The statements that would make the structure. */
  z.strictObject({ kind: z.literal('plan'), spec: jobSpecSchema }),
  /** Parked rows of a table behind a number, with their keys: for the owner of the job alone. */
  z.strictObject({
    kind: z.literal('parked'),
    side,
    job: z.string(),
    table: z.string(),
    after: z.int().min(0),
    limit: z.int().min(1).max(1_000),
  }),
  /** Removes what the job keeps at both sides, except the rows. */
  z.strictObject({ kind: z.literal('release'), spec: jobSpecSchema }),
]);

export type Fault = z.infer<typeof faultSchema>;
export type TableReport = z.infer<typeof tableReport>;
export type Sample = z.infer<typeof sampleSchema>;
export type Report = z.infer<typeof reportSchema>;
export type Order = z.infer<typeof orderSchema>;
export type Retry = z.infer<typeof retry>;
export type Question = z.infer<typeof questionSchema>;
