import type { Route } from '../flow/route.ts';
import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import type { Mark, ParkedUpdate, TableMark } from '../mark.ts';
import { listed, type Table, tableName } from '../table.ts';
import { tellKept } from './kept-rows.ts';
import { afresh, untouchedMark } from './table-progress.ts';

/**
 * What is known of the tables when a full copy goes on. One that was made again at the target, or emptied, since chunks
 * came into it lacks their rows, so that it is copied from its first row; a full copy has no later look at it.
 */
export async function forgetLost(job: RunningJob, mark: Mark, routes: readonly Route[]): Promise<Mark> {
  const files = await job.sink.files?.(routes.map(({ target }) => target.id));
  const tables = new Map(mark.tables);
  const lost = new Map<string, Route>();
  for (const route of routes) {
    const { id } = route.source;
    const known = tables.get(id) ?? untouchedMark;
    const now = files?.get(route.target.id) ?? null;
    const isLost = now && known.files ? hasLost(known.files, now) : await isEmptied(job, known, route.target);
    if (isLost) {
      lost.set(id, route);
      tellKept(job, known, route.target);
    }
    tables.set(id, { ...(isLost ? fromFirstRow(known) : known), files: now });
  }
  if (lost.size === 0) return { ...mark, tables };
  const changed = new Map([...tables].filter(([id]) => lost.has(id)));
  const parked = [...lost.keys()].map((table): ParkedUpdate => ({ table, unpark: 'all', park: [] }));
  const rereads = job.rereads.filter(({ table }) => !lost.has(table));
  await job.sink.write(markUpdate(job, { tables: changed, parked, rereads }));
  job.rereads = rereads;
  const names = listed([...lost.values()].map(({ target }) => tableName(target)));
  job.observer.event(
    'warning',
    `Tables of the target were made again, emptied or written anew since rows were copied into them, so they are copied from the first row: ${names}.`,
  );
  return { ...mark, tables, parked: new Map([...mark.parked].filter(([id]) => !lost.has(id))) };
}

const hasLost = (before: readonly string[], now: readonly string[]) => before.some((file) => !now.includes(file));

/** Where the target tells no files: rows came into the table, and it has none. */
async function isEmptied(job: RunningJob, { rows }: TableMark, target: Table): Promise<boolean> {
  return rows > 0 && target.key.length > 0 && (await job.sink.keys(target, null, 1)).length === 0;
}

/** Of a table that was written anew rows are still there. One that a person paused stays so. */
function fromFirstRow(known: TableMark): TableMark {
  return { ...afresh(known), state: known.state === 'paused' ? known.state : 'waiting' };
}
