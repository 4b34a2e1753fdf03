import type pg from 'pg';
import type { Met, Missing, Refused, TableBatch } from '../../batch.ts';
import { type EngineError, isOfRow } from '../../errors.ts';
import { applyInParts, loadInParts } from '../../flow/halve.ts';
import type { Load } from '../../sink.ts';
import { applyGroups, groupsOf } from './apply.ts';
import { rowError } from './errors.ts';
import { loadPart, prepareParts } from './load.ts';
import { emptyStatement, type TargetTable } from './target-table.ts';
import { runWithoutLimit } from './without-limit.ts';

/** Like `applyBatch`, but leaves out rows that the table refuses: slower, for batches with such rows. */
export async function applyParking(session: pg.ClientBase, target: TargetTable, batch: TableBatch): Promise<Met> {
  if (batch.truncate) await runWithoutLimit(session, emptyStatement(target));
  const parts = applyInParts(batch);
  let part = parts.next();
  while (!part.done) {
    const groups = groupsOf(target, part.value);
    part = parts.next(await tryPart(session, target, () => applyGroups(session, target, groups)));
  }
  return part.value;
}

/** Like `loadChunk`, but leaves out rows that the table refuses. */
export async function loadParking(session: pg.ClientBase, target: TargetTable, load: Load): Promise<Refused[]> {
  await prepareParts(session, target, load);
  const parts = loadInParts(load, load.rows);
  let part = parts.next();
  while (!part.done) {
    const rows = part.value;
    part = parts.next(await tryPart(session, target, () => loadPart(session, target, rows, load.conflict)));
  }
  return part.value;
}

/** @returns what is missing, or why a row was refused; then the whole part is rolled back */
async function tryPart(
  session: pg.ClientBase,
  { table }: TargetTable,
  work: () => Promise<Missing[]>,
): Promise<Missing[] | EngineError> {
  await session.query('SAVEPOINT part');
  try {
    const missing = await work();
    await session.query('RELEASE SAVEPOINT part');
    return missing;
  } catch (error) {
    const refused = rowError(error, table);
    if (!isOfRow(refused)) throw refused;
    await session.query('ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part');
    return refused;
  }
}
