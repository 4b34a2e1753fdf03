import { EngineError, isOfTable } from '../errors.ts';
import { firstPauseMs, longerPause } from '../flow/lock-patience.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { TableProgress } from '../handover/table-progress.ts';
import { tableName } from '../table.ts';

/** By table: when its next change is tried, and after how long a pause. */
export type Pauses = Map<TableProgress, { until: number; ms: number }>;

/** An error that passes on its own blocks nothing and is reported once: later checks find the change again. */
export function pause({ observer, clock }: RunningJob, table: TableProgress, error: EngineError, pauses: Pauses): void {
  const before = pauses.get(table);
  if (!before) observer.event('warning', `${error.message} ${error.hint}`, table);
  const ms = before ? longerPause(before.ms) : firstPauseMs;
  pauses.set(table, { until: clock.elapsed() + ms, ms });
}

/** A privilege or a setting that one table lacks is no reason for the others to stop. */
export function ofTable({ route }: TableProgress, error: unknown): EngineError | undefined {
  if (isOfTable(error)) return error;
  if (!(error instanceof EngineError) || !['PRIVILEGE_MISSING', 'SETTING_MISSING'].includes(error.code))
    return undefined;
  const { side, subject = 'the user is not allowed to alter it' } = error.place;
  const table = tableName(side === 'target' ? route.target : route.source);
  return new EngineError('TABLE_CHANGED', { ...(side && { side }), table, subject });
}
