import pg from 'pg';
import { type Key, keyOf, type Row, UNCHANGED } from '../../change.ts';
import { EngineError } from '../../errors.ts';
import { keyMark, markedKey, type RangeMark } from '../../mark.ts';
import type { PrintedRows } from '../../printed.ts';
import type { Chunk, Part } from '../../source.ts';
import { quoteTable } from '../../sql/names.ts';
import { mostChunkBytes, sizeOf } from '../../sql/row-size.ts';
import { type Table, tableName } from '../../table.ts';
import { isBinaryTable, keyOfBinary } from './copy-binary.ts';
import { copyOut } from './copy-out.ts';
import { parseCopyText, parseRow, takeOut } from './copy-text.ts';
import type { RowFilter } from './filter.ts';
import { adoptSnapshot, type HeldSnapshot } from './held-snapshot.ts';
import { type KeyOrder, parameters, readKeyOrder } from './key-order.ts';
import { endOfLog, positionOfEnd } from './lsn.ts';
import { askRow } from './sessions.ts';
import { Snapshot } from './snapshot.ts';

/** Table pages that justify a range of their own: 4 MB. */
const pagesOfRange = 500;
/** Pages sampled to cut one range. */
const sampledPages = 100;
/** Keys requested per statement. */
const keysAtOnce = 200;
/** Rows fetched at once from a table without a key. */
const rowsAtOnce = 1000;
/** Rows of unknown width that are requested at once. */
const unknownRows = 20;

/** Rows in a table's first chunk, which shows how wide they are. */
const firstRows = 500;
/** Bytes that a chunk should have: enough that the cost of its transactions is small in comparison. */
const wantedBytes = 4 * 2 ** 20;

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** What is known about a table that chunks are read from. */
export interface ReadTable {
  table: Table;
  order: KeyOrder;
  /** Average row size of the last chunk, in bytes; undefined before the first. */
  rowBytes: number | undefined;
}

/** How rows are read. */
interface Reading {
  /** Rows that do not meet it are left out. */
  filter?: RowFilter | null;
  /** The snapshot to read from; the present state if there is none. */
  held?: HeldSnapshot | undefined;
}

/** The lock comes first: a snapshot taken before a table rewrite finds the table empty afterwards. */
async function beginReading(
  session: pg.ClientBase,
  table: Table,
  order: KeyOrder,
  held: HeldSnapshot | undefined,
): Promise<void> {
  if (held) {
    await session.query(begin);
    await adoptSnapshot(session, held);
    await session.query(lock(order));
  } else await session.query(`${begin}; ${lock(order)}`);
  await assertNamed(session, table);
}

/**
 * Tables can swap names, and swap them back, between two readings of the catalogue; a locked table keeps its name.
 * @throws EngineError TABLE_CHANGED if another table has the name
 */
async function assertNamed(session: pg.ClientBase, table: Table): Promise<void> {
  const [id] = await askRow(session, 'SELECT to_regclass($1)::oid::text', [quoteTable(table)]);
  if (id === table.id) return;
  await session.query('ROLLBACK');
  const subject = 'another table now has its name';
  throw new EngineError('TABLE_CHANGED', { side: 'source', table: tableName(table), subject });
}

/**
 * Reads part of a table in one snapshot, together with what that snapshot sees.
 * @throws EngineError
 */
export async function readChunk(
  session: pg.ClientBase,
  known: ReadTable,
  part: Part,
  { filter = null, held }: Reading = {},
): Promise<Chunk> {
  const { table, order } = known;
  await beginReading(session, table, order, held);
  const [snapshotText, end] = await askRow(session, `SELECT pg_current_snapshot()::text, ${endOfLog}`);
  const snapshot = new Snapshot(snapshotText ?? '');
  const seen = { sees: (transaction: string) => snapshot.sees(transaction), end: positionOfEnd(end ?? '') };
  if ('range' in part) return Object.assign(await readRange(session, known, part, filter), seen);
  const read = await readKeys(session, known, part, filter);
  await session.query('COMMIT');
  return { ...read, ...seen };
}

/**
 * Reads all rows of a table in one snapshot, up to a thousand at a time.
 * @throws EngineError
 */
export async function* readRows(
  session: pg.ClientBase,
  table: Table,
  { filter = null, held }: Reading = {},
): AsyncGenerator<Row[]> {
  const order = await readKeyOrder(session, table);
  await beginReading(session, table, order, held);
  const columns = loggedColumns(table);
  const query = `${select(table, order, columns)}${filter ? ` WHERE ${filter.sql}` : ''}`;
  await runAlone(session, `DECLARE rows NO SCROLL CURSOR FOR ${query}`, []);
  for (let wanted = unknownRows; ; ) {
    const rows = await ask(session, table, columns, `FETCH ${wanted} FROM rows`, []);
    if (rows.length > 0) yield rows;
    if (rows.length < wanted) break;
    wanted = fitting(mostChunkBytes, bytesOf(rows) / rows.length, rowsAtOnce);
  }
  await session.query('COMMIT');
}

/** How many rows of an average size fit into some bytes; at least one, at most `most`. */
function fitting(bytes: number, rowBytes: number, most: number): number {
  return Math.min(most, Math.max(1, Math.floor(bytes / Math.max(1, rowBytes))));
}

function bytesOf(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + sizeOf(row), 0);
}

/**
 * Cuts a table into ranges by a sample of its keys.
 * @throws EngineError
 */
export async function cutRanges(
  session: pg.ClientBase,
  table: Table,
  order: KeyOrder,
  most: number,
): Promise<RangeMark[]> {
  await beginReading(session, table, order, undefined);
  const [text] = await askRow(
    session,
    `SELECT sum(pg_relation_size(part)) / current_setting('block_size')::int8 FROM (
      SELECT $1::oid::regclass WHERE NOT EXISTS (SELECT FROM pg_partition_tree($1::oid))
      UNION ALL SELECT relid FROM pg_partition_tree($1::oid) WHERE isleaf) AS parts (part)`,
    [table.id],
  );
  const pages = Number(text);
  const ranges = Math.min(most, Math.floor(pages / pagesOfRange));
  const bounds = ranges > 1 && table.key.length > 0 ? await sampleBounds(session, order, pages, ranges) : [];
  await session.query('COMMIT');
  const keys = bounds.map((bound) => keyMark(bound));
  return [null, ...keys].map((from, place) => ({ from, to: keys[place] ?? null, after: null, done: false }));
}

async function sampleBounds(session: pg.ClientBase, order: KeyOrder, pages: number, ranges: number): Promise<Key[]> {
  const { from, columns, orderBy } = order;
  const names = columns.join(', ');
  const percent = Math.min(100, (100 * ranges * sampledPages) / pages);
  const { rows } = await session.query<string[]>({
    text: `
      SELECT ${names} FROM (
        SELECT ${names}, row_number() OVER (ORDER BY ${orderBy}) AS place, count(*) OVER () AS total
        FROM ${from} TABLESAMPLE SYSTEM (${percent})) AS sample
      WHERE place < total AND place * ${ranges} / total > (place - 1) * ${ranges} / total
      ORDER BY place`,
    rowMode: 'array',
  });
  return rows;
}

function conditionsOf(order: KeyOrder, range: RangeMark, filter: RowFilter | null): string {
  const after = range.after ?? range.from;
  const conditions = [
    ...(filter ? [filter.sql] : []),
    ...(after ? [order.behind(literals(markedKey(after)))] : []),
    ...(range.to ? [order.upTo(literals(markedKey(range.to)))] : []),
  ];
  return conditions.length > 0 ? ` WHERE ${conditions.map((one) => `(${one})`).join(' AND ')}` : '';
}

/** The next rows of a range, up to a limit of rows or bytes; ends the transaction. */
async function readRange(
  session: pg.ClientBase,
  known: ReadTable,
  { range, limit, mayBeBinary = false }: Extract<Part, { range: RangeMark }>,
  filter: RowFilter | null,
): Promise<Read> {
  const { table, order, rowBytes } = known;
  const where = conditionsOf(order, range, filter);
  const wanted = rowBytes ? fitting(wantedBytes, rowBytes, limit) : Math.min(limit, firstRows);
  const columns = loggedColumns(table);
  const query = `${select(table, order, columns)}${where} ORDER BY ${order.orderBy} LIMIT ${wanted}`;
  const isBinary = mayBeBinary && isBinaryTable(table);
  // A filter may leave out all rows of the range; those before them would be looked through again at each try.
  if (filter) await session.query('SET LOCAL statement_timeout = 0');
  const { pieces, rows: length, bytes, last, isCut } = await copyOut(session, query, mostChunkBytes, isBinary);
  if (!isCut) await session.query('COMMIT');
  if (length > 0) known.rowBytes = bytes / length;
  const print: PrintedRows = { length, columns, pieces, isBinary };
  const hasMore = last !== undefined && (isCut || length === wanted);
  return isBinary
    ? binaryChunk(print, hasMore ? keyOfBinary(table, last, length === 1) : null)
    : textChunk(print, table, hasMore ? keyOf(table, parseRow(last, columns, table.columns.length)) : null);
}

type Read = Pick<Chunk, 'rows' | 'printed' | 'last'>;

function textChunk(print: PrintedRows, table: Table, last: Key | null): Read {
  let rows: Row[] | undefined;
  return {
    printed: { ...print, without: (keys) => takeOut(print, table, keys) },
    last,
    get rows() {
      rows ??= parseCopyText(print, table.columns.length);
      return rows;
    },
  };
}

function binaryChunk(print: PrintedRows, last: Key | null): Read {
  const cannot = () => new EngineError('UNEXPECTED', { side: 'source', subject: 'single rows of a binary print' });
  return {
    printed: {
      ...print,
      without(keys) {
        if (keys.length > 0) throw cannot();
        return { rest: print, rows: [] };
      },
    },
    last,
    get rows(): Row[] {
      throw cannot();
    },
  };
}

/** A key's cells as SQL, for statements that accept no parameters. */
function literals(key: Key): (column: number) => string {
  const cells = cellsOf(key);
  return (column) => pg.escapeLiteral(cells[column] ?? '');
}

/** The rows of the first of these keys, up to a limit of bytes. */
async function readKeys(
  session: pg.ClientBase,
  { table, order, rowBytes }: ReadTable,
  { keys, onlyKeys = false }: Extract<Part, { keys: unknown }>,
  filter: RowFilter | null,
): Promise<Pick<Chunk, 'rows' | 'last'>> {
  const columns = onlyKeys ? table.key : loggedColumns(table);
  const rows: Row[] = [];
  let bytes = 0;
  let atOnce = rowBytes ? fitting(mostChunkBytes, rowBytes, keysAtOnce) : unknownRows;
  for (let start = 0; start < keys.length; ) {
    const last = keys[start - 1];
    if (last && bytes >= mostChunkBytes) return { rows, last };
    const some = keys.slice(start, start + (onlyKeys ? keysAtOnce : atOnce));
    const wanted = some.map((_, place) => `(${order.is(parameters(1 + place * table.key.length))})`).join(' OR ');
    const query = `${select(table, order, columns)} WHERE (${wanted})${filter ? ` AND ${filter.sql}` : ''}`;
    const found = await ask(session, table, columns, query, some.flatMap(cellsOf));
    rows.push(...found);
    start += some.length;
    if (onlyKeys) continue;
    bytes += bytesOf(found);
    if (rows.length > 0) atOnce = fitting(mostChunkBytes - bytes, bytes / rows.length, keysAtOnce);
  }
  return { rows, last: null };
}

/** With the extended protocol, the server accepts no second statement. */
async function runAlone(session: pg.ClientBase, text: string, values: string[]): Promise<void> {
  const query = { text, values, queryMode: 'extended' };
  await session.query(query);
}

/** Rows of a query for these columns; their other cells are UNCHANGED. */
async function ask(
  session: pg.ClientBase,
  table: Table,
  columns: readonly number[],
  text: string,
  values: string[],
): Promise<Row[]> {
  const { rows } = await session.query<(string | null)[]>({ text, values, rowMode: 'array' });
  if (columns.length === table.columns.length && columns.every((column, place) => column === place)) return rows;
  const places = table.columns.map((_, column) => columns.indexOf(column));
  return rows.map((cells) => places.map((place) => (place === -1 ? UNCHANGED : (cells[place] ?? null))));
}

/** The columns that the log also contains: generated ones are computed again at the target. */
function loggedColumns({ columns }: Table): number[] {
  return columns.flatMap(({ generated }, column) => (generated ? [] : [column]));
}

function select(table: Table, { from }: KeyOrder, columns: readonly number[]): string {
  const names = columns.map((column) => pg.escapeIdentifier(table.columns[column]?.name ?? ''));
  return `SELECT ${names.join(', ')} FROM ${from}`;
}

function lock({ from }: KeyOrder): string {
  return `LOCK TABLE ${from} IN ACCESS SHARE MODE`;
}

function cellsOf(key: Key): string[] {
  return key.map((cell) => {
    if (typeof cell === 'string') return cell;
    throw new EngineError('UNEXPECTED', { side: 'source', subject: 'a key in bytes, which PostgreSQL sends as text' });
  });
}
