import { z } from 'zod';
import { engineErrorCodes } from './errors.ts';
import type { Position } from './position.ts';

const cell = z.union([z.string(), z.strictObject({ bytes: z.base64() })]);
const key = z.array(cell).nullable();

/** A part of a table's keys, cut by the source's own order: `from` excluded, `to` included, null is open. */
const rangeMark = z.strictObject({
  from: key,
  to: key,
  /** The last key that was loaded. */
  after: key,
  done: z.boolean(),
});

const positionSchema = z.strictObject({ order: z.string(), resume: z.string() });

/** What the target knows of one table's copy; written in the transaction of the rows that it speaks of. */
export const tableMarkSchema = z.strictObject({
  state: z.enum(['waiting', 'copying', 'catching-up', 'live', 'paused', 'blocked', 'removed']),
  ranges: z.array(rangeMark),
  /** Rows loaded by chunks so far. */
  rows: z.number(),
  /** The table is live once the stream has passed this position. */
  liveAfter: positionSchema.nullable(),
  /** From here on changes were dropped, so that leaving a pause means a resync. */
  skippedFrom: positionSchema.nullable(),
  /** Rows were read again when the log ended here: until the stream has passed it, they may be newer than the stream. */
  aheadUntil: positionSchema.nullable().default(null),
  /** A resync deletes target rows that a chunk's range lacks. */
  resync: z.boolean(),
  /** The target had no row before the copy, or a resync takes those away, so that whatever it has is the job's own. */
  wasEmpty: z.boolean().default(false),
  /** Why it is blocked. */
  code: z.string().nullable(),
  /** The source's columns and key as they were carried last, so that a change is noticed over a restart. */
  shape: z.string().nullable(),
  /** `Table.id` of the target's table that rows came into; null where nobody noted it. */
  target: z.string().nullable().default(null),
  /** The target's files that chunks came into, as a full copy asked for them; null where it did not, or nobody can tell. */
  files: z.array(z.string()).nullable().default(null),
});

export type RangeMark = z.infer<typeof rangeMark>;
export type TableMark = z.infer<typeof tableMarkSchema>;

/** A row that the target lacks and the stream told in part only: it is read again before anything else is applied. */
export const rereadSchema = z.strictObject({
  table: z.string(),
  key: z.array(cell),
  /** The snapshot must see these: they touched the row, and are in the target. */
  transactions: z.array(z.string()),
  /** Once the table carries the columns that the row was told with. */
  isLater: z.literal(true).optional(),
});
export type Reread = z.infer<typeof rereadSchema>;

/** What was done when the target refused a row; `copy` is a row of a chunk, `move` a change of key. */
export const parkedOps = ['upsert', 'update', 'delete', 'move', 'copy'] as const;

/** A row that the target refused; nothing of it but its key is kept. */
export const parkedRowSchema = z.strictObject({
  /** Counts within the table of the job: what people name the row by, since a key is nobody else's business. */
  number: z.int().positive(),
  key: z.array(cell),
  op: z.enum(parkedOps),
  /** Where the source's log was, as its people read it. */
  position: z.string(),
  code: z.enum(engineErrorCodes),
  /** Epoch milliseconds. */
  at: z.number(),
});
export type ParkedRow = z.infer<typeof parkedRowSchema>;

/** What one target transaction changes of the parked rows of one table. */
export interface ParkedUpdate {
  /** `Table.id`. */
  table: string;
  /** Numbers of rows that are parked no longer; they go before others come. */
  unpark: readonly number[] | 'all';
  /** New ones, and those that were refused again, by their number. */
  park: readonly ParkedRow[];
}

/** How far a job is, as its target knows it; the only place where a position is believed. */
export interface Mark {
  /** What the position belongs to, as the source names itself; null before the first position. */
  incarnation: string | null;
  /** Counts the processes that ever held this job; an older one's writes are refused. */
  epoch: number;
  /** Everything up to here is in the target; null before the first. */
  position: Position | null;
  /** Row messages of the transaction after `position` that are in the target already. */
  slice: number;
  /** Transactions that are in the target and were not yet seen by a chunk's snapshot. */
  unseen: readonly string[];
  rereads: readonly Reread[];
  /** By `Table.id`. */
  tables: ReadonlyMap<string, TableMark>;
  /** By `Table.id`; tables without parked rows may be left out. */
  parked: ReadonlyMap<string, readonly ParkedRow[]>;
}

/** What one target transaction changes of the mark. */
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
