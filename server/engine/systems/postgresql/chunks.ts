import pg from 'pg';
import { type Key, keyOf, type Row, UNCHANGED } from '../../change.ts';
import { EngineError } from '../../errors.ts';
import { keyMark, markedKey, type RangeMark } from '../../mark.ts';
import type { Chunk, Part } from '../../source.ts';
import { mostChunkBytes, sizeOf } from '../../sql/row-size.ts';
import type { Table } from '../../table.ts';
import type { RowFilter } from './filter.ts';
import { adoptSnapshot, type HeldSnapshot } from './held-snapshot.ts';
import { type KeyOrder, readKeyOrder } from './key-order.ts';
import { endOfLog, positionOfEnd } from './lsn.ts';
import { askRow } from './sessions.ts';
import { Snapshot } from './snapshot.ts';

/** Pages of a table that are worth a range of their own: 4 MB. */
const pagesOfRange = 500;
/** Pages that are looked at to cut one range. */
const sampledPages = 100;
/** Keys that are asked for in one statement. */
const keysAtOnce = 200;
/** Rows that are fetched at once from a table without key. */
const rowsAtOnce = 1000;

/** Rows of a chunk that are fetched first, to learn how wide they are, and at most. */
const firstFetch = 8;
const mostFetched = 500;

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** How rows are read. */
interface Reading {
  /** Rows that do not meet it are left out. */
  filter?: RowFilter | null;
  /** The moment that is read; the present one where there is none. */
  held?: HeldSnapshot | undefined;
}

/** The lock comes first: a snapshot from before a rewrite of the table finds it empty afterwards. */
async function beginReading(session: pg.ClientBase, order: KeyOrder, held: HeldSnapshot | undefined): Promise<void> {
  if (!held) {
    await session.query(`${begin}; ${lock(order)}`);
    return;
  }
  await session.query(begin);
  await adoptSnapshot(session, held);
  await session.query(lock(order));
}

/**
 * Reads a part of a table in one snapshot, together with what that snapshot saw.
 * @throws EngineError
 */
export async function readChunk(
  session: pg.ClientBase,
  table: Table,
  order: KeyOrder,
  part: Part,
  { filter = null, held }: Reading = {},
): Promise<Chunk> {
  await beginReading(session, order, held);
  const [snapshotText, end] = await askRow(session, `SELECT pg_current_snapshot()::text, ${endOfLog}`);
  const snapshot = new Snapshot(snapshotText ?? '');
  const { rows, isWhole } =
    'keys' in part
      ? { rows: await readKeys(session, table, order, part.keys, filter), isWhole: true }
      : await readRange(session, table, order, part, filter);
  await session.query('COMMIT');
  const last = isWhole ? undefined : rows.at(-1);
  return {
    rows,
    last: last ? keyOf(table, last) : null,
    sees: (transaction) => snapshot.sees(transaction),
    end: positionOfEnd(end ?? ''),
  };
}

/**
 * Reads all rows of a table in one snapshot, a thousand at a time.
 * @throws EngineError
 */
export async function* readRows(
  session: pg.ClientBase,
  table: Table,
  { filter = null, held }: Reading = {},
): AsyncGenerator<Row[]> {
  const order = await readKeyOrder(session, table);
  await beginReading(session, order, held);
  const query = `${select(table, order)}${filter ? ` WHERE ${filter.sql}` : ''}`;
  await runAlone(session, `DECLARE rows NO SCROLL CURSOR FOR ${query}`, []);
  for (;;) {
    const rows = await ask(session, table, `FETCH ${rowsAtOnce} FROM rows`, []);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) break;
  }
  await session.query('COMMIT');
}

/**
 * Cuts a table by a sample of its keys.
 * @throws EngineError
 */
export async function cutRanges(
  session: pg.ClientBase,
  table: Table,
  order: KeyOrder,
  most: number,
): Promise<RangeMark[]> {
  await session.query(`${begin}; ${lock(order)}`);
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

/** The next rows of a range, up to so many rows or bytes; `isWhole` when the range has no more. */
async function readRange(
  session: pg.ClientBase,
  table: Table,
  order: KeyOrder,
  { range, limit }: { range: RangeMark; limit: number },
  filter: RowFilter | null,
): Promise<{ rows: Row[]; isWhole: boolean }> {
  const after = range.after ?? range.from;
  const conditions: string[] = filter ? [filter.sql] : [];
  const values: string[] = [];
  if (after) {
    conditions.push(order.behind(1));
    values.push(...cellsOf(markedKey(after)));
  }
  if (range.to) {
    conditions.push(order.upTo(values.length + 1));
    values.push(...cellsOf(markedKey(range.to)));
  }
  const where = conditions.length > 0 ? ` WHERE ${conditions.map((one) => `(${one})`).join(' AND ')}` : '';
  const query = `${select(table, order)}${where} ORDER BY ${order.orderBy} LIMIT ${limit}`;
  await runAlone(session, `DECLARE rows NO SCROLL CURSOR FOR ${query}`, values);
  const rows: Row[] = [];
  let bytes = 0;
  for (let wanted = firstFetch; rows.length < limit && bytes < mostChunkBytes; ) {
    const asked = Math.min(wanted, limit - rows.length);
    const some = await ask(session, table, `FETCH ${asked} FROM rows`, []);
    rows.push(...some);
    if (some.length < asked) return { rows, isWhole: true };
    bytes += some.reduce((sum, row) => sum + sizeOf(row), 0);
    // As many rows of the average size as there is room for.
    wanted = Math.max(1, Math.min(mostFetched, Math.floor((mostChunkBytes - bytes) / (1 + bytes / rows.length))));
  }
  return { rows, isWhole: false };
}

async function readKeys(
  session: pg.ClientBase,
  table: Table,
  order: KeyOrder,
  keys: readonly Key[],
  filter: RowFilter | null,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < keys.length; start += keysAtOnce) {
    const some = keys.slice(start, start + keysAtOnce);
    const wanted = some.map((_, place) => `(${order.is(1 + place * table.key.length)})`).join(' OR ');
    const query = `${select(table, order)} WHERE (${wanted})${filter ? ` AND ${filter.sql}` : ''}`;
    rows.push(...(await ask(session, table, query, some.flatMap(cellsOf))));
  }
  return rows;
}

/** With the extended protocol the server takes no second statement. */
async function runAlone(session: pg.ClientBase, text: string, values: string[]): Promise<void> {
  const query = { text, values, queryMode: 'extended' };
  await session.query(query);
}

async function ask(session: pg.ClientBase, table: Table, text: string, values: string[]): Promise<Row[]> {
  const { rows } = await session.query<(string | null)[]>({ text, values, rowMode: 'array' });
  if (!table.columns.some(({ generated }) => generated)) return rows;
  return rows.map((cells) => {
    let next = 0;
    return table.columns.map(({ generated }) => (generated ? UNCHANGED : (cells[next++] ?? null)));
  });
}

/** The columns that the log tells too: generated ones are computed again at the target. */
function select(table: Table, { from }: KeyOrder): string {
  const names = table.columns.filter(({ generated }) => !generated).map(({ name }) => pg.escapeIdentifier(name));
  return `SELECT ${names.join(', ')} FROM ${from}`;
}

function lock({ from }: KeyOrder): string {
  return `LOCK TABLE ${from} IN ACCESS SHARE MODE`;
}

function cellsOf(key: Key): string[] {
  return key.map((cell) => {
    if (typeof cell === 'string') return cell;
    throw new EngineError('UNEXPECTED', { side: 'source', subject: 'a key in bytes, which PostgreSQL tells as text' });
  });
}
