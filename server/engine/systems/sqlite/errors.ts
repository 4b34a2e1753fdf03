import { EngineError, type EngineErrorCode, type ErrorPlace } from '../../errors.ts';

/** SQLite's primary result codes: the low byte of an extended one. */
const busy = 5;
const locked = 6;
const codes: Record<number, EngineErrorCode> = {
  3: 'PRIVILEGE_MISSING', // PERM
  [busy]: 'LOCK_TIMED_OUT',
  [locked]: 'LOCK_TIMED_OUT',
  8: 'FILE_READ_ONLY',
  13: 'DISK_FULL',
  14: 'FILE_MISSING', // CANTOPEN
  18: 'ROW_TOO_LARGE', // TOOBIG
  19: 'CONSTRAINT_REFUSED',
  20: 'VALUE_REFUSED', // MISMATCH
  23: 'PRIVILEGE_MISSING', // AUTH
  26: 'FILE_UNREADABLE', // NOTADB
};

/** Extended codes that say more than their primary one. */
const extended: Record<number, EngineErrorCode> = {
  1032: 'CONNECTION_LOST', // READONLY_DBMOVED: the open file no longer has its name
  1555: 'UNIQUE_REFUSED', // PRIMARYKEY
  2067: 'UNIQUE_REFUSED',
  2579: 'UNIQUE_REFUSED', // ROWID
  1811: 'TRIGGER_IN_THE_WAY',
  3091: 'VALUE_REFUSED', // DATATYPE, of a STRICT table
};

/** Messages for errors without an SQLite code of their own; they contain only names. */
const messages: [RegExp, EngineErrorCode][] = [
  [/^no such table/, 'TABLE_MISSING'],
  [/^no such column|has no column named/, 'COLUMN_MISSING'],
];

/** Whether another connection has locked the database, so retrying helps. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && ((code & 0xff) === busy || (code & 0xff) === locked);
}

/** Whether a row was refused because another row has its unique value. */
export function isUniqueViolation(error: unknown): boolean {
  return extended[resultCode(error) ?? 0] === 'UNIQUE_REFUSED';
}

/** The EngineError for a SQLite error; SQLite's message is not kept, since triggers put values into it. */
export function engineError(error: unknown, place: ErrorPlace): unknown {
  const code = resultCode(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const state = String(code);
  const subject = place.side === 'target' ? missingName(error) : undefined;
  if (subject) return new EngineError('STRUCTURE_REFUSED', { ...place, subject, state });
  const said = messages.find(([pattern]) => pattern.test(error.message))?.[1];
  return new EngineError(extended[code] ?? codes[code & 0xff] ?? said ?? 'UNEXPECTED', { ...place, state });
}

/**
 * Runs a query on a table of the source.
 * @throws EngineError of the table if it fails on a value, as a filter may; SQLite's message is not kept, as above
 */
export function reading<T>(table: string, query: () => T): T {
  try {
    return query();
  } catch (error) {
    throw refusedQuery(error, table);
  }
}

/** The same for an error that such a query has thrown. */
export function refusedQuery(error: unknown, table: string): unknown {
  // The connection waits for locks, and needs SQLite's own error for that.
  if (isBusy(error)) return error;
  const told = engineError(error, { side: 'source', table });
  if (!(told instanceof EngineError) || told.code !== 'UNEXPECTED' || !isGeneric(error)) return told;
  const subject = missingName(error);
  return new EngineError('QUERY_REFUSED', { ...told.place, ...(subject && { subject }) });
}

/** The second form is of a definition that was read from a file. */
const missing = /^(?:no such|unknown) (function|collation)(?: sequence)?: (.+?)(?:\(\))?$/;

/** The function or collation that a statement names and SQLite does not have; undefined for any other error. */
function missingName(error: unknown): string | undefined {
  const [, kind = '', name] = (isGeneric(error) && missing.exec(error.message)) || [];
  return name === undefined ? undefined : `the ${kind} ${name}, which only the application has`;
}

/**
 * Why SQLite does not create what a statement describes, as far as the statement is the reason. The message contains
 * only names, since there are no rows.
 * @param what it describes, as a sentence names it
 */
export function lackOf(error: unknown, what: string): string | undefined {
  if (!isGeneric(error)) return undefined;
  const name = missingName(error);
  return name ? `${what} needs ${name}` : `SQLite says of ${what}: ${error.message}`;
}

/** Whether SQLite cannot prepare a statement, or the statement fails on a value. */
function isGeneric(error: unknown): error is Error {
  return ((resultCode(error) ?? 0) & 0xff) === 1;
}

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}
