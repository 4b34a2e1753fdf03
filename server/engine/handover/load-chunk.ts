import type { Refused } from '../batch.ts';
import { isUniqueRefused } from '../errors.ts';
import { type Route, routeRow } from '../flow/route.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import { keyMark, type TableMark } from '../mark.ts';
import type { Chunk } from '../source.ts';
import { makeRoom } from './make-room.ts';
import { park, parkedSentence, parkedUpdate } from './parked.ts';
import { rereadsOf } from './reread.ts';
import { laterOf, type TableProgress } from './table-progress.ts';

/** A chunk on its way, and how to load it. */
export interface ChunkLoad {
  table: TableProgress;
  /** As it was when the chunk was requested. */
  route: Route;
  /** Index of the range in the table's mark. */
  range: number;
  chunk: Chunk;
  /** Rows that are in the way are deleted from the target. */
  mayMakeRoom: boolean;
  /** Rows that the target refuses are parked. */
  mayPark: boolean;
}

/**
 * Loads the rows of a chunk of which the target has no newer form; the caller holds the table's lock.
 * @returns false if the chunk must be read again
 * @throws EngineError
 */
export async function loadChunk(job: RunningJob, load: ChunkLoad): Promise<boolean> {
  try {
    return await loadRows(job, load);
  } catch (error) {
    if (!load.mayMakeRoom || !isUniqueRefused(error)) throw error;
    const { table, route, chunk } = load;
    const settled = table.touched.settle(
      chunk.rows.map((row) => routeRow(route, row)),
      chunk.sees,
    );
    // Rows that other chunks bring come back with them; the others are reread once all chunks are loaded.
    if ((await makeRoom(job, table, settled?.rows ?? [])).length === 0) throw error;
    return await loadRows(job, load);
  }
}

async function loadRows(job: RunningJob, { table, route, range: index, chunk, mayPark }: ChunkLoad): Promise<boolean> {
  const range = table.mark.ranges[index];
  if (!range) return true;
  const rows = chunk.rows.map((row) => routeRow(route, row));
  const settled = table.touched.settle(rows, chunk.sees);
  if (!settled) return false;
  const mark = afterChunk(job, table, index, chunk);
  let parked = table.parked;
  let refused: readonly Refused[] = [];
  await job.sink.load(
    {
      table: route.target,
      rows: settled.rows,
      absent: [],
      replace: table.mark.resync && route.target.ordered ? { range, upTo: chunk.last, keep: settled.keep } : null,
      // Rows that a resync finds are the job's own, and may be old.
      conflict: table.mark.resync ? 'replace' : job.spec.conflict,
      ...(mayPark && table.parks),
    },
    markUpdate(job, { tables: new Map([[table.id, mark]]) }),
    (met) => {
      refused = met;
      const when = { position: chunk.end.resume, at: job.clock.now() };
      parked = park(table, table.parked, met, when, mark.rows);
      return parkedUpdate(table, parked);
    },
  );
  table.mark = mark;
  table.parked = parked;
  job.observer.copied(table, chunk.rows.length);
  job.observer.changed(table);
  if (refused.length > 0) job.observer.event('warning', parkedSentence(refused), table);
  return true;
}

/** The mark of a table after a chunk of one of its ranges. */
export function afterChunk(job: RunningJob, table: TableProgress, index: number, chunk: Chunk): TableMark {
  const { mark, route } = table;
  const ranges = mark.ranges.map((range, place) => {
    if (place !== index) return range;
    return { ...range, after: chunk.last ? keyMark(chunk.last) : range.after, done: chunk.last === null };
  });
  const liveAfter = laterOf(mark.liveAfter, chunk.end);
  const isLacking = rereadsOf(job, table).length > 0;
  const copied = ranges.every(({ done }) => done) && !(mark.resync && !route.target.ordered) && !isLacking;
  return { ...mark, state: copied ? 'catching-up' : 'copying', ranges, liveAfter, rows: mark.rows + countOf(chunk) };
}

/** Printed rows are counted without building cells. */
function countOf(chunk: Chunk): number {
  return (chunk.printed ?? chunk.rows).length;
}
