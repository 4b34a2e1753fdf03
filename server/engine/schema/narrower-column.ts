import { EngineError } from '../errors.ts';
import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import { targetColumn } from '../job.ts';
import { type Column, tableName } from '../table.ts';

/** Why the target takes no rows: it would round, cut, convert or replace values. @param isMeant columns to check */
export function narrowerColumn(
  { sink }: RunningJob,
  { selection, source, target, places, computed = [] }: Route,
  isMeant: (from: Column) => boolean = () => true,
): EngineError | undefined {
  const place = { side: 'target', table: tableName(target) } as const;
  const replaced = source.columns
    .filter(isMeant)
    .map(({ name }) => targetColumn(selection, name))
    .find((name) => computed.includes(name));
  if (replaced !== undefined)
    return new EngineError('TYPE_NARROWER', { ...place, column: replaced, subject: 'which the target computes' });
  const column = target.columns.find((to, place) => {
    const from = source.columns[places[place] ?? -1];
    return from && isMeant(from) && sink.altersValues?.(from, to, target.key.includes(place));
  });
  return column && new EngineError('TYPE_NARROWER', { ...place, column: column.name });
}
