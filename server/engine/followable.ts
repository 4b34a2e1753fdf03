import { EngineError } from './errors.ts';
import { type Table, tableName } from './table.ts';

/** @throws EngineError TABLE_UNLOGGED, TABLE_WITHOUT_KEY or IDENTITY_COMPUTED where a table can be copied alone */
export function assertFollowable(table: Table): void {
  const place = { side: 'source', table: tableName(table) } as const;
  if (table.unlogged) throw new EngineError('TABLE_UNLOGGED', place);
  if (table.key.length === 0) throw new EngineError('TABLE_WITHOUT_KEY', place);
  if (table.refusesWrites) throw new EngineError('IDENTITY_COMPUTED', place);
}
