import { isDeepStrictEqual } from 'node:util';
import { EngineError } from '../errors.ts';
import type { RunningJob } from '../flow/running-job.ts';
import { blockTable } from '../handover/table-requests.ts';
import { type Table, tableName } from '../table.ts';
import { decideSchema } from './decide.ts';
import { factsNow } from './facts-now.ts';

/**
 * Columns that exchanged their names would get each other's values until the catalogue is compared. The log shows the
 * same names in another order, as it also does for a column that was dropped and recreated; the catalogue tells which.
 * @throws EngineError STOPPED_AT_CHANGE if the job stops at changes
 */
export async function lookForSwappedNames(job: RunningJob, now: Table): Promise<void> {
  const table = job.tables.get(now.id);
  if (!table || table.isSkipped || !isReordered(table.route.source, now)) return;
  const facts = await factsNow(job, table);
  const decision = facts && decideSchema(table, facts, job.spec.ddl);
  if (decision?.kind !== 'wait' && decision?.kind !== 'stop') return;
  const place = { side: 'source', table: tableName(table.route.source), subject: decision.why } as const;
  if (decision.kind === 'stop') throw new EngineError('STOPPED_AT_CHANGE', place);
  await blockTable(job, table, new EngineError('TABLE_CHANGED', place));
}

function isReordered(before: Table, now: Table): boolean {
  const computed = new Set(before.columns.flatMap(({ name, generated }) => (generated ? [name] : [])));
  const namesOf = ({ columns }: Table) => columns.flatMap(({ name }) => (computed.has(name) ? [] : [name]));
  const [old, own] = [namesOf(before), namesOf(now)];
  return !isDeepStrictEqual(old, own) && isDeepStrictEqual(old.toSorted(), own.toSorted());
}
