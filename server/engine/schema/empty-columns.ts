import type { TableFacts } from '../facts.ts';
import type { RunningJob } from '../flow/running-job.ts';
import { mayCopyAgain } from '../handover/own-rows.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { targetColumn } from '../job.ts';
import { type Column, tableName } from '../table.ts';
import { decideSchema } from './decide.ts';

/**
 * Whether all that a table got is columns without a value in any row that is there, on both sides: such a table needs no
 * copy. Asked only where the job copies no rows again by itself, since it may read the whole target.
 */
export async function addsEmptyColumns(
  job: RunningJob,
  table: TableProgress,
  now: TableFacts | undefined,
): Promise<boolean> {
  if (!now || table.isCopied || mayCopyAgain(job.spec, table.mark)) return false;
  const decision = decideSchema(table, now, job.spec.ddl);
  if (decision?.kind !== 'follow' || decision.added.length === 0) return false;
  if (!decision.added.every((column) => comesEmpty(column, now))) return false;
  const { selection } = table.route;
  const have = await job.sink.catalog([selection.target.schema]);
  const target = have.find((one) => tableName(one) === tableName(selection.target));
  const names = new Set(decision.added.map(({ name }) => targetColumn(selection, name)));
  const there = (target?.columns ?? []).filter(({ name }) => names.has(name)).map(({ name }) => name);
  if (!target || there.length === 0) return target !== undefined;
  return (await job.sink.hasValues?.(target, there)) === false;
}

/**
 * Whether rows from before a column have NULL in it: it has no default, and had none that is in the catalogue since. One
 * that was written into the rows gave the table another file. Of partitions the catalogue of their root does not tell.
 */
function comesEmpty({ name, nullable }: Column, { table, columns, parts }: TableFacts): boolean {
  const column = columns.find((one) => one.name === name);
  const isWhole = parts.length === 1 && parts[0]?.id === table.id;
  return isWhole && nullable && column?.expression === null && column.identity === '' && !column.isFast;
}
