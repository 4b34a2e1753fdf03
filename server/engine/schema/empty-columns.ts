import type { TableFacts } from '../facts.ts';
import type { RunningJob } from '../flow/running-job.ts';
import { mayCopyAgain } from '../handover/own-rows.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { targetColumn } from '../job.ts';
import type { Column } from '../table.ts';
import { decideSchema } from './decide.ts';
import { targetNow } from './target-now.ts';

/**
 * Whether all that a table gained is columns without a value in any existing row, on both sides: such a table needs no
 * copy. Only asked if the job copies no rows again on its own, since it may read the whole target.
 */
export async function addsEmptyColumns(
  job: RunningJob,
  table: TableProgress,
  now: TableFacts | undefined,
): Promise<boolean> {
  if (!now || table.isCopied || !table.route.target.exactKey || mayCopyAgain(job.spec, table.mark)) return false;
  const decision = decideSchema(table, now, job.spec.ddl);
  if (decision?.kind !== 'follow' || decision.added.length === 0) return false;
  if (!isSameFile(table, now) || !decision.added.every((column) => comesEmpty(column, now))) return false;
  const { selection } = table.route;
  const target = await targetNow(job, selection);
  if (!target) return false;
  const names = new Set(decision.added.map(({ name }) => targetColumn(selection, name)));
  const there = target.columns.map(({ name }) => name).filter((name) => names.has(name));
  return there.length === 0 || (await job.sink.hasValues?.(target, there)) === false;
}

/** Whether no rewrite gave a column values; for partitions, their root's catalogue entry does not show it. */
function isSameFile({ facts }: TableProgress, { table, parts }: TableFacts): boolean {
  const [part] = parts;
  return parts.length === 1 && part?.id === table.id && facts?.parts[0]?.file === part.file;
}

/** Whether rows older than a column have NULL in it: it has no default, and none has been recorded since. */
function comesEmpty({ name, nullable }: Column, { columns }: TableFacts): boolean {
  const column = columns.find((one) => one.name === name);
  return nullable && column?.expression === null && column.identity === '' && !column.isFast;
}
