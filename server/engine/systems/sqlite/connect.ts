import { constants as access, accessSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, resolve, sep } from 'node:path';
import { constants, DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { LRUCache } from 'lru-cache';
import type { Row } from '../../change.ts';
import { EngineError, type ErrorPlace } from '../../errors.ts';
import type { Finding } from '../../finding.ts';
import { mostChunkBytes, sizeOf } from '../../sql/row-size.ts';
import { type ConnectionSettings, connectionSettings } from './card.ts';
import { engineError, isBusy, refusedQuery } from './errors.ts';

/** What tests replace. */
export interface Surroundings {
  open(address: URL, options: ConstructorParameters<typeof DatabaseSync>[1]): DatabaseSync;
  /** Waits, and ends early with the signal. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Whether this process may write a file or a folder. */
  mayWrite(path: string): boolean;
}

export const realSurroundings: Surroundings = {
  open: (address, options) => new DatabaseSync(address, options),
  wait: async (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
  mayWrite(path) {
    try {
      accessSync(path, access.W_OK);
      return true;
    } catch {
      return false;
    }
  },
};

/** SQLite itself waits this long for a lock, which blocks the process; after that we wait without blocking. */
const busyMs = 50;
const retryMs = 100;
/** Together with the two above: half a minute until LOCK_TIMED_OUT. */
const tries = 200;

/** One connection; its transactions run one after the other. */
export class Connection {
  readonly #settings: ConnectionSettings;
  readonly #side: 'source' | 'target';
  readonly #signal: AbortSignal;
  readonly #surroundings: Surroundings;
  #open: Session | undefined;
  /** Device and inode number of the open file. */
  #file: string | undefined;
  #isHeld = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: unknown, side: 'source' | 'target', signal: AbortSignal, surroundings: Surroundings) {
    this.#settings = connectionSettings.parse(settings);
    this.#side = side;
    this.#signal = signal;
    this.#surroundings = surroundings;
  }

  /**
   * Runs work in a transaction, and repeats it from the start while another connection holds the database.
   * @param work does nothing outside the database, since it may run more than once
   * @param most how often it is tried
   * @throws EngineError, LOCK_TIMED_OUT if the database stays locked
   */
  transaction<T>(kind: 'read' | 'write', work: (session: Session) => T, most = tries): Promise<T> {
    const run = this.#last.then(() => this.#try(kind, work, most));
    this.#last = run.catch(() => undefined); // reported to the caller of this transaction
    return run;
  }

  /**
   * Runs work that waits for something else in a write transaction, once.
   * @throws EngineError
   */
  longTransaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const run = this.transaction('read', (session) => session).then((session) => {
      const result = this.#last.then(() => this.#long(session, work));
      this.#last = result.catch(() => undefined); // reported to the caller of this transaction
      return result;
    });
    return run;
  }

  /** Begins a read transaction that lasts until the connection is closed; later reads run in it. @throws EngineError */
  async hold(): Promise<void> {
    await this.transaction('read', (session) => session);
    this.#open?.database.exec('BEGIN');
    // The first read takes the snapshot.
    this.#open?.row('SELECT 1 FROM sqlite_schema');
    this.#isHeld = true;
  }

  /**
   * The rows of a query on a table of the source, up to `most` rows or some bytes at a time, in one read transaction;
   * nothing else may use the connection meanwhile.
   */
  async *iterate(
    table: string,
    sql: string,
    most: number,
    of: (values: SQLOutputValue[]) => Row,
  ): AsyncGenerator<Row[]> {
    const session = await this.transaction('read', (opened) => opened);
    let rows: Row[] = [];
    let bytes = 0;
    try {
      for (const values of session.each(sql)) {
        const row = of(values);
        rows.push(row);
        bytes += sizeOf(row);
        if (rows.length < most && bytes < mostChunkBytes) continue;
        this.#signal.throwIfAborted();
        yield rows;
        rows = [];
        bytes = 0;
      }
    } catch (error) {
      throw this.#told(refusedQuery(error, table));
    }
    if (rows.length > 0) yield rows;
  }

  /** The finding that the file or its folder cannot be written, without trying, which would need a lock. */
  unwritable(): Finding[] {
    const path = databasePath(this.#settings);
    if ([path, dirname(path)].every((one) => this.#surroundings.mayWrite(one))) return [];
    const { message, hint } = new EngineError('FILE_READ_ONLY', this.#place());
    return [{ type: 'PRIVILEGES', side: this.#side, result: 'fault', sentence: `${message} ${hint}` }];
  }

  async close(): Promise<void> {
    await this.#last;
    this.#open?.database.close();
    this.#open = undefined;
  }

  async #try<T>(kind: 'read' | 'write', work: (session: Session) => T, most: number): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      this.#signal.throwIfAborted();
      try {
        return this.#once(this.#session(), kind, work);
      } catch (error) {
        if (!isBusy(error) || attempt >= most) throw this.#told(error);
      }
      await this.#surroundings.wait(retryMs, this.#signal);
    }
  }

  /** @throws EngineError CONNECTION_LOST if another file has replaced the open one, which is no longer in use */
  #session(): Session {
    if (!this.#open) {
      // Read before opening: a file that replaces it meanwhile is noticed by the next transaction.
      const file = fileOf(this.#settings);
      this.#open = new Session(openDatabase(this.#settings, this.#side, this.#surroundings));
      this.#file = file ?? fileOf(this.#settings);
    } else if (fileOf(this.#settings) !== this.#file) {
      throw new EngineError('CONNECTION_LOST', { ...this.#place(), subject: 'another file now has its name' });
    }
    return this.#open;
  }

  async #long<T>(session: Session, work: (session: Session) => Promise<T>): Promise<T> {
    try {
      session.database.exec('BEGIN IMMEDIATE');
      const result = await work(session);
      session.commit();
      return result;
    } catch (error) {
      session.rollback();
      throw this.#told(error);
    }
  }

  #once<T>(session: Session, kind: 'read' | 'write', work: (session: Session) => T): T {
    if (this.#isHeld && kind === 'read') return work(session);
    session.database.exec(kind === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN');
    try {
      const result = work(session);
      session.commit();
      return result;
    } catch (error) {
      session.rollback();
      throw error;
    }
  }

  /** SQLite cannot open a file whose log it cannot create either, and says the same of a missing one. */
  #told(error: unknown): unknown {
    const told = engineError(error, this.#place());
    const isThere = told instanceof EngineError && told.code === 'FILE_MISSING' && fileOf(this.#settings) !== undefined;
    return isThere ? new EngineError('FILE_READ_ONLY', told.place) : told;
  }

  #place(): ErrorPlace {
    return { side: this.#side };
  }
}

/** An open database with its prepared statements. */
export class Session {
  readonly database: DatabaseSync;
  readonly #statements = new LRUCache<string, ReturnType<DatabaseSync['prepare']>>({ max: 500 });

  #afterCommit: (() => void)[] = [];

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** Runs work once the transaction is committed, and drops it if the transaction is rolled back. */
  afterCommit(work: () => void): void {
    this.#afterCommit.push(work);
  }

  commit(): void {
    this.database.exec('COMMIT');
    for (const work of this.#afterCommit.splice(0)) work();
  }

  rollback(): void {
    this.#afterCommit = [];
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
  }

  /** The rows that a statement returns, integers as bigint. */
  rows(sql: string, ...values: SQLInputValue[]): SQLOutputValue[][] {
    return this.#prepared(sql)
      .all(...values)
      .map(asArray);
  }

  /** The rows one by one; the query holds its snapshot until it ends. */
  *each(sql: string, ...values: SQLInputValue[]): Generator<SQLOutputValue[]> {
    for (const row of this.database.prepare(sql).iterate(...values)) yield asArray(row);
  }

  /** The first row, or undefined if there is none. */
  row(sql: string, ...values: SQLInputValue[]): SQLOutputValue[] | undefined {
    return this.rows(sql, ...values)[0];
  }

  /** Runs one statement. @returns how many rows it changed */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepared(sql).run(...values).changes);
  }

  #prepared(sql: string): ReturnType<DatabaseSync['prepare']> {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function asArray(row: unknown): SQLOutputValue[] {
  if (Array.isArray(row)) return row;
  throw new TypeError('The connection was opened to return rows as arrays.');
}

/** Opens the file; a target that does not exist is created. @throws EngineError if it is outside the folder */
function openDatabase(
  settings: ConnectionSettings,
  side: 'source' | 'target',
  surroundings: Surroundings,
): DatabaseSync {
  const address = pathToFileURL(databasePath(settings));
  address.searchParams.set('mode', side === 'target' ? 'rwc' : 'rw');
  const database = surroundings.open(address, {
    readBigInts: true,
    returnArrays: true,
    defensive: true,
    timeout: busyMs,
    // Rows arrive in the order of the source's commits, not of its foreign keys, which the source has checked.
    enableForeignKeyConstraints: false,
  });
  // A schema created by someone else must reach no other file and no function with side effects.
  database.setAuthorizer((action) =>
    action === constants.SQLITE_ATTACH ? constants.SQLITE_DENY : constants.SQLITE_OK,
  );
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL');
  return database;
}

/** The file's real path. @throws EngineError if it leaves the folder */
function databasePath({ folder, file }: ConnectionSettings): string {
  const root = real(folder);
  const path = resolve(root, file);
  const place = resolve(real(dirname(path)), basename(path));
  const known = lstatSync(place, { throwIfNoEntry: false });
  // `real` refuses a dangling link: SQLite would create the file that it points to.
  const target = known?.isSymbolicLink() ? real(place) : place;
  if (!target.startsWith(root + sep)) {
    throw new EngineError('FILE_OUTSIDE');
  }
  return target;
}

/** Device and inode number of the file now at the path; undefined if there is none. */
function fileOf(settings: ConnectionSettings): string | undefined {
  const file = statSync(databasePath(settings), { bigint: true, throwIfNoEntry: false });
  return file && `${file.dev} ${file.ino}`;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The cause would expose a path on this machine.
    throw new EngineError('FILE_MISSING', { subject: "its folder, or a link's target" });
  }
}
