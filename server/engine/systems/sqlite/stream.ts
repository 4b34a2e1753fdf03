import {
  type Change,
  type Key,
  keyText,
  type Row,
  type RowChange,
  type SchemaChange,
  type Truncate,
  UNCHANGED,
  type Unreadable,
} from '../../change.ts';
import { EngineError, isOfTable } from '../../errors.ts';
import type { Position } from '../../position.ts';
import type { ChangeStream, Filters } from '../../source.ts';
import { quoteName } from '../../sql/names.ts';
import { sizeOf } from '../../sql/row-size.ts';
import { type Table, tableName } from '../../table.ts';
import { asKey, readList, readRow } from './cells.ts';
import type { Connection, Session, Surroundings } from './connect.ts';
import { reading } from './errors.ts';
import { isInLog, type Log, logName, logOf, type Place, placeOf, positionOf, reserve } from './reserve.ts';
import { rowOf } from './rows.ts';
import { describe } from './tables.ts';

/** How long an idle source is left alone, in milliseconds. */
const pollMs = 50;
/** The maximum read in one transaction. */
const batchRows = 10_000;
const batchBytes = 8 * 1024 * 1024;

/** One row of the log; without table and key if the table is no longer followed. */
interface Entry {
  place: Place;
  name: { table: Table; key: Key } | undefined;
}

/**
 * Streams the present rows for the logged keys: intermediate states are not streamed, and a key that is gone, or does
 * not meet the filter, is a delete. What one look reads in one read transaction is streamed as one transaction. Every
 * log row is one message, even if its row cannot be read, so that a transaction that is streamed again begins with the
 * messages of the first time.
 */
export class SqliteStream implements ChangeStream {
  readonly #connection: Connection;
  readonly #job: string;
  readonly #from: Position;
  readonly #jobSignal: AbortSignal;
  readonly #signal: AbortSignal;
  readonly #wait: Surroundings['wait'];
  /** As they were at the last look; initially as described to the constructor, and possibly altered since. */
  readonly #tables: Map<string, Table>;
  readonly #filters: Filters;
  /** Tables that do not exist, or have no key, until they are recreated. */
  readonly #gone = new Set<string>();
  readonly #ended = new AbortController();
  #schemaVersion: bigint | undefined;
  #at: Place = { sequence: 0n, at: undefined };
  #acknowledged = 0n;
  #forgotten = 0n;

  constructor(
    connection: Connection,
    { job, from, tables, filters }: { job: string; from: Position; tables: readonly Table[]; filters: Filters },
    signal: AbortSignal,
    wait: Surroundings['wait'],
  ) {
    this.#connection = connection;
    this.#job = job;
    this.#from = from;
    this.#jobSignal = signal;
    this.#signal = AbortSignal.any([signal, this.#ended.signal]);
    this.#wait = wait;
    this.#tables = new Map(tables.map((table) => [table.id, table]));
    this.#filters = filters;
  }

  acknowledge(position: Position): void {
    const { sequence } = placeOf(position);
    if (sequence > this.#acknowledged) this.#acknowledged = sequence;
  }

  async close(): Promise<void> {
    this.#ended.abort();
    // A job that is stopping leaves its log to the next process.
    if (!this.#jobSignal.aborted) await this.#forget();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Change[]> {
    this.#at = await this.#connection.transaction('read', (session) => this.#begin(session));
    while (!this.#signal.aborted) {
      const look = await this.#connection.transaction('read', (session) => this.#look(session));
      if (!look) {
        const altered = await this.#connection.transaction('write', (session) => this.#followSchema(session));
        this.#adopt(altered.shapes, altered.version);
        if (altered.changes.length > 0) yield altered.changes;
        continue;
      }
      this.#at = look.to;
      yield look.changes;
      await this.#forget();
      if (look.isIdle) await this.#pause();
    }
  }

  /** @throws EngineError if the log does not reach back to where the stream begins */
  #begin(session: Session): Place {
    const log = this.#log(session);
    const { identity, ...place } = placeOf(this.#from);
    if (identity !== log.identity) throw wentBack();
    this.#assertThere(session, log, place);
    if (place.sequence < log.oldest.sequence) throw new EngineError('SLOT_AHEAD', { side: 'source' });
    return place;
  }

  /** @throws EngineError if the log never passed through a place: it was restored from an older backup */
  #assertThere(session: Session, log: Log, place: Place): void {
    if (!isInLog(session, this.#job, log, place)) throw wentBack();
  }

  #log(session: Session): Log {
    const log = logOf(session, this.#job);
    if (!log) throw new EngineError('SLOT_MISSING', { side: 'source', subject: logName(this.#job) });
    return log;
  }

  /** @returns undefined if the schema was altered since the last look */
  #look(session: Session): { changes: Change[]; to: Place; isIdle: boolean } | undefined {
    if (schemaVersion(session) !== this.#schemaVersion) return undefined;
    const log = this.#log(session);
    this.#assertThere(session, log, this.#at);
    const rows = new Map<string, Found>();
    const changes: (RowChange | Unreadable | Truncate)[] = [];
    let bytes = 0;
    let last: Entry | undefined;
    for (const entry of this.#entries(session)) {
      if (bytes > batchBytes) break;
      last = entry;
      if (!entry.name) {
        changes.push(nothing);
        continue;
      }
      const { table, key } = entry.name;
      const name = `${table.id}\0${keyText(key)}`;
      if (!rows.has(name)) {
        const row = rowNow(session, table, key, this.#filters.get(table.id));
        rows.set(name, row);
        bytes += row instanceof EngineError ? 0 : sizeOf(row ?? []);
      }
      changes.push(changeOf(table, key, rows.get(name)));
    }
    const to = last?.place ?? log.newest;
    const position = positionOf(log, to);
    if (changes.length === 0) return { changes: [{ kind: 'alive', position }], to, isIdle: last === undefined };
    return {
      changes: [
        // Rows are as of the newest sequence number, so only a chunk that saw all of the log saw them.
        { kind: 'begin', transaction: String(log.newest.sequence), committedAt: Number(last?.place.at ?? 0n) },
        ...changes,
        { kind: 'commit', position },
      ],
      to,
      isIdle: false,
    };
  }

  #entries(session: Session): Entry[] {
    const width = Math.max(1, ...[...this.#tables.values()].map(({ key }) => key.length));
    const cells = readList(Array.from({ length: width }, (_, place) => `k${place}`));
    return session
      .rows(
        `SELECT sequence, at, name, ${cells} FROM ${quoteName(logName(this.#job))} WHERE sequence > ? ORDER BY sequence LIMIT ?`,
        this.#at.sequence,
        BigInt(batchRows),
      )
      .map(([sequence, at, name, ...values]) => {
        const table = this.#gone.has(String(name)) ? undefined : this.#tables.get(String(name));
        const key = table && asKey(readRow(values).slice(0, table.key.length));
        const place = { sequence: BigInt(String(sequence)), at: BigInt(String(at)) };
        return { place, name: table && key ? { table, key } : undefined };
      });
  }

  /** Adapts the triggers to altered tables: a new unique index needs another trigger. */
  #followSchema(session: Session): {
    changes: SchemaChange[];
    shapes: Map<string, Table | undefined>;
    version: bigint;
  } {
    const shapes = new Map<string, Table | undefined>();
    for (const table of this.#tables.values()) {
      const now = describe(session, table.name)?.table;
      shapes.set(table.id, now && now.key.length > 0 ? now : undefined);
    }
    const retriggered = reserve(
      session,
      this.#job,
      [...shapes.values()].filter((table) => table !== undefined),
    );
    const changes = [...this.#tables.values()].flatMap((table): SchemaChange[] => {
      const now = shapes.get(table.id);
      if (!now && this.#gone.has(table.id)) return [];
      const isSame = now && !retriggered.includes(table.id) && shapeOf(table) === shapeOf(now);
      return isSame ? [] : [{ kind: 'schema', table: now ?? table }];
    });
    return { changes, shapes, version: schemaVersion(session) };
  }

  #adopt(shapes: ReadonlyMap<string, Table | undefined>, version: bigint): void {
    this.#schemaVersion = version;
    for (const [id, table] of shapes) {
      if (!table) {
        this.#gone.add(id);
        continue;
      }
      this.#gone.delete(id);
      this.#tables.set(id, table);
    }
  }

  /** Deletes log rows that the target holds; if another connection is writing, the next time. */
  async #forget(): Promise<void> {
    const upTo = this.#acknowledged;
    if (upTo <= this.#forgotten) return;
    try {
      await this.#connection.transaction('write', (session) => this.#delete(session, upTo), 1);
      this.#forgotten = upTo;
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'LOCK_TIMED_OUT') throw error;
    }
  }

  #delete(session: Session, upTo: bigint): void {
    const log = quoteName(logName(this.#job));
    session.run(
      `DELETE FROM ${log} WHERE sequence > 1 AND sequence <= ? AND sequence < (SELECT max(sequence) FROM ${log})`,
      upTo,
    );
  }

  async #pause(): Promise<void> {
    try {
      await this.#wait(pollMs, this.#signal);
    } catch (error) {
      if (!this.#signal.aborted) throw error;
    }
  }
}

/** The message for a log row whose table is no longer followed: it counts if a transaction is streamed again. */
const nothing: Truncate = { kind: 'truncate', tables: [] };

function wentBack(): EngineError {
  return new EngineError('SOURCE_WENT_BACK', { side: 'source' });
}

/** The present row of a key; undefined if there is none, or why it cannot be read. */
type Found = Row | EngineError | undefined;

function rowNow(session: Session, table: Table, key: Key, filter: string | undefined): Found {
  try {
    return reading(tableName(table), () => rowOf(session, table, key, filter));
  } catch (error) {
    if (!isOfTable(error)) throw error;
    return error;
  }
}

function changeOf(table: Table, key: Key, row: Found): RowChange | Unreadable {
  if (row instanceof EngineError) return { kind: 'unreadable', table, error: row };
  if (row) return { kind: 'row', op: 'insert', table, before: null, after: row };
  const before = table.columns.map((_, column) => key[table.key.indexOf(column)] ?? UNCHANGED);
  return { kind: 'row', op: 'delete', table, before, after: null };
}

function shapeOf({ columns, key }: Table): string {
  return JSON.stringify([columns, key]);
}

function schemaVersion(session: Session): bigint {
  const version = session.row('PRAGMA schema_version')?.[0];
  return typeof version === 'bigint' ? version : 0n;
}
