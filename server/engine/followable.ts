import { EngineError, type EngineErrorCode } from './errors.ts';
import { type Table, tableName } from './table.ts';

/** Why a table can be copied but not followed. */
function whyNot({ unlogged, key, refusesWrites }: Table): EngineErrorCode | undefined {
  if (unlogged) return 'TABLE_UNLOGGED';
  if (key.length === 0) return 'TABLE_WITHOUT_KEY';
  return refusesWrites ? 'IDENTITY_COMPUTED' : undefined;
}

/** Whether a table can be followed. */
export const isFollowable = (table: Table): boolean => whyNot(table) === undefined;

/** @throws EngineError TABLE_UNLOGGED, TABLE_WITHOUT_KEY or IDENTITY_COMPUTED if a table can only be copied */
export function assertFollowable(table: Table): void {
  const code = whyNot(table);
  if (code) throw new EngineError(code, { side: 'source', table: tableName(table) });
}
