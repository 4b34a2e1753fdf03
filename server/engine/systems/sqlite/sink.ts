import type { TableBatch } from '../../batch.ts';
import type { Key, Row } from '../../change.ts';
import { EngineError } from '../../errors.ts';
import type { Finding } from '../../finding.ts';
import { type Mark, type MarkUpdate, markedKey } from '../../mark.ts';
import type {
  Alteration,
  Altered,
  Load,
  Named,
  ParkedOf,
  Settle,
  ShownParkedRow,
  Sink,
  Statement,
} from '../../sink.ts';
import { otherName } from '../../sql/names.ts';
import { type Column, type Table, tableName } from '../../table.ts';
import { shown } from './cells.ts';
import { assertUtf8 } from './check-source.ts';
import { checkTarget } from './check-target.ts';
import { claimTables, takenTables } from './claims.ts';
import { Connection, realSurroundings, type Session, type Surroundings } from './connect.ts';
import { engineError, isBusy } from './errors.ts';
import { evictHolders } from './evict.ts';
import { readKeys } from './load.ts';
import { assertEpoch, forget, readParked, takeOver, type Written, writeMark } from './mark.ts';
import { applyParking, loadParking } from './park.ts';
import { isFollowed } from './reserve.ts';
import { signOf } from './sign.ts';
import { empty, insert, isEmpty } from './statements.ts';
import { converts, describe, readNamesakes, tableNames } from './tables.ts';
import { assertNoTriggers } from './triggers.ts';

/** A SQLite file as a target; created if it does not exist. @param settings with the operator's folder */
export function openSqliteSink(
  settings: unknown,
  signal: AbortSignal,
  surroundings: Surroundings = realSurroundings,
): Sink {
  return new SqliteSink(new Connection(settings, 'target', signal, surroundings));
}

class SqliteSink implements Sink {
  readonly delivery = 'atomic';
  readonly #connection: Connection;
  readonly #written: Written = new Map();
  /** Names of tables that had rows after this process last wrote to them. */
  readonly #filled = new Set<string>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  check(tables: readonly Table[]): Promise<Finding[]> {
    return this.#connection.transaction('read', (session) => [
      ...checkTarget(session, tables),
      // Last: a file that did not exist was created by the first question.
      ...this.#connection.unwritable(),
    ]);
  }

  async withSign<T>(work: (sign: string) => Promise<T>): Promise<T> {
    return await work(await this.#connection.transaction('read', signOf));
  }

  catalog(schemas: readonly string[]): Promise<Table[]> {
    return this.#connection.transaction('read', (session) => {
      assertUtf8(session, 'target');
      return tableNames(session, schemas).flatMap((name) => describe(session, name)?.table ?? []);
    });
  }

  namesakes(tables: readonly Named[]): Promise<ReadonlyMap<string, string>> {
    return this.#connection.transaction('read', (session) => readNamesakes(session, tables));
  }

  findMade(statements: readonly Statement[]): Promise<boolean[]> {
    return this.#connection.transaction('read', (session) => statements.map(({ named }) => hasIndex(session, named)));
  }

  run(statement: Statement): Promise<boolean> {
    return this.#connection.transaction('write', (session) =>
      about(statement.table, () => session.run(namedSql(session, statement)) > 0 || statement.kind !== 'sequence'),
    );
  }

  /** '005' becomes 5 in a numeric column, and 5 becomes '5' in a text column. */
  altersValues(from: Column, to: Column): boolean {
    return converts(from, to);
  }

  /** No statement changes a column's type, which may convert stored values, or drops its NOT NULL. */
  alter(table: Table, { widened, untold }: Alteration): Promise<Altered> {
    return this.#connection.transaction('read', (session) => {
      const columns = describe(session, table.name)?.table.columns ?? [];
      const isNullable = columns.every(({ name, nullable }) => nullable || !untold.includes(name));
      const isKept = columns.every(
        (column) => !widened.some((one) => one.name === column.name && converts(one, column)),
      );
      return isNullable && isKept ? 'needless' : 'refused';
    });
  }

  async addLabels(): Promise<number> {
    return 0;
  }

  taken(job: string, tables: readonly Named[]): Promise<ReadonlyMap<string, string>> {
    return this.#connection.transaction('read', (session) => takenTables(session, job, tables));
  }

  follows(job: string, table: Named): Promise<boolean> {
    return this.#connection.transaction('read', (session) => isFollowed(session, job, table));
  }

  claim(job: string, tables: readonly Named[]): Promise<ReadonlyMap<string, string>> {
    return this.#connection.transaction('write', (session) => claimTables(session, job, tables));
  }

  takeOver(job: string): Promise<Mark> {
    this.#written.clear();
    return this.#connection.transaction('write', (session) => takeOver(session, job));
  }

  load(load: Load, mark: MarkUpdate, parkedOf: ParkedOf = () => []): Promise<void> {
    return this.#connection.transaction('write', (session) => {
      assertEpoch(session, mark);
      const refused = this.#intoTable(session, load.table, () => loadParking(session, load));
      this.#writeMark(session, { ...mark, parked: parkedOf(refused) });
    });
  }

  evict(table: Table, rows: readonly Row[], markOf: (evicted: readonly Key[]) => MarkUpdate): Promise<Key[]> {
    return this.#connection.transaction('write', (session) => {
      const evicted = about(tableName(table), () => evictHolders(session, table, rows));
      if (evicted.length > 0) this.#writeMark(session, markOf(evicted));
      return evicted;
    });
  }

  fill(table: Table, rows: AsyncIterable<readonly Row[]>, mark: MarkUpdate): Promise<number> {
    return this.#connection.longTransaction(async (session) => {
      this.#writeMark(session, mark);
      let count = 0;
      about(tableName(table), () => {
        assertNoTriggers(session, table);
        empty(session, table);
      });
      for await (const some of rows) {
        about(tableName(table), () => {
          for (const row of some) insert(session, table, row);
        });
        count += some.length;
      }
      return count;
    });
  }

  apply(batches: readonly TableBatch[], mark: MarkUpdate, settle: Settle): Promise<void> {
    return this.#connection.transaction('write', (session) => {
      assertEpoch(session, mark);
      const met = batches.map((batch) => this.#intoTable(session, batch.table, () => applyParking(session, batch)));
      const missing = met.flatMap((one) => one.missing);
      const refused = met.flatMap((one) => one.refused);
      this.#writeMark(session, { ...mark, ...settle({ missing, refused }) });
    });
  }

  keys(table: Table, after: Key | null, limit: number): Promise<Key[]> {
    return this.#connection.transaction('read', (session) =>
      about(tableName(table), () => readKeys(session, table, after, limit)),
    );
  }

  parked(job: string, table: string, after: number, limit: number): Promise<ShownParkedRow[]> {
    return this.#connection.transaction('read', (session) =>
      readParked(session, job, table, after, limit).map((row) => ({ ...row, key: markedKey(row.key).map(shown) })),
    );
  }

  write(mark: MarkUpdate): Promise<void> {
    return this.#connection.transaction('write', (session) => this.#writeMark(session, mark));
  }

  forget(job: string): Promise<void> {
    return this.#connection.transaction('write', (session) => forget(session, job));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /**
   * Writes rows into a table.
   * @throws EngineError TRIGGER_IN_THE_WAY; CONNECTION_LOST if its rows are gone, which the next process copies again
   */
  #intoTable<T>(session: Session, table: Table, work: () => T): T {
    return about(tableName(table), () => {
      assertNoTriggers(session, table);
      if (this.#filled.has(table.name) && isEmpty(session, table))
        throw new EngineError('CONNECTION_LOST', {
          side: 'target',
          table: tableName(table),
          subject: 'someone emptied or recreated it',
        });
      const result = work();
      const isFilled = !isEmpty(session, table);
      session.afterCommit(() => (isFilled ? this.#filled.add(table.name) : this.#filled.delete(table.name)));
      return result;
    });
  }

  #writeMark(session: Session, mark: MarkUpdate): void {
    writeMark(session, mark, this.#written);
  }
}

/** A statement's SQL with a name that is available: in a file, names are unique whatever table they belong to. */
function namedSql(session: Session, { sql, named }: Statement): string {
  if (!named) return sql;
  const taken = session.row(
    `SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND NOT (type = 'index' AND tbl_name = ? COLLATE NOCASE)`,
    named.name,
    named.table,
  );
  return taken ? named.otherwise.sql : sql;
}

/** Whether a table has an index under its own name or its alternative one. */
function hasIndex(session: Session, named: Statement['named']): boolean {
  if (!named) return false;
  return (
    session.row(
      `SELECT 1 FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE
        AND (name = ? COLLATE NOCASE OR name = ? COLLATE NOCASE)`,
      named.table,
      named.name,
      otherName({ schema: named.schema, name: named.table }, named.name),
    ) !== undefined
  );
}

/** Runs work on a table and adds the table to SQLite's errors. */
function about<T>(table: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // The connection waits for locks, and needs SQLite's own error for that.
    throw isBusy(error) ? error : engineError(error, { side: 'target', table });
  }
}
