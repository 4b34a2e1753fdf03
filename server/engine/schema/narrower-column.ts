import type { Route } from '../flow/route.ts';
import type { RunningJob } from '../flow/running-job.ts';
import type { Column } from '../table.ts';

/** The first column of the target that would round or cut values, of those that `isMeant` names by the source's column. */
export function narrowerColumn(
  { sink }: RunningJob,
  { source, target, places }: Route,
  isMeant: (from: Column) => boolean = () => true,
): Column | undefined {
  return target.columns.find((to, place) => {
    const from = source.columns[places[place] ?? -1];
    return from && isMeant(from) && sink.roundsOrCuts?.(from, to);
  });
}
