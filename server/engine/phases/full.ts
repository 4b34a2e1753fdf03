import { isOfTable } from '../errors.ts';
import type { Route } from '../flow/route.ts';
import { routeRow } from '../flow/route.ts';
import { markUpdate, type RunningJob, resumeFrom } from '../flow/running-job.ts';
import { forgetAltered } from '../handover/altered-tables.ts';
import { type BegunAgain, beginAgain } from '../handover/begin-again.ts';
import { Copier } from '../handover/copy.ts';
import { isInTheWay } from '../handover/held-moment.ts';
import { forgetLost } from '../handover/lost-rows.ts';
import { isEmpty } from '../handover/own-rows.ts';
import { forgetReplaced } from '../handover/replaced-tables.ts';
import {
  afresh,
  continuedCopy,
  hasRows,
  isTaken,
  TableProgress,
  unknownMark,
  untouchedMark,
} from '../handover/table-progress.ts';
import { blockTable } from '../handover/table-requests.ts';
import type { Mark, TableMark } from '../mark.ts';
import type { RefusedTable } from '../selected-tables.ts';
import { leaveNarrower } from './narrower.ts';

const twoMoments =
  'The copy was interrupted, so its rows are copied from two moments; use SYNC if they must be consistent.';
const manyMoments =
  'The source cannot hold one moment for the copy, so its rows are copied as they are when they are read; use SYNC if they must be consistent.';

/**
 * Copies the existing rows once; a process that resumes begins after the last chunk that the target has.
 * @param refused tables that cannot take part
 * @throws EngineError if a table is blocked, since a copy that lacks a table is not complete
 */
export async function copyAll(
  job: RunningJob,
  routes: readonly Route[],
  refused: readonly RefusedTable[],
): Promise<void> {
  const stored = await job.sink.takeOver(job.spec.id);
  resumeFrom(job, stored);
  const { fitting, refused: narrower } = leaveNarrower(job, stored, routes);
  const mark = await forget(job, stored, [...refused, ...narrower]);
  const own = await forgetReplaced(job, mark, fitting);
  const known = await forgetLost(job, await forgetAltered(job, own, fitting), fitting);
  await holdMoment(job, fitting, known);
  const tables: TableProgress[] = [];
  for (const route of fitting) {
    const { id } = route.source;
    const begin = beginOf(job, route, known.tables.get(id));
    const mayBeEmpty = !hasRows(begin) && !begin.resync;
    const wasEmpty = begin.wasEmpty || (mayBeEmpty && (await isEmpty(job, route.target)));
    const table = new TableProgress(route, { ...begin, wasEmpty }, known.parked.get(id));
    tables.push(table);
    job.observer.changed(table);
    if (route.source.key.length === 0) await copyWithoutKey(job, table);
    else job.tables.set(table.id, table);
  }
  await new Copier(job).run({ untilCopied: true });
  // What the target still has to create may take hours.
  await job.source.letGo?.();
  for (const { fault } of tables) if (fault) throw fault;
  for (const { error } of narrower) throw error;
}

/** What the target will have of refused tables, once they can take part, is unknown. */
async function forget(job: RunningJob, mark: Mark, refused: readonly RefusedTable[]): Promise<Mark> {
  const again = refused.flatMap(({ id, error, selection }): BegunAgain[] => {
    const known = id === null ? undefined : mark.tables.get(id);
    if (id === null || !known || isTaken(known)) return [];
    return [{ id, target: selection.target, mark: { ...afresh(known), state: 'blocked', code: error.code } }];
  });
  return await beginAgain(job, mark, again);
}

/** What blocked a table may be gone: it resumes where it was, or from the first row if rows were lost. */
function beginOf({ spec }: RunningJob, { selection }: Route, known: TableMark | undefined): TableMark {
  const mark = known ?? unknownMark(spec, selection);
  return mark.state === 'blocked' ? continuedCopy(mark) : mark;
}

/** All rows are of one moment, unless an earlier process has copied some of them. */
async function holdMoment(job: RunningJob, routes: readonly Route[], mark: Mark): Promise<void> {
  const knownOf = ({ source }: Route) => mark.tables.get(source.id) ?? untouchedMark;
  const left = routes
    .filter((route) => !['catching-up', 'live'].includes(knownOf(route).state))
    .map(({ source }) => source);
  if (left.length === 0) return;
  const isHeld = await job.source.hold(left);
  // A table that is copied from its first row again has nothing from the earlier moment.
  const isBegun = routes.some((route) => hasRows(knownOf(route)));
  if (isHeld && !isBegun) return;
  job.observer.event('warning', isHeld ? twoMoments : manyMoments);
}

/** Without a key there is no chunk to resume from: the target is emptied and filled in one transaction. */
async function copyWithoutKey(job: RunningJob, table: TableProgress): Promise<void> {
  if (!table.isCopied) return;
  const { route } = table;
  async function* rows() {
    for await (const part of job.source.readAll(route.source, route.selection.filter)) {
      job.signal.throwIfAborted();
      yield part.map((row) => routeRow(route, row));
    }
  }
  try {
    const mark = { ...table.mark, state: 'catching-up', wasEmpty: true } as const;
    const count = await job.sink.fill(route.target, rows(), markUpdate(job, { tables: new Map([[table.id, mark]]) }));
    // It was emptied first, which gave it another file.
    const files = (await job.sink.files?.([route.target.id]))?.get(route.target.id) ?? null;
    table.mark = { ...mark, rows: count, files };
    await job.sink.write(markUpdate(job, { tables: new Map([[table.id, table.mark]]) }));
    job.observer.copied(table, count);
    job.observer.changed(table);
  } catch (error) {
    if (!isOfTable(error) || isInTheWay(job.spec, error)) throw error;
    await blockTable(job, table, error);
  }
}
