import type { ZodType } from 'zod';

/** What a parameter or a cell may be; booleans are 0 and 1, moments are epoch milliseconds, JSON is text. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** SQL that SQLite and PostgreSQL both understand; parameters are `$1`, `$2`, … */
export interface Queries {
  /**
   * Rows of a query, each checked.
   * @throws StorageError when a row is not of the schema's shape
   */
  all<Row>(schema: ZodType<Row>, sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** The first row, or undefined. */
  one<Row>(schema: ZodType<Row>, sql: string, parameters?: readonly SqlValue[]): Promise<Row | undefined>;
  /** Runs a statement. @returns the number of rows it changed */
  run(sql: string, parameters?: readonly SqlValue[]): Promise<number>;
  /** Runs several statements without parameters, as a migration holds them. */
  script(sql: string): Promise<void>;
}

/** One database, on SQLite or on PostgreSQL. */
export interface Database extends Queries {
  readonly kind: 'sqlite' | 'postgres';
  /** All of `work` or nothing of it; what the last commit holds survives a kill of the process. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** A transaction that no other one of this kind runs beside, in other processes neither: for migrations. */
  exclusively<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * Takes a lock that one process at a time has; undefined when another one has it. On a SQLite file there is one server
   * process in any case, see file-lock.ts.
   */
  hold(lock: number): Promise<Held | undefined>;
  /** Whether a process has such a lock; of a SQLite file its one server process always does. */
  isHeld(lock: number): Promise<boolean>;
  close(): Promise<void>;
}

/** A lock that this process has. */
export interface Held {
  /** Fires when the lock is lost without having been given back. */
  lost: AbortSignal;
  release(): Promise<void>;
}

/** Thrown when the database holds what it should not, or cannot be used; the sentence is for the operator. */
export class StorageError extends Error {
  override name = 'StorageError';
}

/** Thrown while the database does not answer, or refuses whatever it is asked: trying again later may help. */
export class StorageSilent extends StorageError {
  override name = 'StorageSilent';
}

/** Thrown while the database knows neither the password nor the name that it is asked with: at a start they are set wrongly. */
export class StorageRefused extends StorageSilent {
  override name = 'StorageRefused';
}

/** Thrown when a unique index has a row with the same value already; its transaction can only fail. */
export class StorageTaken extends StorageError {
  override name = 'StorageTaken';

  constructor(cause: unknown) {
    super('The store has a row with the same value already.', { cause });
  }
}

/** Checks a row that came from a database. */
export function checkRow<Row>(schema: ZodType<Row>, row: unknown, sql: string): Row {
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new StorageError(`The database answered a row of another shape (${where}) to: ${sql.trim().slice(0, 120)}`);
}
