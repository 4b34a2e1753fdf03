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
/** SQLITE_BUSY; this and the next ones are in the low byte of the extended codes. */
const busy = new Set([5]);
/** SQLITE_READONLY. */
const readOnly = new Set([8]);
/** SQLITE_BUSY, SQLITE_IOERR and SQLITE_FULL. */
const takesNothing = new Set([5, 10, 13]);
/** SQLITE_CANTOPEN. */
const cannotOpen = new Set([14]);
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damaged = new Set([11, 26]);

/**
 * Opens a SQLite file and creates it if it is missing; every commit is on disk before it is reported.
 * @throws StorageError when it cannot be used
 */
export function openSqlite(file: string): Database {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
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

function openFile(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // Readable by this user only, and so are the files SQLite creates beside it; an empty file is a new database.
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

/** The error for a file that cannot be the store, for now (StorageSilent) or as it is set up (StorageError). */
export function unusableFile(file: string, cause: unknown): StorageError {
  if (hasCode(cause, cannotOpen) || isNotAllowed(cause)) {
    return new StorageError(
      `${file} cannot be opened or created (${errorMessage(cause)}): check that ${dirname(file)} and its contents belong to the server's user, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
  const sentence = `${file} cannot be used as a store (${errorMessage(cause)}): check that it is writable, or restore a backup with npm run restore.`;
  return faultOfFile(file, cause) ?? new StorageError(sentence, { cause });
}

/** The error for a file that is not writable, accepts no writes, or is damaged; undefined for any other cause. */
function faultOfFile(file: string, cause: unknown): StorageError | undefined {
  const reason = errorMessage(cause);
  if (hasCode(cause, readOnly)) {
    // A command run by another user, such as root, may have left any of the three.
    return new StorageError(
      `${file} is not writable (${reason}): check that it belongs to the server's user, as must ${basename(file)}-wal and ${basename(file)}-shm beside it.`,
      { cause },
    );
  }
  if (hasCode(cause, takesNothing)) {
    return new StorageSilent(
      `${file} accepts no writes (${reason}): check that its disk has room and that no other program has locked it.`,
      { cause },
    );
  }
  if (hasCode(cause, damaged)) {
    return new StorageSilent(
      `${file} is damaged (${reason}): stop the server and restore a backup with npm run restore.`,
      { cause },
    );
  }
  return undefined;
}

/** Whether another connection has locked what was requested. */
export const isBusy = (error: unknown): boolean => hasCode(error, busy);

/** Whether the system did not let the user create a folder or a file. */
const isNotAllowed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EACCES', 'EPERM', 'EROFS'].includes(String(error.code));

/** Whether an error has one of these SQLite codes, which are the low byte of the extended ones. */
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
