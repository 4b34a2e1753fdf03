import type { RunningJob } from '../flow/running-job.ts';
import type { TableMark } from '../mark.ts';
import { type Table, tableName } from '../table.ts';
import { afresh, hasRows } from './table-progress.ts';

/** Reports that rows of an earlier full copy stay in the target table: they cannot be told from its own. */
export function tellKept(
  { observer }: RunningJob,
  mark: TableMark | undefined,
  target: Pick<Table, 'schema' | 'name'>,
): void {
  if (!mark || !hasRows(mark) || afresh(mark).resync) return;
  observer.event(
    'warning',
    `${tableName(target)} had rows of its own at the target, so nothing is deleted there when it is copied again from the first row: rows that the source changed or deleted after they were copied may remain as they were.`,
  );
}
