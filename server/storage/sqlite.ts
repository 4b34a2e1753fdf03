import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { ZodType } from 'zod';
import { makeFolder } from '../make-folder.ts';
import { checkRow, type Database, type Queries, type SqlValue, StorageSilent, StorageTaken } from './database.ts';
import { faultOfFile, isBusy, isTaken, unusableFile } from './sqlite-errors.ts';

/** How long a statement waits for an operator command that writes to the same file. */
const busyMs = 5_000;
const againMs = 20;

/**
 * Opens a SQLite file and creates it if it is missing; every commit is on disk before it is reported.
 * @throws StorageError when it cannot be used
 */
export function openSqlite(file: string): Database {
  if (file !== ':memory:') makeFolder(dirname(file));
  const database = openFile(file);
  const requireInPlace = watchPlace(file);
  // The SQL texts are written in the code, so there are few.
  const statements = new Map<string, StatementSync>();

  /** SQLite writes numbered parameters with a question mark. */
  function prepare(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql.replace(/\$(\d+)/g, '?$1'));
    statements.set(sql, statement);
    return statement;
  }

  const direct: Queries = {
    async all<Row>(schema: ZodType<Row>, sql: string, parameters: readonly SqlValue[] = []) {
      return prepare(sql)
        .all(...bound(parameters))
        .map((row) => checkRow(schema, row, sql));
    },
    async one<Row>(schema: ZodType<Row>, sql: string, parameters: readonly SqlValue[] = []) {
      // `get` ends the statement after its row and hides a commit that fails, as on a full disk.
      const [row] = prepare(sql).all(...bound(parameters));
      return row === undefined ? undefined : checkRow(schema, row, sql);
    },
    async run(sql, parameters = []) {
      try {
        return Number(prepare(sql).run(...bound(parameters)).changes);
      } catch (error) {
        throw isTaken(error) ? new StorageTaken(error) : error;
      }
    },
    async script(sql) {
      database.exec(sql);
    },
  };

  // One connection: statements outside a running transaction wait until it has ended.
  const inTransaction = new AsyncLocalStorage<true>();
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    // It would wait for the transaction, and the transaction for it: a deadlock.
    if (inTransaction.getStore()) throw new Error('A statement beside its own transaction: use its queries.');
    const inPlace = () => {
      requireInPlace();
      return work();
    };
    const mine = last.then(inPlace).catch((error: unknown) => {
      throw faultOfFile(file, error) ?? error;
    });
    last = mine.catch(() => undefined); // the caller has the error
    return mine;
  }

  const transaction: Database['transaction'] = (work) =>
    inTurn(async () => {
      // Once it has begun, no one else keeps it from writing.
      await untilFree(async () => database.exec('BEGIN IMMEDIATE'));
      try {
        const result = await inTransaction.run(true, () => work(direct));
        database.exec('COMMIT');
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });

  return {
    kind: 'sqlite',
    all: (schema, sql, parameters) => inTurn(() => untilFree(() => direct.all(schema, sql, parameters))),
    one: (schema, sql, parameters) => inTurn(() => untilFree(() => direct.one(schema, sql, parameters))),
    run: (sql, parameters) => inTurn(() => untilFree(() => direct.run(sql, parameters))),
    script: (sql) => inTurn(() => direct.script(sql)),
    transaction,
    // Writers of one file run one after the other in any case.
    exclusively: transaction,
    hold: async () => ({ lost: new AbortController().signal, release: async () => undefined }),
    isHeld: async () => true,
    async close() {
      await last;
      database.close();
    },
  };
}

/** Tries one statement until others let it write; the process does other work meanwhile. */
async function untilFree<Result>(work: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + busyMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= end) throw error;
      await delay(againMs);
    }
  }
}

function openFile(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // Readable by this user only, and so are the files SQLite creates beside it; an empty file is a new database.
    if (file !== ':memory:' && !existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    database = new DatabaseSync(file, { timeout: busyMs });
    database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;');
    // SQLite's own wait would stop the whole process.
    database.exec('PRAGMA busy_timeout=0');
    return database;
  } catch (cause) {
    database?.close();
    throw unusableFile(file, cause);
  }
}

/**
 * If a file is removed or replaced, its process keeps the old one open, which is gone when the process exits.
 * @returns throws StorageSilent while the name does not refer to the opened file
 */
function watchPlace(file: string): () => void {
  if (file === ':memory:') return () => undefined;
  // The comparison that SQLite itself makes without a write-ahead log.
  const inode = () => statSync(file, { throwIfNoEntry: false })?.ino;
  const opened = inode();
  return () => {
    if (inode() === opened) return;
    throw new StorageSilent(
      `${file} was removed or replaced while the server was running, so nothing more is written: move it back, or stop the server and run npm run restore.`,
    );
  };
}

function bound(parameters: readonly SqlValue[]): SQLInputValue[] {
  return [...parameters];
}
