import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Key, keyOf, type Row } from '../../change.ts';
import { markedKey } from '../../mark.ts';
import type { PrintedRows } from '../../printed.ts';
import { type Load, type PrintedLoad, replacedPart } from '../../sink.ts';
import { keyColumns, writable } from '../../sql/columns.ts';
import { quoteName, quoteNames } from '../../sql/names.ts';
import { cellText, givenKeys } from './cells.ts';
import { copyText } from './copy-text.ts';
import { runPrepared } from './prepared.ts';
import { emptyStatement, sameKey, type TargetTable } from './target-table.ts';
import { isUniqueViolation } from './unique-violation.ts';
import { runWithoutLimit } from './without-limit.ts';

/** What is copied: printed rows, parsed rows, or both. */
type Rows = Pick<Load, 'rows'> & Partial<Pick<PrintedLoad, 'printed'>>;

/** Holds a chunk's rows if the target may already have some of them. */
const staging = 'pg_temp.millrace_chunk';

/**
 * Writes a chunk within the caller's transaction: directly into the table, or through a temporary table if rows already
 * exist.
 * @param mayExist whether to start with the temporary table
 * @returns whether rows existed
 */
export async function loadChunk(
  session: pg.ClientBase,
  target: TargetTable,
  load: Load & Rows,
  mayExist: boolean,
): Promise<boolean> {
  if (load.absent.length > 0) await deleteKeys(session, target, load.absent);
  const replace = replacedPart(load);
  const isDirect = !replace && !mayExist && !target.canDouble;
  const isEmpty = load.rows.length === 0 && !printedOf(load);
  if (!isEmpty && isDirect && (await copyDirectly(session, target, load))) return false;
  if (isEmpty && !replace) return mayExist;
  await stage(session, target, load);
  if (replace) await deleteSurplus(session, target, replace);
  await mergeStaged(session, target, load.conflict);
  return true;
}

/** Does a chunk's deletes, before its rows are written in parts. */
export async function prepareParts(session: pg.ClientBase, target: TargetTable, load: Load): Promise<void> {
  if (load.absent.length > 0) await deleteKeys(session, target, load.absent);
  const replace = replacedPart(load);
  if (!replace) return;
  const keys = load.rows.map((row) => keyOf(target.table, row));
  await stage(session, target, { rows: [] });
  await deleteSurplus(session, target, { ...replace, keep: [...replace.keep, ...keys] });
  await session.query(`DROP TABLE ${staging}`);
}

/** Writes some of a chunk's rows; whole rows never find anything missing. */
export async function loadPart(
  session: pg.ClientBase,
  target: TargetTable,
  rows: readonly Row[],
  conflict: Load['conflict'],
): Promise<[]> {
  await stage(session, target, { rows });
  await mergeStaged(session, target, conflict);
  await session.query(`DROP TABLE ${staging}`);
  return [];
}

/** Empties a table without a key and fills it. @returns the number of rows */
export async function fillTable(
  session: pg.ClientBase,
  target: TargetTable,
  rows: AsyncIterable<readonly Row[]>,
): Promise<number> {
  await session.query(emptyStatement(target));
  const columns = writtenColumns(target);
  let count = 0;
  async function* pieces() {
    for await (const some of rows) {
      count += some.length;
      yield* copyText(some, columns);
    }
  }
  await pipeline(Readable.from(pieces()), session.query(copyFrom(copyStatement(target, target.name, columns))));
  return count;
}

/** Deletes the rows with these keys. */
export async function deleteKeys(session: pg.ClientBase, target: TargetTable, keys: readonly Key[]): Promise<void> {
  const { sql, values } = givenKeys(target, keys);
  await runPrepared(
    session,
    `DELETE FROM ${target.only} AS own USING ${sql} WHERE ${sameKey(target, 'own', 'given')}`,
    values,
  );
}

/** Keys of the rows after a key, in the order of the target's index. */
export async function readKeys(
  session: pg.ClientBase,
  target: TargetTable,
  after: Key | null,
  limit: number,
): Promise<Key[]> {
  const names = keyColumns(target.table).map(({ name }) => quoteName(name));
  const order = names.map((name, place) => `own.${name} USING ${target.operators[place]?.less}`);
  // A unique index allows NULL, which is not a key.
  const conditions = names.map((name) => `own.${name} IS NOT NULL`);
  if (after) conditions.push(compared(target, 1, 'greater'));
  const { rows } = await session.query<string[]>({
    text: `
      SELECT ${names.map((name) => `own.${name}`).join(', ')} FROM ${target.only} AS own
      WHERE ${conditions.join(' AND ')} ORDER BY ${order.join(', ')} LIMIT ${limit}`,
    values: (after ?? []).map(cellText),
    rowMode: 'array',
  });
  return rows;
}

/** @returns false if a row already existed; nothing is written then */
async function copyDirectly(session: pg.ClientBase, target: TargetTable, load: Rows): Promise<boolean> {
  await session.query('SAVEPOINT direct');
  try {
    await copyRows(session, target, target.name, load);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await session.query('ROLLBACK TO SAVEPOINT direct');
    return false;
  }
  await session.query('RELEASE SAVEPOINT direct');
  return true;
}

async function copyRows(session: pg.ClientBase, target: TargetTable, into: string, load: Rows): Promise<void> {
  const printed = printedOf(load);
  const columns = printed?.columns ?? writtenColumns(target);
  function* pieces() {
    if (printed) yield* printed.pieces;
    yield* copyText(load.rows, columns);
  }
  const statement = copyStatement(target, into, columns, printed?.isBinary);
  await pipeline(Readable.from(pieces()), session.query(copyFrom(statement)));
}

/** The printed rows of a load, if any. */
function printedOf({ printed }: Rows): PrintedRows | undefined {
  return printed && printed.length > 0 ? printed : undefined;
}

function writtenColumns({ table }: TargetTable): number[] {
  return writable(table).map(({ index }) => index);
}

function copyStatement({ table }: TargetTable, into: string, columns: readonly number[], isBinary = false): string {
  const names = quoteNames(columns.map((column) => table.columns[column]?.name ?? ''));
  // A list cannot be empty, but a table can have no columns.
  return `COPY ${into} ${names && `(${names})`} FROM STDIN${isBinary ? ' (FORMAT binary)' : ''}`;
}

async function stage(session: pg.ClientBase, target: TargetTable, load: Rows): Promise<void> {
  const names = quoteNames(writable(target.table).map(({ column }) => column.name));
  await session.query(
    `CREATE TEMPORARY TABLE ${staging} ON COMMIT DROP AS SELECT ${names} FROM ${target.name} WITH NO DATA`,
  );
  if (load.rows.length > 0 || printedOf(load)) await copyRows(session, target, staging, load);
}

async function mergeStaged(session: pg.ClientBase, target: TargetTable, conflict: Load['conflict']): Promise<void> {
  const { name, only, canUpsert } = target;
  const columns = quoteNames(writable(target.table).map(({ column }) => column.name));
  const insert = `INSERT INTO ${name} AS own (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${staging} AS given`;
  if (canUpsert) {
    await session.query(
      `${insert} ${onConflict(
        target,
        conflict,
        writable(target.table).map(({ index }) => index),
      )}`,
    );
    return;
  }
  if (conflict === 'replace') {
    await session.query(
      `DELETE FROM ${only} AS own USING ${staging} AS given WHERE ${sameKey(target, 'own', 'given')}`,
    );
    await session.query(insert);
    return;
  }
  await session.query(
    `${insert} WHERE NOT EXISTS (SELECT FROM ${only} AS own WHERE ${sameKey(target, 'own', 'given')})`,
  );
}

/**
 * What happens to a row that already exists. The statement gives its table an alias, since the table may be named
 * `excluded`.
 * @param columns those that the statement contains
 */
export function onConflict(
  { table, fixed }: TargetTable,
  conflict: Load['conflict'],
  columns: readonly number[],
): string {
  const key = `ON CONFLICT (${quoteNames(keyColumns(table).map(({ name }) => name))})`;
  // Equal keys may have different texts; then the key is written too.
  const changed = columns.filter((column) => !fixed.has(column) && !(table.exactKey && table.key.includes(column)));
  if (conflict === 'ignore' || changed.length === 0) return `${key} DO NOTHING`;
  const set = changed
    .map((column) => quoteName(table.columns[column]?.name ?? ''))
    .map((column) => `${column} = excluded.${column}`);
  return `${key} DO UPDATE SET ${set.join(', ')}`;
}

/** Deletes rows in a resynced part that the chunk lacks. */
async function deleteSurplus(
  session: pg.ClientBase,
  target: TargetTable,
  { range, upTo, keep }: NonNullable<Load['replace']>,
): Promise<void> {
  const lower = range.after ?? range.from;
  const upper = upTo ?? (range.to && markedKey(range.to));
  const kept = givenKeys(target, keep);
  let next = kept.values.length + 1;
  const conditions = [
    `NOT EXISTS (SELECT FROM ${staging} AS given WHERE ${sameKey(target, 'own', 'given')})`,
    `NOT EXISTS (SELECT FROM ${kept.sql} WHERE ${sameKey(target, 'own', 'given')})`,
  ];
  const values: unknown[] = [...kept.values];
  for (const { key, side } of [
    { key: lower && markedKey(lower), side: 'greater' },
    { key: upper, side: 'lessOrEqual' },
  ] as const) {
    if (!key) continue;
    conditions.push(compared(target, next, side));
    values.push(...key.map(cellText));
    next += key.length;
  }
  await runWithoutLimit(session, `DELETE FROM ${target.only} AS own WHERE ${conditions.join(' AND ')}`, values);
}

/** A condition: the row's key lies after, or not after, the key in the parameters from `$first` on. */
function compared(target: TargetTable, first: number, side: 'greater' | 'lessOrEqual'): string {
  const last = target.table.key.length - 1;
  const before = side === 'greater' ? 'greater' : 'less';
  const alternatives = target.table.key.map((_, place) =>
    [
      ...Array.from({ length: place }, (_empty, earlier) => comparison(target, earlier, first, 'equal')),
      comparison(target, place, first, place === last ? side : before),
    ].join(' AND '),
  );
  // The condition on the first column is for the index.
  const bound = comparison(target, 0, first, side === 'greater' ? 'greaterOrEqual' : 'lessOrEqual');
  return `${bound} AND (${alternatives.map((alternative) => `(${alternative})`).join(' OR ')})`;
}

function comparison(
  { table, casts, operators }: TargetTable,
  place: number,
  first: number,
  side: keyof TargetTable['operators'][number],
): string {
  const column = table.key[place] ?? 0;
  const name = quoteName(table.columns[column]?.name ?? '');
  return `own.${name} ${operators[place]?.[side]} $${first + place}::${casts[column]}`;
}
