import { EngineError } from '../errors.ts';
import { type Facts, factsOf, type TableFacts } from '../facts.ts';
import type { Route } from '../flow/route.ts';
import { markUpdate, type RunningJob, wantCopy } from '../flow/running-job.ts';
import { keepsRows } from '../handover/own-rows.ts';
import { resyncMark, startCopy, TableProgress } from '../handover/table-progress.ts';
import { blockLocked, copyAs } from '../handover/table-requests.ts';
import type { TableMark } from '../mark.ts';
import { tableName } from '../table.ts';
import { addColumns } from './add-columns.ts';
import { requireAltered } from './alter-target.ts';
import { decideSchema, namedOtherwise } from './decide.ts';
import { factsNow } from './facts-now.ts';
import { ofTable, type Pauses, pause } from './pauses.ts';
import { untilReached } from './reached.ts';
import { routeNow } from './target-now.ts';

/** What the catalogue says now of a table's id, and of another table that has its name. */
export interface Seen {
  table: TableProgress;
  now: TableFacts | undefined;
  successor: TableFacts | undefined;
}

/**
 * An operator resumes a waiting table, or a lock kept its target as it was: the table that has the name is taken as it
 * is now, and copied again.
 */
export async function takeBack(job: RunningJob, seen: Seen, pauses: Pauses): Promise<void> {
  const { table, successor } = seen;
  const askers = table.takeAskers();
  // Tables of the job have swapped names: a process that starts knows each by its new one.
  if (successor && job.tables.has(successor.table.id)) {
    for (const { restart } of askers) restart();
    return;
  }
  const carried = () => {
    for (const asker of askers) asker.carried();
  };
  try {
    const { found, route } = await shapeNow(job, seen);
    pauses.delete(table);
    // The log up to here may be older than what it omits, which the copy has.
    await untilReached(job, await job.source.now());
    job.requests.push(async () => {
      const facts = factsOf(found);
      await job.locks.with([table.id], () =>
        found.table.id === table.id ? copyAs(job, table, { route, facts }) : replace(job, table, route, facts),
      );
      carried();
    });
  } catch (error) {
    const own = ofTable(table, error);
    if (!own) throw error;
    if (own.retry === 'timed') {
      table.ask(...askers);
      return pause(job, table, own, pauses);
    }
    job.requests.push(async () => {
      await job.locks.with([table.id], () => blockLocked(job, table, own));
      carried();
    });
  }
}

/** The table that now has the name, published from here on, and its route. @throws EngineError if not carried */
async function shapeNow(job: RunningJob, seen: Seen): Promise<{ found: TableFacts; route: Route }> {
  const { table } = seen;
  const named = namedNow(seen);
  const place = { side: 'source', table: tableName(table.route.source) } as const;
  const tell = (sentence: string) => job.observer.event('info', sentence, table);
  await job.source.include(job.spec.id, [named.table], { tell });
  // Asked again: from here on its changes are delivered without a gap.
  const found = await factsNow(job, { id: named.table.id, route: table.route });
  if (!found) throw new EngineError('TABLE_MISSING', place);
  const why = tableName(found.table) === place.table ? found.notTold : namedOtherwise(found.table);
  if (why !== null) throw new EngineError('TABLE_CHANGED', { ...place, subject: why });
  if (job.spec.ddl === 'safe') {
    const decision = named === seen.now ? decideSchema(table, found, job.spec.ddl) : undefined;
    if (decision?.kind === 'follow') await requireAltered(job, table, found.table, decision.widened);
    await addColumns(job, table, found.table);
  }
  return { found, route: await routeNow(job, table, found.table) };
}

/** The table with the name the job carries. @throws EngineError TABLE_MISSING, or TABLE_CHANGED if renamed */
function namedNow({ table, now, successor }: Seen): TableFacts {
  const name = tableName(table.route.source);
  const place = { side: 'source', table: name } as const;
  if (now && tableName(now.table) === name) return now;
  if (successor) return successor;
  if (now) throw new EngineError('TABLE_CHANGED', { ...place, subject: namedOtherwise(now.table) });
  throw new EngineError('TABLE_MISSING', place);
}

/** Another table takes the place of one that is gone. */
async function replace(job: RunningJob, gone: TableProgress, route: Route, facts: Facts): Promise<void> {
  const table = new TableProgress(route, resyncMark(), [], keepsRows(job.spec));
  table.facts = facts;
  const removed: TableMark = { ...gone.mark, state: 'removed' };
  await job.sink.write(
    markUpdate(job, {
      tables: new Map([
        [gone.id, removed],
        [table.id, table.mark],
      ]),
    }),
  );
  gone.mark = removed;
  job.tables.delete(gone.id);
  job.tables.set(table.id, table);
  for (const one of [gone, table]) job.observer.changed(one);
  startCopy(job, table);
  wantCopy(job);
}
