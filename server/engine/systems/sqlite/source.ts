import type { Row } from '../../change.ts';
import { EngineError } from '../../errors.ts';
import { plainFacts, type TableFacts } from '../../facts.ts';
import type { Finding } from '../../finding.ts';
import type { RangeMark } from '../../mark.ts';
import type { Position } from '../../position.ts';
import type { Named, Statement } from '../../sink.ts';
import type { ChangeStream, Chunk, Filters, Part, Source, SourceUse } from '../../source.ts';
import { type Table, type TableSize, tableName } from '../../table.ts';
import { assertUtf8, checkSource, filterFindings } from './check-source.ts';
import { readPart, snapshotOf } from './chunks.ts';
import { takenTables } from './claims.ts';
import { Connection, realSurroundings, type Session, type Surroundings } from './connect.ts';
import { filterRefusal, inParentheses } from './filter.ts';
import {
  continuityOf,
  include,
  isInLog,
  logJobs,
  logName,
  logOf,
  placeOf,
  positionOf,
  release,
  reserve,
} from './reserve.ts';
import { rowFrom, selectRows } from './rows.ts';
import { signOf } from './sign.ts';
import { SqliteStream } from './stream.ts';
import { schemaOf, structureStatements } from './structure.ts';
import { bytesOfTables, describe, estimate, readNamesakes, schema, tableNames } from './tables.ts';

/** Rows that `readAll` yields at a time. */
const rowsAtATime = 1_000;

/** A SQLite file as a source. @param settings with the operator's folder */
export function openSqliteSource(
  settings: unknown,
  signal: AbortSignal,
  surroundings: Surroundings = realSurroundings,
): Source {
  return new SqliteSource(settings, signal, surroundings);
}

class SqliteSource implements Source {
  readonly tellsNow = true;
  readonly #connection: Connection;
  readonly #settings: unknown;
  readonly #signal: AbortSignal;
  readonly #surroundings: Surroundings;
  /** The job whose log this source reads; known after the first call that names it. */
  #job: string | undefined;
  /** Filters that were tried and accepted. */
  readonly #accepted = new WeakMap<Table, string>();
  /** Reads the copy's snapshot, if one is held. */
  #held: Connection | undefined;

  constructor(settings: unknown, signal: AbortSignal, surroundings: Surroundings) {
    this.#connection = new Connection(settings, 'source', signal, surroundings);
    this.#settings = settings;
    this.#signal = signal;
    this.#surroundings = surroundings;
  }

  check(tables: readonly Table[], { filters = new Map(), follows = true }: SourceUse = {}): Promise<Finding[]> {
    return this.#read((session) => [
      ...checkSource(session, tables, follows),
      ...(follows ? this.#connection.unwritable() : []),
      ...filterFindings(tables, filters),
    ]);
  }

  catalog(schemas: readonly string[], measures = false): Promise<(Table & { size: TableSize })[]> {
    return this.#read((session) => {
      assertUtf8(session, 'source');
      const bytes = measures ? bytesOfTables(session) : new Map<string, number>();
      return tableNames(session, schemas).flatMap((name) => {
        const description = describe(session, name);
        if (!description) return [];
        const size = { rows: estimate(session, description), bytes: bytes.get(description.table.name) ?? 0 };
        return [{ ...description.table, size }];
      });
    });
  }

  names(schemas: readonly string[]): Promise<Named[]> {
    return this.#read((session) => tableNames(session, schemas).map((name) => ({ schema, name })));
  }

  namesakes(tables: readonly Named[]): Promise<ReadonlyMap<string, string>> {
    return this.#read((session) => readNamesakes(session, tables));
  }

  async structure(tables: readonly Table[], targets: readonly Table[], have: readonly Table[]): Promise<Statement[]> {
    const sources = await this.#read((session) => tables.map((table) => ({ table, schema: schemaOf(session, table) })));
    return structureStatements(sources, targets, have);
  }

  /** Columns have no numbers here, rows have no files, and the stream maintains the triggers. */
  facts(job: string, tables: readonly Table[]): Promise<TableFacts[]> {
    return this.#read((session) =>
      tables.flatMap(({ name }) => {
        const table = describe(session, name)?.table;
        return table ? [{ table, notTold: null, ...plainFacts, continuity: continuityOf(session, job, table) }] : [];
      }),
    );
  }

  /** Constant, since positions themselves name the log that they belong to. */
  async incarnation(): Promise<string> {
    return 'sqlite';
  }

  async sees(sign: string): Promise<boolean> {
    return sign === (await this.#read(signOf));
  }

  writers(job: string, tables: readonly Named[]): Promise<ReadonlyMap<string, string>> {
    return this.#read((session) => takenTables(session, job, tables));
  }

  /** Before a job is named, the newest place in any log. */
  now(): Promise<Position> {
    return this.#read((session) => {
      const jobs = this.#job === undefined ? logJobs(session) : [this.#job];
      const places = jobs
        .flatMap((job) => logOf(session, job) ?? [])
        .map((log) => positionOf(log, log.newest))
        .sort((one, other) => (one.order < other.order ? -1 : 1));
      return places.at(-1) ?? { order: '', resume: '' };
    });
  }

  lacks(job: string, positions: readonly Position[]): Promise<Position[]> {
    return this.#read((session) => {
      const log = logOf(session, job);
      if (!log) return [];
      return positions.filter((position) => {
        const { identity, ...place } = placeOf(position);
        return identity === log.identity && !isInLog(session, job, log, place);
      });
    });
  }

  reserve(job: string, tables: readonly Table[]): Promise<Position> {
    this.#job = job;
    return this.#connection.transaction('write', (session) => {
      reserve(session, job, tables);
      const log = logOf(session, job);
      if (!log) throw new EngineError('SLOT_MISSING', { side: 'source', subject: logName(job) });
      return positionOf(log, log.oldest);
    });
  }

  include(job: string, tables: readonly Table[]): Promise<void> {
    this.#job = job;
    return this.#connection.transaction('write', (session) => include(session, job, tables));
  }

  /** The size of the log's rows: keys that the target has not acknowledged. It grows while a job is stopped. */
  retained(job: string): Promise<number | null> {
    return this.#read((session) => {
      const [bytes] = session.row("SELECT sum(payload) FROM dbstat('main', 1) WHERE name = ?", logName(job)) ?? [];
      return bytes === null || bytes === undefined ? null : Number(bytes);
    });
  }

  release(job: string): Promise<void> {
    return this.#connection.transaction('write', (session) => release(session, job));
  }

  async stream(
    job: string,
    from: Position,
    tables: readonly Table[],
    filters: Filters = new Map(),
  ): Promise<ChangeStream> {
    this.#job = job;
    for (const table of tables) this.#accept(table, filters.get(table.id));
    return new SqliteStream(this.#connection, { job, from, tables, filters }, this.#signal, this.#surroundings.wait);
  }

  /** Without a write-ahead log, a reader of the file would block all writers. */
  async hold(): Promise<boolean> {
    const [mode] = (await this.#read((session) => session.row('PRAGMA journal_mode'))) ?? [];
    if (mode !== 'wal') return false;
    this.#held = new Connection(this.#settings, 'source', this.#signal, this.#surroundings);
    await this.#held.hold();
    return true;
  }

  /** A single range: reading in parallel gains nothing, since SQLite reads in this thread. */
  async ranges(): Promise<RangeMark[]> {
    return [{ from: null, to: null, after: null, done: false }];
  }

  snapshot(): Promise<Pick<Chunk, 'sees'>> {
    return this.#read((session) => snapshotOf(session, this.#job));
  }

  async read(table: Table, part: Part, filter: string | null = null): Promise<Chunk> {
    this.#accept(table, filter);
    const connection = this.#held ?? this.#connection;
    return await connection.transaction('read', (session) => readPart(session, this.#job, table, part, filter));
  }

  async *readAll(table: Table, filter: string | null = null): AsyncGenerator<readonly Row[]> {
    this.#accept(table, filter);
    const where = filter === null ? '' : ` WHERE ${inParentheses(filter)}`;
    const rowsIn = (connection: Connection) =>
      connection.iterate(tableName(table), `${selectRows(table)}${where}`, rowsAtATime, (values) =>
        rowFrom(table, values),
      );
    if (this.#held) {
      yield* rowsIn(this.#held);
      return;
    }
    // A separate connection: its transaction lasts as long as rows are being taken.
    const connection = new Connection(this.#settings, 'source', this.#signal, this.#surroundings);
    try {
      yield* rowsIn(connection);
    } finally {
      await connection.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#connection.close(), this.#held?.close()]);
  }

  /** @throws EngineError FILTER_REFUSED */
  #accept(table: Table, filter: string | null | undefined): void {
    if (filter === null || filter === undefined || this.#accepted.get(table) === filter) return;
    if (filterRefusal(table, filter) !== undefined)
      throw new EngineError('FILTER_REFUSED', { side: 'source', table: tableName(table) });
    this.#accepted.set(table, filter);
  }

  #read<T>(work: (session: Session) => T): Promise<T> {
    return this.#connection.transaction('read', work);
  }
}
