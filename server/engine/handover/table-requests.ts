import type { EngineError, EngineErrorCode } from '../errors.ts';
import type { Facts } from '../facts.ts';
import { carriedNames, type Route } from '../flow/route.ts';
import { markUpdate, type RunningJob, wantCopy } from '../flow/running-job.ts';
import type { ParkedUpdate, Reread, TableMark } from '../mark.ts';
import { type CommandEnds, untoldEnds } from './command-ends.ts';
import { tellKept } from './kept-rows.ts';
import { mayCopyAgain } from './own-rows.ts';
import { afresh, continuedCopy, resyncMark, startCopy, type TableProgress } from './table-progress.ts';
import { Touched } from './touched.ts';

/** Codes that block a table because of what the catalogues of the two sides say. */
const structureCodes: readonly EngineErrorCode[] = [
  'TABLE_CHANGED',
  'TABLE_MISSING',
  'NOT_A_TABLE',
  'COLUMN_MISSING',
  'TABLE_WITHOUT_KEY',
  'TABLE_UNLOGGED',
  'IDENTITY_COMPUTED',
  'TYPE_NOT_SUPPORTED',
  'KEY_COMPARED_OTHERWISE',
  'TYPE_NARROWER',
  'TRIGGER_IN_THE_WAY',
];

/** Writes a table's mark; the caller holds its lock. */
async function writeMark(
  job: RunningJob,
  table: TableProgress,
  wanted: TableMark,
  rereads?: readonly Reread[],
  isAfresh = wanted.state === 'waiting',
): Promise<void> {
  const mark = { ...wanted, shape: table.shape, target: table.route.target.id, files: table.mark.files };
  // A copy that restarts from the first row parks rows anew.
  const parked: ParkedUpdate[] = isAfresh ? [{ table: table.id, unpark: 'all', park: [] }] : [];
  await job.sink.write(markUpdate(job, { tables: new Map([[table.id, mark]]), parked, ...(rereads && { rereads }) }));
  if (isAfresh) table.parked = new Map();
  table.generation++;
  table.mark = mark;
  job.observer.changed(table);
}

/** Stops one table's copy and drops its changes from now on; the others continue. */
export async function blockTable(job: RunningJob, table: TableProgress, error: EngineError): Promise<void> {
  await job.locks.with([table.id], async () => {
    if (!table.isSkipped) await blockLocked(job, table, error);
  });
}

/** The same for a caller that holds the table's lock. @param rereads the rows left to reread, of other tables */
export async function blockLocked(
  job: RunningJob,
  table: TableProgress,
  error: EngineError,
  rereads?: readonly Reread[],
): Promise<void> {
  table.fault = error;
  // A row that could not be reread, or that has another structure, is missing as if its change had been dropped.
  const isLost = rereads !== undefined || structureCodes.includes(error.code) || isLacking(job, table);
  const skippedFrom = isLost ? (table.mark.skippedFrom ?? job.position) : table.mark.skippedFrom;
  // A full copy has no position to record that with: it restarts from the first row.
  const isAfresh = isLost && skippedFrom === null;
  const kept = isAfresh ? afresh(table.mark) : table.mark;
  if (isAfresh) tellKept(job, table.mark, table.route.target);
  await writeMark(job, table, { ...kept, state: 'blocked', code: error.code, skippedFrom }, rereads, isAfresh);
  job.observer.blocked(table, error);
}

/** Whether rows that made room for others are still to be reread. */
function isLacking({ rereads }: RunningJob, { id }: TableProgress): boolean {
  return rereads.some(({ table }) => table === id);
}

/** An operator's command for one table; carried out between two transactions of the stream. */
export function requestTable(
  job: RunningJob,
  id: string,
  action: 'pause' | 'resume' | 'resync',
  ends: CommandEnds = untoldEnds,
): void {
  const { carried, restart } = ends;
  job.requests.push(async () => {
    const table = job.tables.get(id);
    if (!table) return action === 'pause' ? carried() : restart();
    if (action !== 'pause' && (isOfStructure(job, table) || isCopiedOnce(job, table, action))) {
      table.ask(ends);
      job.schemaChanged.resolve();
      return;
    }
    await job.locks.with([id], async () => {
      const next = afterRequest(job, table, action);
      if (!next) return;
      table.fault = undefined;
      await writeMark(job, table, next);
      startCopy(job, table);
    });
    wantCopy(job);
    carried();
  });
}

/** Whether the catalogue is checked before the table is carried again; a copy without a stream does not watch it. */
function isOfStructure({ spec }: RunningJob, { mark: { state, code } }: TableProgress): boolean {
  return spec.type === 'SYNC' && state === 'blocked' && structureCodes.some((one) => one === code);
}

/**
 * Whether only this command copies the table, and the job never does so on its own: the copy must then bring every column
 * that exists by now, since rows that came with such a column are not delivered again.
 */
function isCopiedOnce(job: RunningJob, table: TableProgress, action: 'resume' | 'resync'): boolean {
  const { spec } = job;
  return spec.type === 'SYNC' && !mayCopyAgain(spec, table.mark) && afterRequest(job, table, action)?.resync === true;
}

/** Another shape of the table, copied from its first row with this mark; the caller holds its lock. */
export async function copyAs(
  job: RunningJob,
  table: TableProgress,
  { route, facts, mark = resyncMark() }: { route: Route; facts: Facts; mark?: TableMark },
): Promise<void> {
  table.route = route;
  table.facts = facts;
  table.forgetUntold();
  table.forgetSharedKeys();
  // The copy lacks columns that rows came with after the catalogue was read.
  table.forgetMore(carriedNames(route));
  table.noteUntold({ ...route, untold: [...table.more] });
  table.fault = undefined;
  table.touched = new Touched(route.target);
  // Existing rows that are kept are not rewritten, nor is a row that was refused since.
  await writeMark(job, table, mark, undefined, mark.resync || job.spec.conflict === 'replace');
  startCopy(job, table);
  wantCopy(job);
}

function afterRequest(
  job: RunningJob,
  table: TableProgress,
  action: 'pause' | 'resume' | 'resync',
): TableMark | undefined {
  const { mark } = table;
  if (mark.state === 'removed') return undefined;
  if (action === 'resync') return resyncMark();
  if (action === 'resume') return table.isSkipped ? resumed(job, table) : undefined;
  if (table.isSkipped) return undefined;
  return { ...mark, state: 'paused', skippedFrom: isLacking(job, table) ? job.position : mark.skippedFrom };
}

/** Where a table continues; if changes were dropped, or rows remain to be reread, it is copied again. */
function resumed(job: RunningJob, table: TableProgress): TableMark {
  const { mark } = table;
  if (mark.skippedFrom !== null || isLacking(job, table)) return resyncMark();
  const isCut = mark.ranges.length > 0;
  const isCopied = isCut ? mark.ranges.every(({ done }) => done) : !job.spec.initialLoad && !mark.resync;
  // Like a process that starts again, the copy continues, and keeps the rows that it kept.
  if (!isCopied) return continuedCopy(mark);
  // What the source lacks may still have to be deleted, after the last chunk.
  return { ...mark, state: mark.resync && !table.route.target.ordered ? 'copying' : 'catching-up', code: null };
}
