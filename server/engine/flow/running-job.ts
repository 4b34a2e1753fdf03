import { TableLocks } from '../handover/locks.ts';
import type { Postponed } from '../handover/postponed.ts';
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
  /** A batch ends at the first commit after so many rows. */
  batchRows: number;
  batchBytes: number;
  /** A transaction that is larger is applied in slices, and is not atomic at the target then. */
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

/** What the phases of a running job share. */
export interface RunningJob {
  spec: JobSpec;
  source: Source;
  sink: Sink;
  clock: Clock;
  limits: Limits;
  observer: Observer;
  /** Ends the job; everything that waits ends with it. */
  signal: AbortSignal;
  epoch: number;
  position: Position | null;
  slice: number;
  /** Applied transactions that no chunk's snapshot has seen yet. */
  unseen: Set<string>;
  /** Rows that are read again, as the mark has them: now, or once the chunks of their table are there. */
  rereads: readonly Reread[];
  /** Those of them that wait until the stream has come to a place. */
  postponed: Postponed;
  /** By the source's table id. */
  tables: Map<string, TableProgress>;
  locks: TableLocks;
  /** What was asked for, done by the stream between two transactions. */
  requests: (() => Promise<void>)[];
  /** The index or constraint that the job makes right now: it may keep the job's own rows waiting, and whoever alters its table. */
  making: Statement | undefined;
  /** Wakes whoever compares the catalogue with what the job carries. */
  schemaChanged: PromiseWithResolvers<void>;
  /** Wakes the copiers when there may be something to copy. */
  copyWanted: PromiseWithResolvers<void>;
}

/** A job of which nothing is known yet; the mark tells the rest. */
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

/** Tells the copiers that a table may have become theirs. */
export function wantCopy(job: RunningJob): void {
  job.copyWanted.resolve();
  job.copyWanted = Promise.withResolvers();
}

/** A snapshot saw these transactions, so every later one does. */
export function forgetSeen(job: RunningJob, { sees }: Pick<Chunk, 'sees'>): void {
  for (const transaction of job.unseen) if (sees(transaction)) job.unseen.delete(transaction);
}
