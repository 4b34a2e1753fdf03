import type { Met, Missing, Refused, TableBatch } from '../../batch.ts';
import { EngineError, isOfRow } from '../../errors.ts';
import { applyInParts, loadInParts } from '../../flow/halve.ts';
import type { Load } from '../../sink.ts';
import { type Table, tableName } from '../../table.ts';
import { applyBatch } from './apply.ts';
import type { Session } from './connect.ts';
import { engineError } from './errors.ts';
import { deleteFirst, writeRows } from './load.ts';
import { empty } from './statements.ts';

/** Like `applyBatch`, but leaves out rows that the table refuses if the batch says so. */
export function applyParking(session: Session, batch: TableBatch): Met {
  if (!batch.parks) return { missing: applyBatch(session, batch), refused: [] };
  if (batch.truncate) empty(session, batch.table);
  const parts = applyInParts({ ...batch, truncate: false });
  let part = parts.next();
  while (!part.done) {
    const some = part.value;
    part = parts.next(tryPart(session, batch.table, () => applyBatch(session, some)));
  }
  return part.value;
}

/** Writes a chunk; leaves out rows that the table refuses if the chunk says so. */
export function loadParking(session: Session, load: Load): Refused[] {
  deleteFirst(session, load);
  if (!load.parks) {
    writeRows(session, load, load.rows);
    return [];
  }
  const parts = loadInParts(load, load.rows);
  let part = parts.next();
  while (!part.done) {
    const rows = part.value;
    part = parts.next(tryPart(session, load.table, () => writeRows(session, load, rows)));
  }
  return part.value;
}

/** @returns what is missing, or why a row was refused; then the whole part is rolled back */
function tryPart(session: Session, table: Table, work: () => Missing[]): Missing[] | EngineError {
  session.run('SAVEPOINT part');
  try {
    const missing = work();
    session.run('RELEASE part');
    return missing;
  } catch (error) {
    const refused = engineError(error, { side: 'target', table: tableName(table) });
    if (!(refused instanceof EngineError) || !isOfRow(refused)) throw error;
    session.run('ROLLBACK TO part');
    session.run('RELEASE part');
    return refused;
  }
}
