import { TableLocks } from '../handover/locks.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import type { JobSpec } from '../job.ts';
import type { Mark, MarkUpdate, Reread } from '../mark.ts';
import type { Position } from '../position.ts';
import type { Sink, Statement } from '../sink.ts';
import type { Chunk, Source } from '../source.ts';
import type { Clock } from './clock.ts';
import type { Observer } from './observer.ts';

/** Bounds of one job's work. */
export interface Limits {
  /** A batch ends at the first commit after this many rows. */
  batchRows: number;
  batchBytes: number;
  /** A larger transaction is applied in slices, and is then not atomic at the target. */
  sliceBytes: number;
  chunkRows: number;
  /** Parts that a table is cut into, each copied on its own. */
  ranges: number;
  /** How long an idle source waits for its acknowledgement, in milliseconds. */
  idleMs: number;
}

export const defaultLimits: Limits = {
  batchRows: 4_000,
  batchBytes: 8 * 2 ** 20,
  sliceBytes: 32 * 2 ** 20,
  chunkRows: 20_000,
  ranges: 4,
  idleMs: 1_000,
};

/** The position that a reread row waits for, and how often it has waited. */
interface Wait {
  until: Position;
  rounds: number;
}

/** What the phases of a running job share. */
export interface RunningJob {
  spec: JobSpec;
  source: Source;
  sink: Sink;
  clock: Clock;
  limits: Limits;
  observer: Observer;
  /** Ends the job, and with it everything that waits. */
  signal: AbortSignal;
  epoch: number;
  position: Position | null;
  slice: number;
  /** Applied transactions that no chunk's snapshot has seen yet. */
  unseen: Set<string>;
  /** Rows to be reread, as the mark has them: now, or once their table's chunks are loaded. */
  rereads: readonly Reread[];
  /** Those of them that wait until the stream reaches a position. A later process does not know this and tries at once. */
  postponed: WeakMap<Reread, Wait>;
  /** By the source's table id. */
  tables: Map<string, TableProgress>;
  locks: TableLocks;
  /** Requests, which the stream runs between two transactions. */
  requests: (() => Promise<void>)[];
  /** The index or constraint that the job is creating: its own rows, and anyone altering the table, may wait for it. */
  making: Statement | undefined;
  /** Wakes the watch, which compares the catalogue with what the job carries. */
  schemaChanged: PromiseWithResolvers<void>;
  /** Wakes the copiers when there may be something to copy. */
  copyWanted: PromiseWithResolvers<void>;
}

/** A job of which nothing is known yet; the mark has the rest. */
export function newRunningJob(
  parts: Pick<RunningJob, 'spec' | 'source' | 'sink' | 'clock' | 'limits' | 'observer' | 'signal'>,
): RunningJob {
  return {
    ...parts,
    epoch: 0,
    position: null,
    slice: 0,
    unseen: new Set(),
    rereads: [],
    postponed: new WeakMap(),
    tables: new Map(),
    locks: new TableLocks(),
    requests: [],
    making: undefined,
    schemaChanged: Promise.withResolvers(),
    copyWanted: Promise.withResolvers(),
  };
}

/** A mark update of this process. */
export function markUpdate(job: RunningJob, update: Omit<MarkUpdate, 'job' | 'epoch'>): MarkUpdate {
  return { job: job.spec.id, epoch: job.epoch, ...update };
}

/** Takes over what the target knows of the job. */
export function resumeFrom(job: RunningJob, mark: Mark): void {
  job.epoch = mark.epoch;
  job.position = mark.position;
  job.slice = mark.slice;
  job.unseen = new Set(mark.unseen);
  job.rereads = mark.rereads;
}

/** Notifies the copiers that there may be a table for them. */
export function wantCopy(job: RunningJob): void {
  job.copyWanted.resolve();
  job.copyWanted = Promise.withResolvers();
}

/** A snapshot saw these transactions, so every later one does. */
export function forgetSeen(job: RunningJob, { sees }: Pick<Chunk, 'sees'>): void {
  for (const transaction of job.unseen) if (sees(transaction)) job.unseen.delete(transaction);
}
