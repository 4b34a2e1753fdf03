import type { Row } from '../../change.ts';
import { EngineError } from '../../errors.ts';
import type { TableFacts } from '../../facts.ts';
import type { Finding } from '../../finding.ts';
import type { RangeMark } from '../../mark.ts';
import type { Position } from '../../position.ts';
import type { Named, Statement } from '../../sink.ts';
import type { ChangeStream, Chunk, Part, Source, SourceUse, TellWait, Waiting } from '../../source.ts';
import { type Table, type TableSize, tableName } from '../../table.ts';
import type { PostgresSettings } from './card.ts';
import { readCatalog, readNames } from './catalog.ts';
import { checkSource } from './check/check-source.ts';
import { cutRanges, type ReadTable, readChunk, readRows } from './chunks.ts';
import { takenTables } from './claims.ts';
import { connect, type SideOptions } from './connect.ts';
import { engineError } from './errors.ts';
import { readFacts } from './facts.ts';
import { judgeRows, proveFilter, type RowFilter } from './filter.ts';
import { flushLog } from './flush-log.ts';
import { type HeldSnapshot, holdSnapshot } from './held-snapshot.ts';
import { readKeyOrder } from './key-order.ts';
import { logNames } from './log-names.ts';
import { endOfLog, positionOfEnd } from './lsn.ts';
import { readNamesakes } from './namesakes.ts';
import { letWrite } from './publication.ts';
import { include, release, reserve } from './reserve.ts';
import { SameServer } from './same-server.ts';
import { askRow, Sessions } from './sessions.ts';
import { seesSign } from './sign.ts';
import { Snapshot } from './snapshot.ts';
import { openStream } from './stream.ts';
import { readStructure } from './structure/read-structure.ts';
import { incarnationSql, sharedUntil } from './timelines.ts';

/** How long the server may take to evaluate a filter on the rows of a batch, in milliseconds. */
const judgeTimeout = 60_000;

/** A PostgreSQL database as a source of rows and changes. */
export class PostgresSource implements Source {
  readonly #settings: PostgresSettings;
  readonly #signal: AbortSignal;
  /** Chunks, catalogue and stream come from one server: positions and snapshots of another one mean nothing to them. */
  readonly #own: Required<SideOptions>;
  readonly #sessions: Sessions;
  /** A new table version is a new object. */
  readonly #readTables = new WeakMap<Table, ReadTable>();
  readonly #filters = new WeakMap<Table, { condition: string; proven: Promise<RowFilter> }>();
  /** Sessions that evaluate conditions cannot write anything. */
  readonly #judges: Sessions;
  #held: HeldSnapshot | undefined;

  constructor(settings: PostgresSettings, signal: AbortSignal) {
    this.#settings = settings;
    this.#signal = signal;
    this.#own = { signal, server: new SameServer() };
    this.#sessions = new Sessions(settings, { side: 'source', ...this.#own });
    this.#judges = new Sessions(settings, {
      side: 'source',
      ...this.#own,
      statementTimeout: judgeTimeout,
      settings: { default_transaction_read_only: 'on' },
    });
  }

  check(tables: readonly Table[], use?: SourceUse): Promise<Finding[]> {
    return checkSource(this.#settings, this.#signal, tables, use);
  }

  catalog(schemas: readonly string[]): Promise<(Table & { size: TableSize })[]> {
    return this.#sessions.ask((session) => readCatalog(session, schemas));
  }

  names(schemas: readonly string[]): Promise<Named[]> {
    return this.#sessions.ask((session) => readNames(session, schemas));
  }

  namesakes(tables: readonly Named[]): Promise<ReadonlyMap<string, string>> {
    return this.#sessions.ask((session) => readNamesakes(session, tables));
  }

  structure(
    tables: readonly Table[],
    targets: readonly Table[],
    have: readonly Table[],
    besideWriters = false,
  ): Promise<Statement[]> {
    return this.#sessions.ask((session) => readStructure(session, tables, { targets, have, besideWriters }));
  }

  facts(job: string, tables: readonly Table[]): Promise<TableFacts[]> {
    return this.#sessions.ask((session) => readFacts(session, logNames(this.#settings, job).publication, tables));
  }

  incarnation(): Promise<string> {
    return this.#sessions.ask(async (session) => (await askRow(session, incarnationSql)).join('.'));
  }

  async sharedUntil(earlier: string): Promise<Position | undefined> {
    return await sharedUntil(this.#settings, this.#own, earlier, await this.incarnation());
  }

  sees(sign: string): Promise<boolean> {
    return this.#sessions.ask((session) => seesSign(session, sign));
  }

  writers(job: string, tables: readonly Named[]): Promise<ReadonlyMap<string, string>> {
    return this.#sessions.ask((session) => takenTables(session, job, tables));
  }

  now(): Promise<Position> {
    return this.#sessions.ask(async (session) => {
      const [end] = await askRow(session, `SELECT ${endOfLog}`);
      return positionOfEnd(end ?? '');
    });
  }

  reserve(job: string, tables: readonly Table[], tell?: TellWait): Promise<Position> {
    return reserve(this.#settings, this.#own, job, tables, tell);
  }

  include(job: string, tables: readonly Table[], waiting?: Waiting): Promise<void> {
    return include(this.#settings, this.#own, job, tables, waiting);
  }

  async letWrite(job: string, carried: readonly Table[]): Promise<void> {
    const { publication, ownsPublication } = logNames(this.#settings, job);
    if (ownsPublication) await this.#sessions.use((session) => letWrite(session, publication, carried));
  }

  release(job: string): Promise<void> {
    return release(this.#settings, this.#own, job);
  }

  retained(job: string): Promise<number | null> {
    return this.#sessions.ask(async (session) => {
      const [bytes] = await askRow(
        session,
        `SELECT (SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), restart_lsn)::int8
          FROM pg_replication_slots WHERE slot_name = $1)`,
        [logNames(this.#settings, job).slot],
      );
      return bytes === null || bytes === undefined ? null : Number(bytes);
    });
  }

  logRoom(job: string): Promise<number | null> {
    return this.#sessions.ask(async (session) => {
      const sql = 'SELECT (SELECT safe_wal_size FROM pg_replication_slots WHERE slot_name = $1)';
      const [bytes] = await askRow(session, sql, [logNames(this.#settings, job).slot]);
      return bytes === null || bytes === undefined ? null : Number(bytes);
    });
  }

  snapshot(): Promise<Pick<Chunk, 'sees'>> {
    return this.#sessions.ask(async (session) => {
      const [text] = await askRow(session, 'SELECT pg_current_snapshot()::text');
      const snapshot = new Snapshot(text ?? '');
      return { sees: (transaction) => snapshot.sees(transaction) };
    });
  }

  stream(job: string, from: Position, tables: readonly Table[]): Promise<ChangeStream> {
    return openStream({ settings: this.#settings, own: this.#own, sessions: this.#sessions, job, from, tables });
  }

  async hold(tables: readonly Table[]): Promise<boolean> {
    this.#held = await holdSnapshot(this.#settings, { side: 'source', ...this.#own }, tables);
    const end = await this.now();
    await this.#sessions.use((session) => flushLog(session, end));
    return true;
  }

  async letGo(): Promise<void> {
    await this.#held?.close();
    this.#held = undefined;
  }

  ranges(table: Table, most: number): Promise<RangeMark[]> {
    return this.#read(table, (session, { order }) => cutRanges(session, table, order, most));
  }

  async judge(table: Table, filter: string, rows: readonly Row[]): Promise<(boolean | null)[]> {
    const proven = await this.#filter(table, filter);
    return await this.#judges.use((session) => judgeRows(session, proven, table, rows), { table: tableName(table) });
  }

  async read(table: Table, part: Part, filter: string | null = null): Promise<Chunk> {
    const proven = filter === null ? null : await this.#filter(table, filter);
    const chunk = await this.#read(table, (session, known) =>
      readChunk(session, known, part, { filter: proven, held: this.#held }),
    );
    // What a held snapshot shows was flushed when it was taken.
    if (!this.#held) await this.#sessions.use((session) => flushLog(session, chunk.end));
    return chunk;
  }

  async *readAll(table: Table, filter: string | null = null): AsyncGenerator<readonly Row[]> {
    const proven = filter === null ? null : await this.#filter(table, filter);
    // It may look through rows for long before one meets the filter.
    const session = await connect(this.#settings, { side: 'source', ...this.#own, statementTimeout: 0 });
    try {
      yield* readRows(session, table, { filter: proven, held: this.#held });
    } catch (error) {
      throw engineError(error, { side: 'source', table: tableName(table) });
    } finally {
      await session.end();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#sessions.close(), this.#judges.close(), this.#held?.close()]);
  }

  /** Proves a filter once for each version of its table. @throws EngineError FILTER_REFUSED */
  #filter(table: Table, condition: string): Promise<RowFilter> {
    const known = this.#filters.get(table);
    if (known?.condition === condition) return known.proven;
    const proven = this.#prove(table, condition);
    this.#filters.set(table, { condition, proven });
    // A lost connection is not an answer.
    proven.catch(() => this.#filters.delete(table));
    return proven;
  }

  async #prove(table: Table, condition: string): Promise<RowFilter> {
    const place = { side: 'source', table: tableName(table) } as const;
    const answer = await this.#sessions.ask((session) => proveFilter(session, table, condition), place);
    if ('reason' in answer) throw new EngineError('FILTER_REFUSED', place);
    return answer;
  }

  #read<T>(
    table: Table,
    work: (session: Parameters<Parameters<Sessions['use']>[0]>[0], known: ReadTable) => Promise<T>,
  ): Promise<T> {
    return this.#sessions.use(
      async (session) => {
        const known = this.#readTables.get(table) ?? {
          table,
          order: await readKeyOrder(session, table),
          rowBytes: undefined,
        };
        this.#readTables.set(table, known);
        return await work(session, known);
      },
      { table: tableName(table) },
    );
  }
}
