import type { Route } from '../flow/route.ts';
import type { JobSpec } from '../job.ts';
import type { Table } from '../table.ts';

/** What becomes of a table whose columns changed at the source. */
export type SchemaDecision =
  /** The job carries what it carried, as far as it is still there. */
  | 'go-on'
  /** Columns are added at the target, and the table is copied again: rows that exist may have their default. */
  | 'add'
  /** A person decides. */
  | 'wait'
  | 'stop';

/**
 * Decides by the job's policy. A rename looks like a column less and one more, so that pair waits.
 * @returns undefined where nothing changed that the job carries or could carry
 */
export function decideSchema(
  { source, selection, target }: Route,
  now: Table,
  policy: JobSpec['ddl'],
): SchemaDecision | undefined {
  const before = new Map(source.columns.map((column) => [column.name, column]));
  const names = new Set(now.columns.map(({ name }) => name));
  const carries = (name: string) => !selection.columns || selection.columns.includes(name);
  const added = now.columns.some(({ name, generated }) => !before.has(name) && !generated && carries(name));
  const dropped = source.columns.some(({ name }) => !names.has(name) && carries(name));
  const retyped = now.columns.some(({ name, type }) => carries(name) && (before.get(name)?.type ?? type) !== type);
  const keyed = sameKey(source, now);
  const renamed = source.name !== now.name || source.schema !== now.schema;
  if (!added && !dropped && !retyped && keyed && !renamed) return undefined;
  if (policy === 'stop') return 'stop';
  if (retyped || !keyed || renamed || target.key.length === 0) return 'wait';
  if (policy === 'ignore' || !added) return 'go-on';
  return dropped ? 'wait' : 'add';
}

function sameKey(one: Table, other: Table): boolean {
  const names = ({ key, columns }: Table) => key.map((place) => columns[place]?.name).join('\0');
  return names(one) === names(other);
}
