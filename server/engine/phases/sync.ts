import { EngineError, type EngineErrorCode } from '../errors.ts';
import { factsOf } from '../facts.ts';
import { Follower } from '../flow/follow.ts';
import type { Route } from '../flow/route.ts';
import { markUpdate, type RunningJob, resumeFrom } from '../flow/running-job.ts';
import { Copier } from '../handover/copy.ts';
import { keepsRows } from '../handover/own-rows.ts';
import { forgetRecreated } from '../handover/recreated-targets.ts';
import { hasRows, isTaken, resyncMark, startCopy, TableProgress, untouchedMark } from '../handover/table-progress.ts';
import type { Mark, ParkedRow, ParkedUpdate, TableMark } from '../mark.ts';
import { hasReached, type Position } from '../position.ts';
import { knownOfShape, nameOfShape } from '../schema/shape.ts';
import { watchSchema } from '../schema/watch.ts';
import { filtersOf, type RefusedTable } from '../selected-tables.ts';
import { sameColumns, tableName } from '../table.ts';
import { beginOf } from './begin-table.ts';
import { failOver } from './failover.ts';
import { firstMarks } from './first-marks.ts';
import { takeLostReads } from './lost-reads.ts';
import { leaveNarrower } from './narrower.ts';
import { takenNames } from './taken-names.ts';

/**
 * Copies existing rows and follows changes until the job ends.
 * @param refused tables that cannot take part
 * @param late names of target tables that lack a column of the source, since they are locked
 * @throws EngineError if it cannot continue; the next process begins at what was committed at the target
 */
export async function sync(
  job: RunningJob,
  routes: readonly Route[],
  refused: readonly RefusedTable[] = [],
  late: ReadonlySet<string> = new Set(),
): Promise<never> {
  const mark = await job.sink.takeOver(job.spec.id);
  resumeFrom(job, mark);
  const { fitting, refused: narrower } = leaveNarrower(job, mark, routes);
  const [first] = narrower;
  if (fitting.length === 0 && first) throw first.error;
  const taken = takenNames(mark, fitting);
  const stored = { ...mark, tables: new Map([...mark.tables, ...taken]) };
  const { from, tables } = await begin(
    job,
    { ...stored, tables: await forgetRecreated(job, stored, fitting) },
    fitting,
  );
  const known = { ...mark, tables };
  // All at once: each is known by the name of another.
  if (taken.size > 0) await job.sink.write(markUpdate(job, { tables: taken }));
  await addTables(job, fitting, known, { from, late, taken });
  await leaveOut(job, known, [...refused, ...narrower], from);
  tellReplaced(job, known);
  const stream = await job.source.stream(
    job.spec.id,
    from,
    fitting.map(({ source }) => source),
    filtersOf(fitting),
  );
  try {
    await Promise.all([new Follower(job, stream).run(), new Copier(job).run({ untilCopied: false }), watchSchema(job)]);
  } finally {
    await stream.close();
  }
  throw new EngineError('UNEXPECTED', { subject: 'the stream ended unexpectedly' });
}

/** Tables that cannot take part this time lose their changes from here on, so they are later copied again. */
async function leaveOut(job: RunningJob, mark: Mark, refused: readonly RefusedTable[], from: Position): Promise<void> {
  const codes = new Map(refused.flatMap(({ id, error }) => (id === null ? [] : [[id, error.code] as const])));
  const ids = [...new Set([...codes.keys(), ...mark.tables.keys()])].filter((id) => !job.tables.has(id));
  const left = ids.flatMap((id): [string, TableMark][] => {
    // It was never carried: once it can be, it begins as a new table, over rows that may not be the job's own.
    if (mayHoldOthers.includes(codes.get(id)) && !mark.tables.has(id)) return [];
    const known = mark.tables.get(id) ?? untouchedMark;
    if (known.skippedFrom || known.state === 'removed' || isTaken(known)) return [];
    return [[id, { ...known, state: 'blocked', skippedFrom: from, code: codes.get(id) ?? 'TABLE_MISSING' }]];
  });
  if (left.length > 0) await job.sink.write(markUpdate(job, { tables: new Map(left) }));
}

/** Reports tables whose names others have now: otherwise people would still see them as they were. */
function tellReplaced(job: RunningJob, mark: Mark): void {
  const routes = new Map([...job.tables.values()].map(({ route }) => [tableName(route.source), route]));
  const replaced = [...mark.tables].flatMap(([id, { shape }]) => {
    const route = shape === null || job.tables.has(id) ? undefined : routes.get(nameOfShape(shape));
    return route ? [{ id, route }] : [];
  });
  if (replaced.length > 0) job.observer.replaced?.(replaced);
}

/** Reasons to refuse a table whose target may already have rows. */
const mayHoldOthers: readonly (EngineErrorCode | undefined)[] = ['TARGET_TAKEN', 'TYPE_NARROWER'];

async function addTables(
  job: RunningJob,
  routes: readonly Route[],
  mark: Mark,
  { from, late, taken }: { from: Position; late: ReadonlySet<string>; taken: ReadonlyMap<string, TableMark> },
): Promise<void> {
  const catalog = await job.source.facts(
    job.spec.id,
    routes.map(({ source }) => source),
  );
  const facts = new Map(catalog.map((one) => [one.table.id, one]));
  for (const route of routes) {
    const { id } = route.source;
    const now = facts.get(id);
    const known = mark.tables.get(id);
    const isLate = late.has(tableName(route.target));
    const begin = await beginOf(job, route, { known, now, from, isLate });
    const parked = await parkedOf(job, id, begin.mark, mark);
    const table = new TableProgress(begin.route, begin.mark, parked, keepsRows(job.spec));
    const isUntouched = known === undefined || (known.shape === null && !hasRows(known));
    const isBeginning = isUntouched || isNew(known) || begin.mark.resync;
    table.waitsForLog = job.spec.initialLoad && !job.source.tellsNow && isBeginning;
    // Columns read a moment apart may not belong together; then the watch asks. It also does so if rows came before
    // anything was known: what happened to them since is in no log.
    const isKnownBy = isUntouched && !table.waitsForLog && now && sameColumns(now.table, begin.route.source);
    if (!table.facts && isKnownBy) table.facts = factsOf(now);
    // From its first start on: whether its changes are in the log.
    if (table.facts?.continuity === '' && now) table.facts = { ...table.facts, continuity: now.continuity };
    startCopy(job, table);
    job.tables.set(table.id, table);
    job.observer.changed(table);
    if (taken.has(id)) tellTaken(job, table);
  }
  await noteBegins(job, mark);
}

/** Whether the target has no row of the table from the log: it never took part, or its changes are dropped. */
const isNew = (known: TableMark | undefined) => known === undefined || known.state === 'blocked';

/**
 * Records what is newly known of the tables: their target tables, and what the catalogue says. A new one stays new until
 * its copy begins.
 */
async function noteBegins(job: RunningJob, mark: Mark): Promise<void> {
  const noted = [...job.tables].flatMap(([id, table]): [string, TableMark][] => {
    const known = mark.tables.get(id);
    if (table.isHeld && isNew(known)) return [];
    return known?.target === table.mark.target && known.shape === table.mark.shape ? [] : [[id, table.mark]];
  });
  if (noted.length > 0) await job.sink.write(markUpdate(job, { tables: new Map(noted) }));
}

/** A copy that restarts from the first row parks rows anew. */
async function parkedOf(job: RunningJob, id: string, begin: TableMark, mark: Mark): Promise<readonly ParkedRow[]> {
  const rows = mark.parked.get(id) ?? [];
  if (begin.state !== 'waiting' || rows.length === 0) return rows;
  const parked: ParkedUpdate[] = [{ table: id, unpark: 'all', park: [] }];
  await job.sink.write(markUpdate(job, { tables: new Map([[id, begin]]), parked }));
  return [];
}

function tellTaken(job: RunningJob, table: TableProgress): void {
  const place = { side: 'source', table: tableName(table.route.source) } as const;
  table.fault = new EngineError('TABLE_CHANGED', { ...place, subject: 'another table now has its name' });
  job.observer.blocked(table, table.fault);
}

/** Where the stream begins: at the mark, or at what the source reserves now. */
async function begin(
  job: RunningJob,
  mark: Mark,
  routes: readonly Route[],
): Promise<{ from: Position; tables: Mark['tables'] }> {
  const incarnation = await job.source.incarnation();
  const { position } = mark;
  const sources = routes.map(({ source }) => source);
  const tell = (sentence: string) => job.observer.event('info', sentence);
  if (position) {
    const now = await job.source.now();
    if (position.order > now.order) throw new EngineError('SOURCE_WENT_BACK', { side: 'source' });
    const isSame = mark.incarnation === incarnation;
    const tables = isSame ? await takeLostReads(job, mark, position) : await failOver(job, mark, position, incarnation);
    // Without tables that were missing, or could not take part, at an earlier start.
    const carried = [...tables].flatMap(([id, { state }]) => (isCarried(state) ? [id] : []));
    await job.source.include(job.spec.id, sources, { carried: new Set(carried), tell });
    return { from: position, tables: withoutUnsure(job, tables) };
  }
  // From here on the source delivers what came after the lost checkpoint, or after an older one.
  if (job.spec.hasCheckpoint) throw new EngineError('MARK_MISSING', { side: 'target' });
  // Before the log begins: what happens from here on is in it, or changes the catalogue.
  const catalog = await job.source.facts(job.spec.id, sources);
  const looked = await job.source.now();
  const from = await job.source.reserve(job.spec.id, sources, tell);
  // A log that was there before omits what no one can see any more: the watch looks once all of it has come.
  const isOwn = hasReached(from, looked) || !job.spec.initialLoad || job.source.tellsNow;
  const noted = await firstMarks(job, mark, routes, isOwn ? catalog : []);
  await job.sink.write(markUpdate(job, { incarnation, position: from, slice: 0, tables: noted }));
  job.position = from;
  return { from, tables: new Map([...mark.tables, ...noted]) };
}

/**
 * A first start ended before it knew whether the log has all changes of these tables: they begin once more. A new one
 * begins as if nothing was known of it, since a job that copies again removes rows from the target.
 */
function withoutUnsure({ source }: RunningJob, tables: Mark['tables']): Mark['tables'] {
  if (source.tellsNow) return tables;
  const isUnsure = (table: TableMark) =>
    (table.state === 'waiting' || table.state === 'copying') &&
    table.shape !== null &&
    !hasRows(table) &&
    knownOfShape(table.shape).facts?.continuity === '';
  return new Map(
    [...tables].flatMap(([id, table]): [string, TableMark][] => {
      if (!isUnsure(table)) return [[id, table]];
      return table.resync ? [[id, resyncMark()]] : [];
    }),
  );
}

/** Whether a table took part at the last start, which waited for all its earlier writers. */
const isCarried = (state: TableMark['state']) => state !== 'blocked' && state !== 'removed';
