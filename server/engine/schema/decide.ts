import type { Facts, TableFacts } from '../facts.ts';
import type { Route } from '../flow/route.ts';
import { carriesColumn, type JobSpec } from '../job.ts';
import { type Column, type Table, tableName } from '../table.ts';

/** What happens to a table whose structure changed at the source. */
export type SchemaDecision =
  /** The job carries what it carried, as far as it exists. `isRemade`: another column has a carried one's name. */
  | { kind: 'go-on'; isRemade: boolean }
  /** Columns are added or widened at the target, and the table is copied again: the log lacks the new values. */
  | { kind: 'follow'; added: readonly Column[]; widened: readonly Column[] }
  /** An operator decides; `why` names what changed. */
  | { kind: 'wait'; why: string }
  | { kind: 'stop'; why: string };

/** A table as a job carries it, and what was known of its catalogue. */
export interface Carried {
  route: Route;
  facts: Facts | null;
}

/**
 * Decides by the job's policy. If columns have no numbers, a rename looks like a dropped and an added column, so that
 * pair waits.
 * @returns undefined if nothing changed that the job carries or could carry
 */
export function decideSchema(
  carried: Carried,
  now: Pick<TableFacts, 'table' | 'columns'>,
  policy: JobSpec['ddl'],
): SchemaDecision | undefined {
  const { route, facts } = carried;
  const numbers = numbersOf(facts, now);
  const { added, retyped } = comeColumns(route, now.table, numbers?.remade);
  const dropped = droppedColumns(route, now.table);
  const renamed = policy === 'ignore' ? [] : (numbers?.renamed ?? []);
  const blocking = blockingChange(carried, now, renamed);
  if (added.length + dropped.length + retyped.length === 0 && blocking === undefined) return undefined;
  const why =
    blocking ?? (retyped[0] ? `column ${retyped[0].name} is now ${retyped[0].type}` : 'its columns are different');
  if (policy === 'stop') return { kind: 'stop', why };
  if (blocking !== undefined || route.target.key.length === 0) return { kind: 'wait', why };
  const isRemade = added.some(({ name }) => numbers?.remade.has(name));
  if (policy === 'ignore') return retyped.length > 0 ? { kind: 'wait', why } : { kind: 'go-on', isRemade };
  if (added.length + retyped.length === 0) return { kind: 'go-on', isRemade };
  if (added.length > 0 && dropped.length > 0 && !numbers)
    return { kind: 'wait', why: `column ${dropped[0]} is gone and ${added[0]?.name} is new` };
  return { kind: 'follow', added, widened: retyped };
}

/** Columns to be carried that are new, or have another type. @param remade names that other columns have now */
function comeColumns({ source, selection }: Route, now: Table, remade: ReadonlySet<string> = new Set()) {
  const before = new Map(source.columns.map((column) => [column.name, column]));
  const wanted = now.columns.filter(({ name }) => carriesColumn(selection, name));
  return {
    added: wanted.filter(({ name, generated }) => !generated && (!before.has(name) || remade.has(name))),
    retyped: wanted.filter(({ name, type }) => (before.get(name)?.type ?? type) !== type),
  };
}

/** A change that no statement of ours could bring to the target. */
function blockingChange(
  carried: Carried,
  now: Pick<TableFacts, 'table' | 'columns'>,
  renamed: readonly { from: string; why: string }[],
): string | undefined {
  const { source, selection } = carried.route;
  const own = renamed.find(({ from }) => carriesColumn(selection, from));
  if (own) return own.why;
  const computed = computedOtherwise(carried, now.table, now);
  if (computed) return computed;
  if (!sameKey(source, now.table)) return 'its rows have a different key';
  if (!sameOrder(source, now.table)) return 'its key has a different collation';
  return tableName(source) === tableName(now.table) ? undefined : namedOtherwise(now.table);
}

/** Says which name a table has now. */
export const namedOtherwise = (now: Table) => `it is now named ${tableName(now)}`;

/** Names of carried columns that the source no longer has. */
export function droppedColumns({ source, selection }: Route, now: Table): string[] {
  const current = new Set(now.columns.map(({ name }) => name));
  return source.columns.map(({ name }) => name).filter((name) => !current.has(name) && carriesColumn(selection, name));
}

/** Columns that were renamed, and those that were dropped and recreated under their name. */
function numbersOf(before: Facts | null, now: Pick<Facts, 'columns'>) {
  if (!before || before.columns.length === 0 || now.columns.length === 0) return undefined;
  const names = new Map(now.columns.map(({ number, name }) => [number, name]));
  const numbers = new Map(now.columns.map(({ number, name }) => [name, number]));
  const renamed = before.columns.flatMap(({ number, name }) => {
    const to = names.get(number);
    return to === undefined || to === name ? [] : [{ from: name, why: `column ${name} is now named ${to}` }];
  });
  const remade = new Set(
    before.columns.flatMap(({ number, name }) => ((numbers.get(name) ?? number) === number ? [] : [name])),
  );
  return { renamed, remade };
}

/** The target computes its generated columns on its own, as the source did when they were created. */
function computedOtherwise({ route, facts }: Carried, now: Table, { columns }: Pick<Facts, 'columns'>) {
  const isComputed = new Map(now.columns.map(({ name, generated }) => [name, generated]));
  const other = route.source.columns.find(({ name, generated }) => (isComputed.get(name) ?? generated) !== generated);
  if (other) return `column ${other.name} is ${other.generated ? 'no longer' : 'now'} generated`;
  const expressions = new Map(columns.map(({ name, expression }) => [name, expression]));
  const changed = facts?.columns.find(({ name, expression }) => {
    return isComputed.get(name) && expressions.has(name) && expressions.get(name) !== expression;
  });
  return changed && `column ${changed.name} is computed differently`;
}

/** Chunk bounds depend on the key's order; a table stored by an earlier version does not have the collation. */
function sameOrder(one: Table, other: Table): boolean {
  return one.key.every((place, part) => {
    const [before, now] = [one.columns[place]?.collation, other.columns[other.key[part] ?? -1]?.collation];
    return before === undefined || now === undefined || before === now;
  });
}

function sameKey(one: Table, other: Table): boolean {
  const names = ({ key, columns }: Table) => key.map((place) => columns[place]?.name).join('\0');
  return names(one) === names(other);
}
