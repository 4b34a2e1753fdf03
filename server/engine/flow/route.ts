import type { Action } from '../batch.ts';
import { isWhole, type Key, keyOf, type Row, type RowChange, UNCHANGED } from '../change.ts';
import { EngineError } from '../errors.ts';
import { carriesColumn, type TableSelection, targetColumn } from '../job.ts';
import type { PrintedRows } from '../printed.ts';
import { type Column, everyText, type Table, tableName, valuesAlone } from '../table.ts';

/** How rows of one source table become rows of its target table. */
export interface Route {
  selection: TableSelection;
  source: Table;
  /** The target table with only the carried columns, in this order. */
  target: Table;
  /** For each column of `target`, its place in a source row. */
  places: readonly number[];
  /** Columns that the source delivers and the target computes itself, by their target names. */
  computed?: readonly string[];
  /** For a version: names of carried columns that its rows lack. */
  untold?: readonly string[];
  /** For a version: names of columns that the job would carry if its route had them. */
  more?: readonly string[];
  /** For a version: its rows were identified by other columns, so a key change may be missing from the log. */
  hidesKeys?: boolean;
  /** For a version: its rows were not identified by exactly the key, so several may have had the same key. */
  hasOtherIdentity?: boolean;
}

/**
 * Finds the target of a table.
 * @param target the target table as its catalogue has it
 * @param ignoresMissing whether columns that the target lacks are left out
 * @throws EngineError COLUMN_MISSING, NAME_TAKEN, KEY_COMPARED_OTHERWISE, TYPE_NOT_SUPPORTED for a column that only the
 * source computes, or TABLE_WITHOUT_KEY if the key is not among the carried columns
 */
export function makeRoute(source: Table, selection: TableSelection, target: Table, ignoresMissing = false): Route {
  const computed: string[] = [];
  const carried = source.columns.flatMap((column, place) => {
    if (!carriesColumn(selection, column.name)) return [];
    const name = targetColumn(selection, column.name);
    const there = target.columns.find((candidate) => candidate.name === name);
    if (there?.generated && !column.generated) computed.push(name);
    // The target cannot have a column that it does not compute itself: the log omits what the source computes.
    if (there?.generated || (!there && (ignoresMissing || column.generated))) return [];
    if (!there) throw new EngineError('COLUMN_MISSING', { side: 'target', table: tableName(target), column: name });
    if (column.generated)
      throw new EngineError('TYPE_NOT_SUPPORTED', { side: 'source', table: tableName(source), column: column.name });
    return [{ place, column: there }];
  });
  const names = carried.map(({ column }) => column.name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined)
    throw new EngineError('NAME_TAKEN', { side: 'target', table: tableName(target), column: twice });
  const key = source.key.map((place) => carried.findIndex((column) => column.place === place));
  if (key.includes(-1)) throw new EngineError('TABLE_WITHOUT_KEY', { side: 'target', table: tableName(target) });
  const other = source.key.findIndex(
    (place, part) => !isComparedAlike(source.columns[place], carried[key[part] ?? -1]?.column),
  );
  if (other !== -1)
    throw new EngineError('KEY_COMPARED_OTHERWISE', {
      side: 'target',
      table: tableName(target),
      column: names[key[other] ?? -1] ?? '',
    });
  return {
    selection,
    source,
    target: {
      ...target,
      columns: carried.map(({ column }) => column),
      key,
      exactKey: source.exactKey,
      ordered: source.ordered && target.ordered,
    },
    places: carried.map(({ place }) => place),
    ...(computed.length > 0 && { computed }),
  };
}

/** The source names of the carried columns. */
export function carriedNames({ source, places }: Route): ReadonlySet<string> {
  return new Set(places.flatMap((place) => source.columns[place]?.name ?? []));
}

/** Whether the target has newly carried columns whose earlier values it lacks. */
export function carriesMore(before: ReadonlySet<string>, route: Route): boolean {
  return [...carriedNames(route)].some((name) => !before.has(name));
}

/** Whether the target distinguishes what the source does; true if unknown, as in a table's stored shape. */
function isComparedAlike(source: Column | undefined, target: Column | undefined): boolean {
  if (!source?.equality || !target?.equality) return true;
  return source.equality === valuesAlone || target.equality === everyText || source.equality === target.equality;
}

/** The route of rows logged in another version of the table: columns it does not have are UNCHANGED. */
export function routeVersion(route: Route, version: Table): Route {
  const names = route.places.map((place) => route.source.columns[place]?.name);
  const places = names.map((name) => version.columns.findIndex((column) => column.name === name));
  // The key order is ours; a version that identifies rows by other columns has our key columns as UNCHANGED.
  const key = route.source.key.map((place) =>
    version.columns.findIndex(({ name }) => name === route.source.columns[place]?.name),
  );
  const identity = new Set(version.key.map((place) => version.columns[place]?.name));
  const hidesKeys = route.source.key.some((place) => !identity.has(route.source.columns[place]?.name));
  return {
    ...route,
    source: { ...version, key },
    places,
    untold: untoldColumns(route, version),
    more: moreColumns(route, version),
    hidesKeys,
    hasOtherIdentity: hidesKeys || identity.size !== route.source.key.length,
  };
}

function moreColumns({ source, selection }: Route, { columns }: Table): string[] {
  const known = new Set(source.columns.map(({ name }) => name));
  return columns
    .filter(({ name, generated }) => !generated && !known.has(name) && carriesColumn(selection, name))
    .map(({ name }) => name);
}

/** A rename keeps the column order: if the order differs, cells come under other columns' names. */
function untoldColumns({ source, places }: Route, version: Table): string[] {
  const carried = source.columns.filter((_, place) => places.includes(place)).map(({ name }) => name);
  const there = carried.map((name) => version.columns.findIndex((column) => column.name === name));
  const told = there.filter((place) => place !== -1);
  const isSwapped = told.some((place, at) => place < (told[at - 1] ?? place));
  return carried.filter((_, at) => isSwapped || there[at] === -1);
}

/** A source row as the target has it. */
export function routeRow({ places }: Route, row: Row): Row {
  if (places.length === row.length && places.every((place, column) => place === column)) return row;
  return places.map((place) => {
    const cell = place === -1 ? UNCHANGED : row[place];
    return cell === undefined ? null : cell;
  });
}

/** Printed source rows as the target has them; undefined if the print has a column that is not carried. */
export function routePrinted({ places }: Route, printed: PrintedRows): PrintedRows | undefined {
  const columns = printed.columns.map((column) => places.indexOf(column));
  return columns.includes(-1) ? undefined : { ...printed, columns };
}

/** A new row has every column; columns that its version did not have are NULL. */
const asInserted = (row: Row): Row =>
  row.includes(UNCHANGED) ? row.map((cell) => (cell === UNCHANGED ? null : cell)) : row;

/** @throws EngineError TABLE_CHANGED if the row's key may have changed without the log saying so */
export function assertKeyTold({ hidesKeys, source }: Route, { op, before }: RowChange): void {
  if (op !== 'update' || before || !hidesKeys) return;
  const subject = 'the log identifies its rows by a different key';
  throw new EngineError('TABLE_CHANGED', { side: 'source', table: tableName(source), subject });
}

/** Whether other rows may have had the key of a changed row. */
export function mayShareKey({ hasOtherIdentity }: Route, { op, isToldWhole }: RowChange): boolean {
  return op !== 'insert' && (hasOtherIdentity === true || isToldWhole === true);
}

/** What a change does to the target. */
export function routeChange(route: Route, change: RowChange): Action[] {
  const { target } = route;
  if (change.op === 'delete') return change.before ? [{ kind: 'delete', key: keyOf(route.source, change.before) }] : [];
  if (!change.after) return [];
  if (change.op === 'insert') return [{ kind: 'upsert', row: asInserted(routeRow(route, change.after)) }];
  const row = routeRow(route, change.after);
  const whole = isWhole(target, row);
  if (!change.before) return [{ kind: whole ? 'upsert' : 'update', row }];
  const from = keyOf(route.source, change.before);
  if (whole)
    return [
      { kind: 'delete', key: from },
      { kind: 'upsert', row },
    ];
  return [{ kind: 'move', from, row }];
}

/** The key that an action leaves a row under; for a delete, the deleted key. */
export function keyOfAction(target: Table, action: Action): Key {
  return action.kind === 'delete' ? action.key : keyOf(target, action.row);
}

/** `older` with the cells that `newer` has. */
export function mergeRows(older: Row, newer: Row): Row {
  return older.map((cell, column) => {
    const told = newer[column];
    return told === UNCHANGED || told === undefined ? cell : told;
  });
}
