import pg from 'pg';
import { EngineError, type EngineErrorCode, type ErrorPlace } from '../../errors.ts';
import type { Named } from '../../sink.ts';
import { tableName } from '../../table.ts';

/** SQLSTATE of the server's internal errors. */
const internal = 'XX000';

/** SQLSTATEs; exact ones take precedence over their classes. */
const states: Record<string, EngineErrorCode> = {
  '08P01': 'UNEXPECTED',
  '08': 'CONNECTION_LOST',
  '0A000': 'TABLE_CHANGED',
  // Two rows of one statement are the same row for the target, whose key distinguishes fewer rows.
  '21000': 'UNIQUE_REFUSED',
  '22021': 'ENCODING_REFUSED',
  '22P05': 'ENCODING_REFUSED',
  '22': 'VALUE_REFUSED',
  '23505': 'UNIQUE_REFUSED',
  '23P01': 'UNIQUE_REFUSED',
  '23': 'CONSTRAINT_REFUSED',
  '25006': 'SERVER_READ_ONLY',
  '25P03': 'CONNECTION_LOST',
  '25P04': 'CONNECTION_LOST',
  // No pg_hba.conf rule matches, or the role does not exist and no password is asked for.
  '28000': 'SIGN_IN_NOT_ALLOWED',
  '28': 'SIGN_IN_REFUSED',
  '3D000': 'DATABASE_NOT_FOUND',
  '3F000': 'TABLE_MISSING',
  '40': 'DEADLOCK',
  '42501': 'PRIVILEGE_MISSING',
  '42703': 'COLUMN_MISSING',
  // The target has no unique index on the row's key.
  '42P10': 'TABLE_WITHOUT_KEY',
  '42P01': 'TABLE_MISSING',
  '53100': 'DISK_FULL',
  '53200': 'SERVER_MEMORY_FULL',
  '53300': 'TOO_MANY_CONNECTIONS',
  '53400': 'SLOT_LIMIT',
  '53': 'SERVER_FAULT',
  '54': 'ROW_TOO_LARGE',
  '55000': 'SETTING_MISSING',
  '55006': 'SLOT_TAKEN',
  '55P03': 'LOCK_TIMED_OUT',
  '57014': 'STATEMENT_CANCELLED',
  '57P01': 'SESSION_ENDED',
  '57P04': 'DATABASE_NOT_FOUND',
  '57P05': 'CONNECTION_LOST',
  '57P': 'SERVER_SHUTTING_DOWN',
  '58P01': 'SLOT_MISSING',
  '58': 'SERVER_FAULT',
  // Includes a table dropped while the server was decoding it, and a damaged page.
  XX: 'SERVER_FAULT',
};

/** Routines that open a slot's log; the same SQLSTATE is used for other missing files. */
const logReaders = ['WalSndSegmentOpen', 'wal_segment_open', 'CheckXLogRemoved'];

/** Routines that fail when another session has changed the same definition meanwhile, as with GRANT: no lock is needed. */
const catalogWriters = ['simple_heap_update', 'simple_heap_delete'];

/** Settings whose limit is reported under a shared SQLSTATE; nothing else of the message is kept. */
const limits: { state: string; setting: string; code: EngineErrorCode }[] = [
  { state: '53300', setting: 'max_wal_senders', code: 'TOO_MANY_CONNECTIONS' },
  { state: '53400', setting: 'temp_file_limit', code: 'TEMP_FILE_LIMIT' },
];

/** Node.js error codes of system calls and name resolution. */
const errnos: Record<string, EngineErrorCode> = {
  ECONNREFUSED: 'CONNECTION_REFUSED',
  EHOSTUNREACH: 'CONNECTION_REFUSED',
  ENETUNREACH: 'CONNECTION_REFUSED',
  ENOENT: 'CONNECTION_REFUSED',
  ECONNRESET: 'CONNECTION_LOST',
  EPIPE: 'CONNECTION_LOST',
  ABORT_ERR: 'CONNECTION_LOST',
  ETIMEDOUT: 'CONNECTION_TIMED_OUT',
  ENOTFOUND: 'HOST_NOT_FOUND',
  EAI_AGAIN: 'HOST_NOT_FOUND',
  ERR_STRING_TOO_LONG: 'ROW_TOO_LARGE',
  EPROTO: 'TLS_FAILED',
};

/** Errors that pg and its SASL code throw without a code; matched by prefix. */
const sentences: [string, EngineErrorCode][] = [
  ['The server does not support SSL', 'TLS_NOT_OFFERED'],
  // Neither of the two letters with which PostgreSQL answers the request for TLS.
  ['There was an error establishing an SSL', 'NOT_POSTGRESQL'],
  ['timeout expired', 'CONNECTION_TIMED_OUT'],
  ['Query read timeout', 'CONNECTION_TIMED_OUT'],
  ['SASL', 'SIGN_IN_REFUSED'],
  ['Connection terminated', 'CONNECTION_LOST'],
  ['Client has encountered a connection error', 'CONNECTION_LOST'],
  ['Client was closed', 'CONNECTION_LOST'],
];

/**
 * An error of the driver or the server as an EngineError. The server's messages, details and contexts contain row
 * values, so only the SQLSTATE and the names of objects are kept.
 */
export function engineError(error: unknown, place: ErrorPlace = {}): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof pg.DatabaseError) return new EngineError(codeOf(error), placeOf(error, place));
  if (!(error instanceof Error)) return new EngineError('UNEXPECTED', place);
  const errno = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (errno) {
    const known = errnos[errno] ?? tlsCode(errno) ?? 'UNEXPECTED';
    return new EngineError(known, { ...place, state: errno });
  }
  const known = sentences.find(([beginning]) => error.message.startsWith(beginning));
  if (known) return new EngineError(known[1], place);
  // A fault of our own: it contains no row values, and its stack is needed to report it.
  return new EngineError('UNEXPECTED', place, { cause: error });
}

/** Node.js names what OpenSSL found wrong with a certificate or the handshake. */
function tlsCode(errno: string): EngineErrorCode | undefined {
  if (/^ERR_(SSL|OSSL)/.test(errno)) return 'TLS_FAILED';
  if (/CERT|SIGNATURE/.test(errno)) return 'CERTIFICATE_REFUSED';
  return errno.startsWith('ERR_TLS') ? 'TLS_FAILED' : undefined;
}

/** SQLSTATEs for a server object that a value names, such as the role of a `regrole`. */
const ofNames = ['3F000', '42704', '42725', '42883', '42P01'];

/** The same for writing rows, one of which the target may refuse. */
export function rowError(error: unknown, table: Named): EngineError {
  const place = { side: 'target', table: tableName(table) } as const;
  if (!(error instanceof pg.DatabaseError)) return engineError(error, place);
  const code = refusalOf(error, table);
  return code ? new EngineError(code, placeOf(error, place)) : engineError(error, place);
}

/** Why a row is refused when the SQLSTATE alone does not show that the error is about a row. */
function refusalOf({ code = '', position, message }: pg.DatabaseError, table: Named): EngineErrorCode | undefined {
  // Raised by a function in a constraint.
  if (code.startsWith('P0')) return 'CONSTRAINT_REFUSED';
  // A name in the statement comes with its position in the text, or is the table's.
  const isOfStatement =
    position !== undefined || [table.schema, tableName(table)].some((own) => message.includes(`"${own}"`));
  return ofNames.includes(code) && !isOfStatement ? 'VALUE_REFUSED' : undefined;
}

function limitOf({ code, message }: pg.DatabaseError) {
  return limits.find(({ state, setting }) => code === state && message.includes(setting));
}

function codeOf(error: pg.DatabaseError): EngineErrorCode {
  const { code: state = '', routine } = error;
  const limit = limitOf(error);
  if (limit) return limit.code;
  // Reported like a check violation, which would name its constraint.
  if (state === '23514' && routine === 'ExecFindPartition') return 'PARTITION_MISSING';
  // The same SQLSTATE as for a missing privilege.
  if (state === '42501' && routine === 'check_enable_rls') return 'ROW_SECURITY';
  if (state === internal && catalogWriters.includes(routine ?? '')) return 'DEADLOCK';
  if (state === '58P01' && !logReaders.includes(routine ?? '')) return 'SERVER_FAULT';
  return states[state] ?? states[state.slice(0, 3)] ?? states[state.slice(0, 2)] ?? 'UNEXPECTED';
}

function placeOf(error: pg.DatabaseError, place: ErrorPlace): ErrorPlace {
  const limit = limitOf(error);
  const table = error.table ? [error.schema, error.table].filter(Boolean).join('.') : undefined;
  return {
    ...(table && { table }),
    ...(error.column && { column: error.column }),
    ...(error.constraint && { constraint: error.constraint }),
    ...(error.code && { state: stateOf(error) }),
    ...place,
    ...(limit && { subject: limit.setting }),
  };
}

/** Anyone investigating an internal server error needs to know where it was raised. */
function stateOf({ code = '', routine }: pg.DatabaseError): string {
  return code === internal && routine ? `${code} in ${routine}` : code;
}
