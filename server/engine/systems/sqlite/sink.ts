import type { Missing, TableBatch } from '../../batch.ts';
import type { Key, Row } from '../../change.ts';
import type { Finding } from '../../finding.ts';
import type { Mark, MarkUpdate, Reread } from '../../mark.ts';
import type { Load, Sink, Statement } from '../../sink.ts';
import { type Table, tableName } from '../../table.ts';
import { applyBatch } from './apply.ts';
import { checkTarget } from './check-target.ts';
import { Connection, realSurroundings, type Surroundings } from './connect.ts';
import { engineError, isBusy } from './errors.ts';
import { loadChunk, readKeys } from './load.ts';
import { assertEpoch, forget, takeOver, writeMark } from './mark.ts';
import { empty, insert } from './statements.ts';
import { describe, schema, tableNames } from './tables.ts';

/** A SQLite file as a target; made where it is not there. @param settings with the operator's folder */
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

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  check(tables: readonly Table[]): Promise<Finding[]> {
    return this.#connection.transaction('read', (session) => checkTarget(session, tables));
  }

  catalog(schemas: readonly string[]): Promise<Table[]> {
    return this.#connection.transaction('read', (session) => {
      if (schemas.length > 0 && !schemas.includes(schema)) return [];
      return tableNames(session).flatMap((name) => describe(session, name)?.table ?? []);
    });
  }

  run(statement: Statement): Promise<void> {
    return this.#connection.transaction('write', (session) => {
      about(statement.table, () => session.run(statement.sql));
    });
  }

  takeOver(job: string): Promise<Mark> {
    return this.#connection.transaction('write', (session) => takeOver(session, job));
  }

  load(load: Load, mark: MarkUpdate): Promise<void> {
    return this.#connection.transaction('write', (session) => {
      writeMark(session, mark);
      about(tableName(load.table), () => loadChunk(session, load));
    });
  }

  fill(table: Table, rows: AsyncIterable<readonly Row[]>, mark: MarkUpdate): Promise<number> {
    return this.#connection.longTransaction(async (session) => {
      writeMark(session, mark);
      let count = 0;
      about(tableName(table), () => empty(session, table));
      for await (const some of rows) {
        about(tableName(table), () => {
          for (const row of some) insert(session, table, row);
        });
        count += some.length;
      }
      return count;
    });
  }

  apply(batches: readonly TableBatch[], mark: MarkUpdate, rereadsOf: (missing: Missing[]) => Reread[]): Promise<void> {
    return this.#connection.transaction('write', (session) => {
      assertEpoch(session, mark);
      const missing = batches.flatMap((batch) => about(tableName(batch.table), () => applyBatch(session, batch)));
      writeMark(session, { ...mark, rereads: rereadsOf(missing) });
    });
  }

  keys(table: Table, after: Key | null, limit: number): Promise<Key[]> {
    return this.#connection.transaction('read', (session) =>
      about(tableName(table), () => readKeys(session, table, after, limit)),
    );
  }

  write(mark: MarkUpdate): Promise<void> {
    return this.#connection.transaction('write', (session) => writeMark(session, mark));
  }

  forget(job: string): Promise<void> {
    return this.#connection.transaction('write', (session) => forget(session, job));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

/** Runs work on a table; an error of SQLite says then which table it was. */
function about<T>(table: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    // A lock is waited for by the connection, which looks at SQLite's own error.
    throw isBusy(error) ? error : engineError(error, { side: 'target', table });
  }
}
