import { EngineError } from '../../errors.ts';
import { type Table, tableName } from '../../table.ts';
import type { Session } from './connect.ts';

/** Names of a table's triggers that would act on replicated rows; those that fill our own logs do no harm. */
export function foreignTriggers(session: Session, { name }: Table): string[] {
  return session
    .rows("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) = lower(?)", name)
    .map(([trigger]) => String(trigger))
    .filter((trigger) => !trigger.startsWith('millrace_'));
}

/** @throws EngineError TRIGGER_IN_THE_WAY: no SQLite setting disables triggers */
export function assertNoTriggers(session: Session, table: Table): void {
  const [trigger] = foreignTriggers(session, table);
  if (trigger !== undefined)
    throw new EngineError('TRIGGER_IN_THE_WAY', { side: 'target', table: tableName(table), subject: trigger });
}
