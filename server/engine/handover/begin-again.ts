import { markUpdate, type RunningJob } from '../flow/running-job.ts';
import type { Mark, ParkedUpdate, TableMark } from '../mark.ts';
import type { Table } from '../table.ts';
import { tellKept } from './kept-rows.ts';
import { afresh } from './table-progress.ts';

/** A table of a full copy that is copied from its first row again. */
export interface BegunAgain {
  /** The source table's id. */
  id: string;
  target: Pick<Table, 'schema' | 'name'>;
  mark: TableMark;
}

/** The mark that a table restarts with; a table that an operator paused stays paused. */
export function fromFirstRow(known: TableMark): TableMark {
  return { ...afresh(known), state: known.state === 'paused' ? known.state : 'waiting' };
}

/** Forgets the rows of tables that restart. @returns what is known then */
export async function beginAgain(job: RunningJob, mark: Mark, again: readonly BegunAgain[]): Promise<Mark> {
  if (again.length === 0) return mark;
  for (const { id, target } of again) tellKept(job, mark.tables.get(id), target);
  const tables = new Map(again.map((table) => [table.id, table.mark]));
  // A copy that restarts from the first row parks rows anew.
  const parked = [...tables.keys()].map((table): ParkedUpdate => ({ table, unpark: 'all', park: [] }));
  const rereads = job.rereads.filter(({ table }) => !tables.has(table));
  await job.sink.write(markUpdate(job, { tables, parked, rereads }));
  job.rereads = rereads;
  return {
    ...mark,
    tables: new Map([...mark.tables, ...tables]),
    parked: new Map([...mark.parked].filter(([id]) => !tables.has(id))),
  };
}
