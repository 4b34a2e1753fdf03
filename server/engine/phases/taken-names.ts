import type { Route } from '../flow/route.ts';
import { resyncMark } from '../handover/table-progress.ts';
import type { Mark, TableMark } from '../mark.ts';
import { knownNames } from '../schema/known-names.ts';
import { tableName } from '../table.ts';

/**
 * Tables that were renamed, swapped or recreated while no process ran, and now have names that other tables had when
 * the job carried those. The target rows under such a name belong to the former table: an operator decides whether to
 * replace it.
 * @returns marks of the tables that wait, and of those that no name of the job refers to any more
 */
export function takenNames(
  { position, tables }: Pick<Mark, 'position' | 'tables'>,
  routes: readonly Route[],
): ReadonlyMap<string, TableMark> {
  const taken = new Map<string, TableMark>();
  if (position === null) return taken;
  const ids = new Map([...knownNames(tables)].map(([id, name]) => [name, id]));
  for (const { source } of routes) {
    const earlier = ids.get(tableName(source)) ?? source.id;
    if (earlier === source.id && tables.get(source.id)?.state !== 'removed') continue;
    const known = tables.get(earlier);
    if (known && !taken.has(earlier)) taken.set(earlier, { ...known, state: 'removed' });
    taken.set(source.id, { ...resyncMark(), state: 'blocked', code: 'TABLE_CHANGED', skippedFrom: position });
  }
  return taken;
}
