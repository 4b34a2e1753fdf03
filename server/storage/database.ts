import type { ZodType } from 'zod';

/** The type of a parameter or cell; booleans are 0 and 1, moments are epoch milliseconds, JSON is text. */
export type SqlValue = string | number | bigint | null | Uint8Array;

/** SQL that SQLite and PostgreSQL both understand; parameters are `$1`, `$2`, … */
export interface Queries {
  /**
   * The rows of a query, each validated.
   * @throws StorageError when a row does not match the schema
   */
  all<Row>(schema: ZodType<Row>, sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** The first row, or undefined. */
  one<Row>(schema: ZodType<Row>, sql: string, parameters?: readonly SqlValue[]): Promise<Row | undefined>;
  /** Runs a statement. @returns the number of rows it changed */
  run(sql: string, parameters?: readonly SqlValue[]): Promise<number>;
  /** Runs several statements without parameters, as in a migration. */
  script(sql: string): Promise<void>;
}

/** A database, on SQLite or PostgreSQL. */
export interface Database extends Queries {
  readonly kind: 'sqlite' | 'postgres';
  /** Does all of `work` or none of it; what was committed survives a kill of the process. */
  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** A transaction that runs alone among its kind, across processes too: for migrations. */
  exclusively<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /**
   * Takes a lock that one process at a time can hold; undefined when another one holds it. A SQLite file has only one
   * server process in any case, see file-lock.ts.
   */
  hold(lock: number): Promise<Held | undefined>;
  /** Whether a process holds such a lock; a SQLite file's only server process always does. */
  isHeld(lock: number): Promise<boolean>;
  close(): Promise<void>;
}

/** A lock that this process holds. */
export interface Held {
  /** Fires when the lock is lost without having been released. */
  lost: AbortSignal;
  release(): Promise<void>;
}

/** Thrown when the database has unexpected content or cannot be used; the sentence is for the operator. */
export class StorageError extends Error {
  override name = 'StorageError';
}

/**
 * Thrown while the database does not answer or refuses every request: trying again later may help. The server's store
 * logs this once for all that use it.
 */
export class StorageSilent extends StorageError {
  override name = 'StorageSilent';
}

/** Thrown when the password or the TLS mode is rejected, or the database's name unknown: at a start, these settings are wrong. */
export class StorageRefused extends StorageSilent {
  override name = 'StorageRefused';
}

/** Thrown when a unique index already has a row with the same value; the transaction can only fail. */
export class StorageTaken extends StorageError {
  override name = 'StorageTaken';

  constructor(cause: unknown) {
    super('The store already has a row with the same value.', { cause });
  }
}

/** Validates a row from a database. */
export function checkRow<Row>(schema: ZodType<Row>, row: unknown, sql: string): Row {
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new StorageError(
    `The database returned a row of an unexpected shape (${where}) for: ${sql.trim().slice(0, 120)}`,
  );
}
