import type pg from 'pg';
import type { Action, Missing, TableBatch } from '../../batch.ts';
import { isWhole, type Key, keyOf, keyText, type Row } from '../../change.ts';
import { told } from '../../sql/columns.ts';
import { quoteName, quoteNames } from '../../sql/names.ts';
import { cellParameter, givenKeys, givenRows, hasLargeCell } from './cells.ts';
import { deleteKeys, onConflict } from './load.ts';
import { runPrepared } from './prepared.ts';
import { emptyStatement, sameKey, type TargetTable } from './target-table.ts';
import { isUniqueViolation } from './unique-violation.ts';
import { runWithoutLimit } from './without-limit.ts';

/** Rows per statement: more would cost memory on both sides and save nothing. */
const rowsAtOnce = 2_000;

type Update = Extract<Action, { kind: 'update' }>;
type Upsert = Extract<Action, { kind: 'upsert' }>;
type Move = Extract<Action, { kind: 'move' }>;

/** Actions done by one statement: of one kind, on different keys, with the same columns. */
type Group =
  | { kind: 'delete'; keys: Key[] }
  | { kind: 'update' | 'upsert'; columns: number[]; rows: Row[] }
  | { kind: 'move'; move: Move };

/**
 * Applies a batch to its table within the caller's transaction.
 * @returns rows that the batch contains only in part and that the table lacks
 */
export async function applyBatch(session: pg.ClientBase, target: TargetTable, batch: TableBatch): Promise<Missing[]> {
  const { truncate, actions, inLogOrder } = batch;
  if (truncate) await runWithoutLimit(session, emptyStatement(target));
  if (actions.length === 0) return [];
  if (!target.hasFurtherUnique) return await applyGroups(session, target, groupsOf(target, batch));
  await session.query('SAVEPOINT compacted');
  try {
    const missing = await applyGroups(session, target, groupsOf(target, batch));
    await session.query('RELEASE SAVEPOINT compacted');
    return missing;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
  await session.query('ROLLBACK TO SAVEPOINT compacted');
  return await applyGroups(
    session,
    target,
    inLogOrder.flatMap((action) => grouped(target, [action])),
  );
}

/** Applies groups one after the other. @returns rows that they contain only in part and that the table lacks */
export async function applyGroups(
  session: pg.ClientBase,
  target: TargetTable,
  groups: readonly Group[],
): Promise<Missing[]> {
  const missing: Missing[] = [];
  for (const group of groups) missing.push(...(await applyGroup(session, target, group)));
  return missing;
}

/**
 * Deletes first, then updates, so that a unique value is free before another row takes it; in log order if order
 * matters.
 */
export function groupsOf(target: TargetTable, { table, actions, inLogOrder }: TableBatch): Group[] {
  // Keys with different texts may be equal, and a statement must not touch a row twice.
  if (!table.exactKey) return actions.flatMap((action) => grouped(target, [action]));
  if (actions === inLogOrder || actions.some(({ kind }) => kind === 'move')) return inRuns(target, actions);
  return (['delete', 'update', 'upsert'] as const).flatMap((kind) =>
    grouped(
      target,
      actions.filter((action) => action.kind === kind),
    ),
  );
}

/** Consecutive actions of the same kind on different keys are applied together. */
function inRuns(target: TargetTable, actions: readonly Action[]): Group[] {
  const runs: Action[][] = [];
  let keys = new Set<string>();
  for (const action of actions) {
    const key = keyText(action.kind === 'delete' ? action.key : keyOf(target.table, action.row));
    const run = runs.at(-1);
    if (run?.[0]?.kind === action.kind && !keys.has(key)) run.push(action);
    else {
      runs.push([action]);
      keys = new Set();
    }
    keys.add(key);
  }
  return runs.flatMap((run) => grouped(target, run));
}

/** @param actions of one kind, each on a different key */
function grouped({ table, canUpsert }: TargetTable, actions: readonly Action[]): Group[] {
  const deletes = actions.filter((action) => action.kind === 'delete').map(({ key }) => key);
  const moves = actions.filter((action) => action.kind === 'move');
  const updates = actions.filter((action) => action.kind === 'update');
  const upserts = actions.filter((action) => action.kind === 'upsert');
  return [
    ...parts(deletes).map((keys) => ({ kind: 'delete' as const, keys })),
    // A row with a column that UPDATE cannot set is deleted and inserted again.
    ...(canUpsert
      ? byColumns(table, updates)
      : updates.map(({ row }) => moved({ kind: 'move', from: keyOf(table, row), row }))),
    ...byColumns(table, upserts),
    ...moves.map(moved),
  ];
}

function moved(move: Move): Group {
  return { kind: 'move', move };
}

function byColumns(table: TargetTable['table'], actions: readonly (Update | Upsert)[]): Group[] {
  const groups = new Map<string, { kind: 'update' | 'upsert'; columns: number[]; rows: Row[] }>();
  for (const { kind, row } of actions) {
    const columns = told(table, row).map(({ index }) => index);
    const name = hasLargeCell(row) ? `row ${groups.size}` : columns.join();
    const group = groups.get(name) ?? { kind, columns, rows: [] };
    groups.set(name, group);
    group.rows.push(row);
  }
  return [...groups.values()].flatMap(({ kind, columns, rows }) =>
    parts(rows).map((some) => ({ kind, columns, rows: some })),
  );
}

function parts<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / rowsAtOnce) }, (_, part) =>
    all.slice(part * rowsAtOnce, (part + 1) * rowsAtOnce),
  );
}

async function applyGroup(session: pg.ClientBase, target: TargetTable, group: Group): Promise<Missing[]> {
  switch (group.kind) {
    case 'delete':
      await deleteKeys(session, target, group.keys);
      return [];
    case 'update':
      return await updateRows(session, target, group.columns, group.rows);
    case 'upsert':
      await upsertRows(session, target, group.columns, group.rows);
      return [];
    case 'move':
      return await moveRow(session, target, group.move);
  }
}

async function updateRows(
  session: pg.ClientBase,
  target: TargetTable,
  columns: readonly number[],
  rows: readonly Row[],
): Promise<Missing[]> {
  const { table, only, fixed } = target;
  const changed = columns.filter((column) => !fixed.has(column) && !(table.exactKey && table.key.includes(column)));
  // An update that contains only the key still shows that the row exists.
  const set = (changed.length > 0 ? changed : table.key.filter((column) => !fixed.has(column)).slice(0, 1))
    .map((column) => quoteName(table.columns[column]?.name ?? ''))
    .map((column) => `${column} = given.${column}`);
  const { sql, values, place } = givenRows(target, columns, rows);
  const condition = sameKey(target, 'own', 'given');
  const statement =
    set.length > 0
      ? `UPDATE ${only} AS own SET ${set.join(', ')} FROM ${sql} WHERE ${condition} RETURNING given.${place}`
      : `SELECT given.${place} FROM ${only} AS own, ${sql} WHERE ${condition}`;
  const found = await runPrepared(session, statement, values);
  if (found.rows.length === rows.length) return [];
  const places = new Set(found.rows.map(([number]) => Number(number) - 1));
  return rows.flatMap((row, index) => (places.has(index) ? [] : [{ table, key: keyOf(table, row) }]));
}

async function upsertRows(
  session: pg.ClientBase,
  target: TargetTable,
  columns: readonly number[],
  rows: readonly Row[],
): Promise<void> {
  const { table, name, canUpsert } = target;
  if (!canUpsert)
    await deleteKeys(
      session,
      target,
      rows.map((row) => keyOf(table, row)),
    );
  const names = quoteNames(columns.map((column) => table.columns[column]?.name ?? ''));
  const { sql, values } = givenRows(target, columns, rows);
  await runPrepared(
    session,
    `INSERT INTO ${name} AS own (${names}) OVERRIDING SYSTEM VALUE SELECT ${names} FROM ${sql}
      ${canUpsert ? onConflict(target, 'replace', columns) : ''}`,
    values,
  );
}

/** Moves a row to its new key; cells missing from the log come from the old row. A row under the new key is older. */
async function moveRow(session: pg.ClientBase, target: TargetTable, { from, row }: Move): Promise<Missing[]> {
  const { table, name, only, casts, canUpsert } = target;
  const key = keyOf(table, row);
  if (!canUpsert) await deleteKeys(session, target, await otherKeys(session, target, from, key));
  const columns = table.columns.flatMap(({ generated }, index) => (generated ? [] : [index]));
  const tells = new Set(told(table, row).map(({ index }) => index));
  const old = givenKeys(target, [from]);
  const values: unknown[] = [...old.values];
  const cells = columns.map((column) => {
    if (!tells.has(column)) return `o.${quoteName(table.columns[column]?.name ?? '')}`;
    values.push(cellParameter(row[column]));
    return `$${values.length}::text::${casts[column]}`;
  });
  const names = quoteNames(columns.map((column) => table.columns[column]?.name ?? ''));
  const { rowCount } = await session.query(
    `WITH o AS (DELETE FROM ${only} AS own USING ${old.sql} WHERE ${sameKey(target, 'own', 'given')} RETURNING own.*)
    INSERT INTO ${name} AS own (${names}) OVERRIDING SYSTEM VALUE SELECT ${cells.join(', ')} FROM o
      ${canUpsert ? onConflict(target, 'replace', columns) : ''}`,
    values,
  );
  if (rowCount) return [];
  if (!isWhole(table, row)) return [{ table, key }];
  await upsertRows(session, target, [...tells], [row]);
  return [];
}

/** The new key, if it differs from the old one and the row with the old one exists. */
async function otherKeys(session: pg.ClientBase, target: TargetTable, from: Key, to: Key): Promise<Key[]> {
  const old = givenKeys(target, [from]);
  const { rows } = await session.query(
    `SELECT FROM ${target.only} AS own, ${old.sql} WHERE ${sameKey(target, 'own', 'given')}`,
    old.values,
  );
  return rows.length > 0 && keyText(from) !== keyText(to) ? [to] : [];
}
