import { z } from 'zod';
import { engineErrorCodes } from './errors.ts';
import type { Position } from './position.ts';

const cell = z.union([z.string(), z.strictObject({ bytes: z.base64() })]);
const key = z.array(cell).nullable();

/** A part of a table's keys, cut in the source's own order: `from` excluded, `to` included, null is open. */
const rangeMark = z.strictObject({
  from: key,
  to: key,
  /** The last key that was loaded. */
  after: key,
  done: z.boolean(),
});

const positionSchema = z.strictObject({ order: z.string(), resume: z.string() });

/** What the target knows of one table's copy; written in the same transaction as the rows it describes. */
export const tableMarkSchema = z.strictObject({
  state: z.enum(['waiting', 'copying', 'catching-up', 'live', 'paused', 'blocked', 'removed']),
  ranges: z.array(rangeMark),
  /** Rows loaded by chunks so far. */
  rows: z.number(),
  /** The table is live once the stream has passed this position. */
  liveAfter: positionSchema.nullable(),
  /** From here on changes were dropped, so resuming means a resync. */
  skippedFrom: positionSchema.nullable(),
  /** Rows were reread when the log ended here: until the stream has passed it, they may be newer than the stream. */
  aheadUntil: positionSchema.nullable().default(null),
  /** A resync deletes target rows that a chunk's range lacks. */
  resync: z.boolean(),
  /** The target had no row before the copy, or a resync deletes those it had, so all of its rows are the job's own. */
  wasEmpty: z.boolean().default(false),
  /** Why it is blocked. */
  code: z.string().nullable(),
  /** The source's columns and key as they were last carried, so that a change is noticed after a restart. */
  shape: z.string().nullable(),
  /** `Table.id` of the target table that rows went into; null if it was not recorded. */
  target: z.string().nullable().default(null),
  /** The target files that chunks went into, as a full copy recorded them; null if it did not, or they are unknown. */
  files: z.array(z.string()).nullable().default(null),
});

export type RangeMark = z.infer<typeof rangeMark>;
export type TableMark = z.infer<typeof tableMarkSchema>;

/** A row that the target lacks and the stream delivered only in part: it is reread before anything else is applied. */
export const rereadSchema = z.strictObject({
  table: z.string(),
  key: z.array(cell),
  /** The snapshot must see these: they touched the row, and are in the target. */
  transactions: z.array(z.string()),
  /** Only once the table carries the columns that the row came with. */
  isLater: z.literal(true).optional(),
});
export type Reread = z.infer<typeof rereadSchema>;

/** The operation for which the target refused a row; `copy` is a row of a chunk, `move` a key change. */
export const parkedOps = ['upsert', 'update', 'delete', 'move', 'copy'] as const;

/** A row that the target refused; only its key is kept. */
export const parkedRowSchema = z.strictObject({
  /** Counts within the job's table: people refer to the row by it, since its key is confidential. */
  number: z.int().positive(),
  key: z.array(cell),
  op: z.enum(parkedOps),
  /** The source's log position, as its administrators read it. */
  position: z.string(),
  code: z.enum(engineErrorCodes),
  /** Epoch milliseconds. */
  at: z.number(),
});
export type ParkedRow = z.infer<typeof parkedRowSchema>;

/** What one target transaction changes in the parked rows of one table. */
export interface ParkedUpdate {
  /** `Table.id`. */
  table: string;
  /** Numbers of rows that are no longer parked; removed before others are added. */
  unpark: readonly number[] | 'all';
  /** New rows, and rows that were refused again, by their number. */
  park: readonly ParkedRow[];
}

/** How far a job is, as its target knows it; the only authority on positions. */
export interface Mark {
  /** What the position belongs to, as the source identifies itself; null before the first position. */
  incarnation: string | null;
  /** Counts the processes that ever held this job; writes of an older one are refused. */
  epoch: number;
  /** Everything up to here is in the target; null before the first. */
  position: Position | null;
  /** Row messages of the transaction after `position` that are in the target already. */
  slice: number;
  /** Transactions that are in the target and that no chunk's snapshot has seen yet. */
  unseen: readonly string[];
  rereads: readonly Reread[];
  /** By `Table.id`. */
  tables: ReadonlyMap<string, TableMark>;
  /** By `Table.id`; tables without parked rows may be missing. */
  parked: ReadonlyMap<string, readonly ParkedRow[]>;
}

/** What one target transaction changes in the mark. */
export interface MarkUpdate {
  job: string;
  epoch: number;
  incarnation?: string;
  position?: Position;
  slice?: number;
  unseen?: readonly string[];
  rereads?: readonly Reread[];
  tables?: ReadonlyMap<string, TableMark>;
  parked?: readonly ParkedUpdate[];
}

/** A key as a mark stores it. */
export function keyMark(key: readonly (string | Uint8Array)[]): (string | { bytes: string })[] {
  return key.map((cell) => (typeof cell === 'string' ? cell : { bytes: Buffer.from(cell).toString('base64') }));
}

/** The key that a mark stored. */
export function markedKey(key: readonly (string | { bytes: string })[]): (string | Uint8Array)[] {
  return key.map((cell) => (typeof cell === 'string' ? cell : Buffer.from(cell.bytes, 'base64')));
}
