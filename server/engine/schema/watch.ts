import { EngineError, isOfTable } from '../errors.ts';
import { makeRoute, type Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { blockTable, resyncAs } from '../handover/table-requests.ts';
import { hasReached } from '../position.ts';
import { wantedTables } from '../selected-tables.ts';
import { type Table, tableName } from '../table.ts';
import { decideSchema } from './decide.ts';
import { tellNewTables } from './new-tables.ts';

/** How often the catalogue is compared: not every change of a table is in the log. */
const everyMs = 10_000;
const positionMs = 100;

/** Compares the source's catalogue with what the job carries, until the job ends. */
export async function watchSchema(job: RunningJob): Promise<never> {
  for (;;) {
    await Promise.race([job.clock.wait(everyMs), job.schemaChanged.promise]);
    job.schemaChanged = Promise.withResolvers();
    await compareCatalog(job);
  }
}

async function compareCatalog(job: RunningJob): Promise<void> {
  const tables = [...job.tables.values()].filter((table) => !table.isSkipped);
  const schemas = [...new Set([...tables.map(({ route }) => route.source.schema), ...(job.spec.newTablesIn ?? [])])];
  const catalog = new Map((await job.source.catalog(schemas)).map((table) => [table.id, table]));
  tellNewTables(job, catalog.values());
  const end = await job.source.now();
  const changed = tables.filter((table) => {
    const now = catalog.get(table.id);
    return !now || decideSchema(table.route, now, job.spec.ddl) !== undefined;
  });
  if (changed.length === 0) return;
  // Rows from before the change are still on their way.
  while (!hasReached(job.position, end)) await job.clock.wait(positionMs);
  for (const table of changed)
    job.requests.push(async () => {
      try {
        await adopt(job, table, catalog.get(table.id));
      } catch (error) {
        if (!isOfTable(error) || job.spec.ddl === 'stop') throw error;
        await blockTable(job, table, error);
      }
    });
}

/** Between two transactions: the table is brought to its new shape, or waits for a person. */
async function adopt(job: RunningJob, table: TableProgress, now: Table | undefined): Promise<void> {
  if (table.isSkipped) return;
  const place = { side: 'source', table: tableName(table.route.source) } as const;
  if (!now) return await blockTable(job, table, new EngineError('TABLE_MISSING', place));
  switch (decideSchema(table.route, now, job.spec.ddl)) {
    case 'stop':
      throw new EngineError('TABLE_CHANGED', place);
    case 'wait':
      return await blockTable(job, table, new EngineError('TABLE_CHANGED', place));
    case 'go-on':
      await carryOn(job, table, now);
      job.observer.event('warning', 'The table was changed at the source; the target keeps its columns.', table);
      return;
    case 'add':
      await addColumns(job, table, now);
      return;
    case undefined:
  }
}

/** The table goes on with the columns that both sides have; a copy that is under way begins again. */
async function carryOn(job: RunningJob, table: TableProgress, now: Table): Promise<void> {
  const route = await routeOf(job, table, now);
  await job.locks.with([table.id], async () => {
    if (table.isCopied) await resyncAs(job, table, route);
    else table.route = route;
  });
}

/** The target gets the new columns, and the rows that exist are copied again. */
async function addColumns(job: RunningJob, table: TableProgress, now: Table): Promise<void> {
  const { selection } = table.route;
  const selected = [{ selection, source: { ...now, size: { rows: 0, bytes: 0 } } }];
  const have = await job.sink.catalog([selection.target.schema]);
  const statements = await job.source.structure([now], wantedTables(selected), have);
  const missing = statements.filter(({ kind, exists }) => kind === 'column' && !exists);
  for (const statement of missing) await job.sink.run(statement);
  const route = await routeOf(job, table, now);
  await job.locks.with([table.id], () => resyncAs(job, table, route));
  job.observer.event('info', 'Columns were added at the target; the table is copied again.', table);
}

async function routeOf(job: RunningJob, table: TableProgress, now: Table): Promise<Route> {
  const { selection } = table.route;
  const have = await job.sink.catalog([selection.target.schema]);
  const target = have.find((one) => tableName(one) === tableName(selection.target));
  if (!target) throw new EngineError('TABLE_MISSING', { side: 'target', table: tableName(selection.target) });
  return makeRoute(now, selection, target, job.spec.ddl === 'ignore');
}
