import { EngineError } from '../errors.ts';
import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import { type Column, tableName } from '../table.ts';

/** Why the target takes no rows where it would round, cut or convert values of a column. @param isMeant which columns of the source are looked at */
export function narrowerColumn(
  { sink }: RunningJob,
  { source, target, places }: Route,
  isMeant: (from: Column) => boolean = () => true,
): EngineError | undefined {
  const column = target.columns.find((to, place) => {
    const from = source.columns[places[place] ?? -1];
    return from && isMeant(from) && sink.altersValues?.(from, to);
  });
  return column && new EngineError('TYPE_NARROWER', { side: 'target', table: tableName(target), column: column.name });
}
