import { EngineError, isOfTable } from '../errors.ts';
import type { TableFacts } from '../facts.ts';
import { carriesMore, makeRoute, type Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import { mayCopyAgain } from '../handover/own-rows.ts';
import { hasRows, isTaken, resyncMark } from '../handover/table-progress.ts';
import { targetColumn } from '../job.ts';
import type { TableMark } from '../mark.ts';
import type { Position } from '../position.ts';
import { alterTarget } from '../schema/alter-target.ts';
import { decideSchema, droppedColumns, type SchemaDecision } from '../schema/decide.ts';
import { carriedOfShape, knownOfShape, tableOfShape } from '../schema/shape.ts';
import { targetTables } from '../selected-tables.ts';
import { tableName } from '../table.ts';
import { firstMark } from './first-marks.ts';

/** The initial state of a table when a job that follows starts. */
interface Begin {
  route: Route;
  mark: TableMark;
}

/** What is known of a table when a process starts. */
interface Start {
  known: TableMark | undefined;
  now: TableFacts | undefined;
  /** Where the stream begins. */
  from: Position;
  /** The target lacks a column of the source, since another session has locked its table. */
  isLate: boolean;
}

/**
 * The initial state of a table: a column change made while no process ran is treated like one that a process sees.
 * @throws EngineError STOPPED_AT_CHANGE if the job stops at changes; LOCK_TIMED_OUT if it cannot continue without a column
 */
export async function beginOf(job: RunningJob, route: Route, start: Start): Promise<Begin> {
  const { known, isLate } = start;
  const begin = known
    ? await beginKnown(job, route, { ...start, known })
    : { route, mark: await firstMark(job, route) };
  // The mark would say that the new column is carried, so it would never be added.
  if (isLate && begin.route === route && begin.mark.state !== 'blocked' && job.spec.ddl !== 'ignore')
    throw new EngineError('LOCK_TIMED_OUT', { side: 'target', table: tableName(route.target) });
  return begin;
}

type KnownStart = Start & { known: TableMark };

async function beginKnown(job: RunningJob, route: Route, start: KnownStart): Promise<Begin> {
  const { now, isLate } = start;
  const isBackFromLock = isLocked(start.known) && mayCopyAgain(job.spec, start.known);
  const known = isBackFromLock ? { ...resyncMark(), shape: start.known.shape } : start.known;
  const isBlocked = known.state === 'blocked';
  const isBack = isBlocked && (!isLate || isTaken(known)) && wasLeftOut(known);
  const back = isBack ? await whenBack(job, route, known) : undefined;
  if (back) return { route, mark: back };
  if (known.shape === null || !now) return { route, mark: known };
  const carried = carriedOfShape(known.shape);
  const before = { ...route, source: tableOfShape(known.shape, route.source), carried };
  if (isBlocked) return isLate ? await asBefore(job, before, known) : { route, mark: known };
  const decision = decideSchema({ route: before, facts: knownOfShape(known.shape).facts }, now, job.spec.ddl);
  if (decision?.kind === 'stop')
    throw new EngineError('STOPPED_AT_CHANGE', {
      side: 'source',
      table: tableName(route.source),
      subject: decision.why,
    });
  const isMore = carriesMore(carried, route);
  if (!decision) return goOn(job, route, { ...start, known }, isMore);
  const isRemade = decision.kind === 'go-on' && decision.isRemade;
  return await followChange(job, { route, before, decision, isMore: isMore || isRemade }, { ...start, known, now });
}

/** For a table that could not take part at an earlier start, and now can; undefined if it waits for an operator. */
async function whenBack(job: RunningJob, route: Route, known: TableMark): Promise<TableMark | undefined> {
  if (isTaken(known)) return await firstMark(job, route, known);
  if (mayCopyAgain(job.spec, known)) return resyncMark();
  const isUntouched = !known.resync && !hasRows(known);
  return job.spec.initialLoad && isUntouched ? await firstMark(job, route) : undefined;
}

/** With the source table as it was last carried; the places are those of the current table. */
interface RouteBefore extends Route {
  /** Names of the columns that were carried. */
  carried: ReadonlySet<string>;
}

interface Change {
  route: Route;
  before: RouteBefore;
  decision: Exclude<SchemaDecision, { kind: 'stop' }>;
  /** Whether a newly carried column exists, or another column now has a carried one's name. */
  isMore: boolean;
}

async function followChange(
  job: RunningJob,
  { route, before, decision, isMore }: Change,
  { known, now, from }: KnownStart & { now: TableFacts },
): Promise<Begin> {
  const skippedFrom = known.skippedFrom ?? from;
  const waiting: Begin = { route, mark: { ...known, state: 'blocked', code: 'TABLE_CHANGED', skippedFrom } };
  if (decision.kind === 'wait' || isTorn(job, known, decision)) return waiting;
  const isFollowed = decision.kind === 'follow';
  // Reading rows names the columns, and the source has dropped one.
  const isUnreadable = droppedColumns(before, now.table).length > 0 && isReadFrom(job, route.source.id, known);
  if ((isFollowed || isMore) && !isUnreadable) return await asBefore(job, before, known);
  try {
    if (!(await alterTarget(job, before, now.table, isFollowed ? decision.widened : []))) return waiting;
  } catch (error) {
    if (!isOfTable(error) || error.retry !== 'timed' || isUnreadable) throw error;
    return await asBefore(job, before, known);
  }
  if (isFollowed) return againOr(job, route, waiting);
  return goOn(job, route, { known, from }, isMore);
}

/** The table from its first row again, if the job may do that on its own. */
function againOr({ spec }: RunningJob, route: Route, waiting: Begin): Begin {
  return mayCopyAgain(spec, waiting.mark) ? { route, mark: resyncMark() } : waiting;
}

/** @param isMore its rows lack earlier values of a column: they are copied again, if the job may do that */
function goOn(
  { spec, observer }: RunningJob,
  route: Route,
  { known, from }: Pick<KnownStart, 'known' | 'from'>,
  isMore: boolean,
): Begin {
  if (!isMore || !mayCopyAgain(spec, known)) return { route, mark: known };
  if (known.state === 'paused') return { route, mark: { ...known, skippedFrom: known.skippedFrom ?? from } };
  const name = tableName(route.source);
  observer.event(
    'warning',
    `The target has columns of ${name} that were not replicated before: the table is copied again.`,
  );
  return { route, mark: resyncMark() };
}

/**
 * Rows are carried as they were, since rows written before the change are still to come; the watch finds the change,
 * and waits for them, and for a session that has locked the target table.
 */
async function asBefore(
  job: RunningJob,
  { source, selection, target, carried }: RouteBefore,
  mark: TableMark,
): Promise<Begin> {
  const have = await targetTables(job.sink, job.spec);
  const now = have.find((table) => tableName(table) === tableName(target)) ?? target;
  const names = new Set([...carried].map((name) => targetColumn(selection, name)));
  const columns = now.columns.filter(({ name }) => names.has(name));
  return { route: makeRoute(source, selection, { ...now, columns }, true), mark };
}

/** Whether rows of a table are still to be read: it is copied, or some must be reread. */
function isReadFrom({ rereads }: RunningJob, id: string, known: TableMark): boolean {
  return isToBeCopied(known) || rereads.some(({ table }) => table === id);
}

/** Whether rows came with columns that the table's copy will not bring, and would not be reread. */
function isTorn({ spec }: RunningJob, known: TableMark, { kind }: Change['decision']): boolean {
  const { shape } = known;
  const hasMore = shape !== null && knownOfShape(shape).more.size > 0;
  return kind === 'follow' && hasMore && isToBeCopied(known) && !mayCopyAgain(spec, known);
}

const isToBeCopied = ({ state }: TableMark) => state === 'waiting' || state === 'copying';

/** Its target was locked, which passes on its own: its changes were dropped until then. */
const isLocked = ({ state, code }: TableMark) => state === 'blocked' && code === 'LOCK_TIMED_OUT';

const wasLeftOut = ({ code }: TableMark) =>
  code === 'TABLE_MISSING' ||
  code === 'NOT_A_TABLE' ||
  code === 'TARGET_TAKEN' ||
  code === 'TYPE_NARROWER' ||
  code === 'COLUMN_MISSING' ||
  code === 'STRUCTURE_REFUSED' ||
  code === 'TABLE_WITHOUT_KEY' ||
  code === 'TABLE_UNLOGGED' ||
  code === 'IDENTITY_COMPUTED' ||
  code === 'TYPE_NOT_SUPPORTED' ||
  code === 'KEY_COMPARED_OTHERWISE';
