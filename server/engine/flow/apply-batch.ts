import type { Missing, Refused, TableBatch } from '../batch.ts';
import { isUniqueRefused } from '../errors.ts';
import { mostRereads } from '../handover/make-room.ts';
import { park, parkedSentence, parkedUpdate } from '../handover/parked.ts';
import type { ParkedRows } from '../handover/parked-rows.ts';
import { isDue } from '../handover/postponed.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import type { MarkUpdate, Reread, TableMark } from '../mark.ts';
import type { Position } from '../position.ts';
import type { BatchBuilder } from './batch-builder.ts';
import { tooManyLater, withLater } from './read-later.ts';
import { blockWithBatch } from './refusals.ts';
import { markUpdate, type RunningJob } from './running-job.ts';
import { noteTouched, partOf, rereadOf } from './table-part.ts';

/** What is known of a batch before the target has it. */
interface BeforeBatch {
  /** Rows to be reread at some later time, including those that the batch adds. */
  waiting: readonly Reread[];
  /** Rows to be reread at once. */
  rereads: Reread[];
  /** Parked rows of the batch's tables that stay parked. */
  unparked: Map<TableProgress, ParkedRows>;
}

interface Gathered extends BeforeBatch {
  batches: TableBatch[];
  changed: Map<TableProgress, TableMark>;
}

/** What came of its rows at the target. */
interface AfterBatch {
  rereads: readonly Reread[];
  refused: readonly Refused[];
  parked: ReadonlyMap<TableProgress, ParkedRows>;
}

/** A batch that the target has committed. */
interface AppliedBatch {
  position: Position | null;
  /** New marks of tables. */
  changed: ReadonlyMap<TableProgress, TableMark>;
  /** Rows to be reread at once. */
  due: readonly Reread[];
}

/**
 * One transaction at the target: the changes, the mark, and the new states of the tables.
 * @param slice row messages of the open transaction up to the end of the batch
 */
export async function applyBatch(
  job: RunningJob,
  batch: BatchBuilder,
  { slice, mayPark }: { slice: number; mayPark: boolean },
): Promise<AppliedBatch> {
  const position = batch.position ?? job.position;
  const { changed, batches, ...before } = gather(job, batch, position, mayPark);
  for (const table of batch.marked) changed.set(table, changed.get(table) ?? table.mark);
  for (const [table, mark] of passed(job, batch)) changed.set(table, mark);
  for (const transaction of batch.transactions) job.unseen.add(transaction);
  const marks = new Map([...changed].map(([table, mark]) => [table.id, mark]));
  const after = await write(job, batch, { batches, before, mark: markOf(job, position, slice, marks) });
  job.rereads = [...before.waiting, ...after.rereads];
  // A row that made room while its table is copied waits for the chunks, which may bring it back.
  const targets = new Set(batches.map(({ table }) => table));
  const due = job.rereads.filter((reread) => {
    const table = job.tables.get(reread.table);
    if (before.rereads.includes(reread)) return true;
    if (!table || !mayReadNow(table, reread)) return false;
    if (after.rereads.includes(reread)) return true;
    return job.postponed.has(reread) ? isDue(job, reread, position) : targets.has(table.route.target);
  });
  notePark(job, after);
  return { position, changed, due };
}

/** The batch by tables. A table with too many rows to reread later is blocked. */
function gather(job: RunningJob, batch: BatchBuilder, position: Position | null, mayPark: boolean): Gathered {
  const gathered: Gathered = {
    batches: [],
    changed: new Map(),
    // A skipped table is copied again when it is resumed.
    waiting: withoutSkipped(job),
    rereads: [],
    unparked: new Map(),
  };
  for (const [table, steps] of Map.groupBy(batch.steps, (step) => step.table)) {
    const part = table.isSkipped ? undefined : partOf(table, steps, job.position, mayPark);
    const waiting = part && withLater(gathered.waiting, table, steps);
    if (part && !waiting) blockWithBatch(job, table, tooManyLater(table));
    if (waiting) {
      if (table.isCopied) noteTouched(table, steps, job.position);
      gathered.waiting = waiting;
      gathered.rereads.push(...part.rereads);
      gathered.unparked.set(table, part.parked);
      gathered.batches.push(...part.batches);
    }
    // A table that this very batch blocked needs its state written too.
    else gathered.changed.set(table, (position && table.whenSkipped(position)) ?? table.mark);
  }
  return gathered;
}

/** Tables that become live with this batch. */
function passed({ tables }: RunningJob, { position }: BatchBuilder): [TableProgress, TableMark][] {
  if (!position) return [];
  return [...tables.values()].flatMap((table) => {
    const mark = table.whenPassed(position);
    return mark ? [[table, mark] satisfies [TableProgress, TableMark]] : [];
  });
}

function markOf(
  job: RunningJob,
  position: Position | null,
  slice: number,
  tables: ReadonlyMap<string, TableMark>,
): MarkUpdate {
  return markUpdate(job, {
    ...(position && { position }),
    slice,
    unseen: [...job.unseen],
    ...(tables.size > 0 && { tables }),
  });
}

async function write(
  job: RunningJob,
  batch: BatchBuilder,
  { batches, before, mark }: { batches: readonly TableBatch[]; before: BeforeBatch; mark: MarkUpdate },
): Promise<AfterBatch> {
  let after: AfterBatch = { rereads: [], refused: [], parked: new Map() };
  if (batches.length === 0) {
    const rereads = before.waiting === job.rereads ? {} : { rereads: before.waiting };
    await job.sink.write({ ...mark, ...rereads });
    return after;
  }
  await job.sink.apply(batches, mark, ({ missing, refused }) => {
    const early = earlyOf(job, refused);
    const late = refused.filter((one) => !early.includes(one));
    const rereads = [...before.rereads, ...rereadsOf(job, batch, missing), ...rereadsOf(job, batch, early)];
    const parked = parkedAfter(job, before.unparked, late, mark.position);
    after = { rereads, refused: late, parked };
    return {
      rereads: [...before.waiting, ...rereads],
      parked: [...parked].flatMap(([table, rows]) => parkedUpdate(table, rows)),
    };
  });
  return after;
}

/**
 * Rows whose unique value is held by a row that was read ahead of the stream, or, if the source delivers current
 * rows, by a row whose own change comes later. They are not delivered again, so they are reread instead of being
 * parked.
 */
function earlyOf({ tables, position, rereads, source }: RunningJob, refused: readonly Refused[]): readonly Refused[] {
  const isAhead = (table: TableProgress) =>
    source.tellsNow ? table.holdsOthers : table.mark.state === 'live' && table.isReadAhead(position);
  const ahead = new Set([...tables.values()].filter(isAhead).map(({ route }) => route.target));
  const early = refused.filter(({ table, error }) => ahead.has(table) && isUniqueRefused(error));
  return rereads.length + early.length > mostRereads ? [] : early;
}

/** @throws EngineError TOO_MANY_ROWS_REFUSED */
function parkedAfter(
  { clock }: RunningJob,
  unparked: ReadonlyMap<TableProgress, ParkedRows>,
  refused: readonly Refused[],
  position: Position | undefined,
): Map<TableProgress, ParkedRows> {
  const when = { position: position?.resume ?? '', at: clock.now() };
  const byTarget = Map.groupBy(refused, ({ table }) => table);
  return new Map(
    [...unparked].map(([table, left]) => [table, park(table, left, byTarget.get(table.route.target) ?? [], when)]),
  );
}

/** Records what the target has committed of parked rows. */
function notePark({ observer }: RunningJob, { refused, parked }: AfterBatch): void {
  for (const [table, rows] of parked) {
    if (parkedUpdate(table, rows).length === 0) continue;
    table.parked = rows;
    observer.changed(table);
  }
  for (const [target, rows] of Map.groupBy(refused, ({ table }) => table)) {
    const table = [...parked.keys()].find(({ route }) => route.target === target);
    observer.event('warning', parkedSentence(rows), table);
  }
}

/**
 * A live table has every source row: one that it lacks is read from the source. In other tables, missing rows are
 * still to come, except those that made room: the chunk that brought them does not come again.
 */
function rereadsOf({ tables }: RunningJob, batch: BatchBuilder, missing: readonly Missing[]): Reread[] {
  const byTarget = Map.groupBy(missing, ({ table }) => table);
  return [...tables.values()].flatMap((table) => {
    if (table.isSkipped) return [];
    const ofTable = byTarget.get(table.route.target) ?? [];
    const keys = table.mark.state === 'live' ? ofTable : ofTable.filter(({ madeRoom }) => madeRoom);
    const steps = batch.steps.filter((step) => step.table === table);
    return keys.map(({ key }) => rereadOf(table, key, steps));
  });
}

/** Whether a row may be reread: its table's chunks are loaded, and every column that the row came with is carried. */
export function mayReadNow(table: TableProgress | undefined, { isLater }: Reread): boolean {
  return !table || table.isSkipped || (!table.isCopied && (!isLater || table.more.size === 0));
}

/** Rows to be reread, without those of skipped tables: these are copied again when they are resumed. */
function withoutSkipped({ rereads, tables }: RunningJob): readonly Reread[] {
  const isSkipped = ({ table }: Reread) => tables.get(table)?.isSkipped === true;
  return rereads.some(isSkipped) ? rereads.filter((reread) => !isSkipped(reread)) : rereads;
}
