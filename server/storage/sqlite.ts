import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { ZodType } from 'zod';
import { errorMessage } from '../error-message.ts';
import {
  checkRow,
  type Database,
  type Queries,
  type SqlValue,
  StorageError,
  StorageSilent,
  StorageTaken,
} from './database.ts';

/** How long a statement waits for an operator command that writes to the same file. */
const busyMs = 5_000;
/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const taken = new Set<unknown>([2067, 1555]);
/** SQLITE_BUSY, in the low byte of its finer codes as the next ones are. */
const busy = new Set([5]);
/** SQLITE_READONLY. */
const readOnly = new Set([8]);
/** SQLITE_BUSY, SQLITE_IOERR and SQLITE_FULL. */
const takesNothing = new Set([5, 10, 13]);
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damaged = new Set([11, 26]);

/**
 * Opens a SQLite file, made when it is missing; every commit is on the disk before it is told.
 * @throws StorageError when it cannot be used
 */
export function openSqlite(file: string): Database {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const database = openFile(file);
  const requireInPlace = watchPlace(file);
  // The texts are written in the code, so there are few.
  const statements = new Map<string, StatementSync>();

  /** SQLite numbers its parameters with a question mark. */
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
      const row = prepare(sql).get(...bound(parameters));
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

  // One connection: what is not part of a running transaction waits until it has ended.
  const inTransaction = new AsyncLocalStorage<true>();
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    // It would wait for the transaction, and the transaction for it.
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
      database.exec('BEGIN IMMEDIATE');
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
    all: (schema, sql, parameters) => inTurn(() => direct.all(schema, sql, parameters)),
    one: (schema, sql, parameters) => inTurn(() => direct.one(schema, sql, parameters)),
    run: (sql, parameters) => inTurn(() => direct.run(sql, parameters)),
    script: (sql) => inTurn(() => direct.script(sql)),
    transaction,
    // Writers of one file are one after the other in any case.
    exclusively: transaction,
    hold: async () => ({ lost: new AbortController().signal, release: async () => undefined }),
    isHeld: async () => true,
    async close() {
      await last;
      database.close();
    },
  };
}

function openFile(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // For this user alone, as what SQLite keeps beside it then is; an empty file is a new database.
    if (file !== ':memory:' && !existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    database = new DatabaseSync(file, { timeout: busyMs });
    database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;');
    return database;
  } catch (cause) {
    database?.close();
    throw unusableFile(file, cause);
  }
}

/**
 * Of a file that is removed or replaced, its process keeps the old one, which is gone with the process.
 * @returns throws StorageSilent while the file of now has not its name
 */
function watchPlace(file: string): () => void {
  if (file === ':memory:') return () => undefined;
  // As SQLite itself compares it, outside of a write-ahead log.
  const inode = () => statSync(file, { throwIfNoEntry: false })?.ino;
  const opened = inode();
  return () => {
    if (inode() === opened) return;
    throw new StorageSilent(
      `${file} was removed or replaced while the server runs, so nothing more is written: move it back to its place, or stop the server and run npm run restore.`,
    );
  };
}

/** What is thrown where a file cannot be the store, for now (StorageSilent) or as it is set up (StorageError). */
export function unusableFile(file: string, cause: unknown): StorageError {
  const sentence = `${file} cannot be used as a store (${errorMessage(cause)}): see that it may be written, or put back a backup by npm run restore.`;
  return faultOfFile(file, cause) ?? new StorageError(sentence, { cause });
}

/** What is thrown where a file may not be written, takes nothing, or is damaged; undefined for any other error. */
function faultOfFile(file: string, cause: unknown): StorageError | undefined {
  const reason = errorMessage(cause);
  if (hasCode(cause, readOnly)) {
    // A command of another user, such as root, may have left any of the three.
    return new StorageError(
      `${file} may not be written (${reason}): see that it belongs to the user of the server, and ${basename(file)}-wal and ${basename(file)}-shm beside it too.`,
      { cause },
    );
  }
  if (hasCode(cause, takesNothing)) {
    return new StorageSilent(
      `${file} takes nothing (${reason}): see that its disk has room, and that no other program keeps it.`,
      { cause },
    );
  }
  if (hasCode(cause, damaged)) {
    return new StorageSilent(
      `${file} is damaged (${reason}): stop the server and put back a backup by npm run restore.`,
      { cause },
    );
  }
  return undefined;
}

/** Whether another connection keeps what was asked for. */
export const isBusy = (error: unknown): boolean => hasCode(error, busy);

/** Whether SQLite gave an error one of these codes, which are the low byte of its finer ones. */
function hasCode(error: unknown, codes: ReadonlySet<number>): boolean {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return false;
  return codes.has(error.errcode & 0xff);
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && taken.has(error.errcode);
}

function bound(parameters: readonly SqlValue[]): SQLInputValue[] {
  return [...parameters];
}
