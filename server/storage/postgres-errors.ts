import pg from 'pg';
import { errorMessage } from '../error-message.ts';
import { StorageError, StorageRefused, StorageSilent } from './database.ts';

/** A deadlock or serialisation failure is not a mistake: the transaction is retried. */
const transient = new Set(['40001', '40P01']);

/** Whether the transaction may succeed when it is retried. */
export function isTransient(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && transient.has(error.code);
}

/** Whether a unique index already has a row with the same value. */
export function isTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}

/**
 * The server refuses every request for now: it is starting or stopping (57P), has no connections, memory or disk left
 * (53), accepts no connections to the database (55000, 3D000), rejects the password (28), or is read-only (25006), as a
 * standby is.
 */
const refusesAll = /^(?:57P|53|55000$|3D000$|28|25006$)/;
/** Of these, those that reject the password or do not know the database. */
const letsNobodyIn = /^(?:28|3D000$)/;
/** Of these, those for a full disk or a read-only server: it was reached. */
const takesNothing = /^(?:53100|25006)$/;

/** A statement took longer than it may, for itself or for a lock (57014, 55P03). */
const isSlow = /^(?:57014|55P03)$/;

/** No connection, a lost one, no answer in time, or an error that has nothing to do with the query. */
export function isSilence(error: unknown): boolean {
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : undefined;
  return code === undefined || refusesAll.test(code) || isSlow.test(code);
}

/** The error for a database that cannot be the store. */
export function unusableDatabase(cause: unknown): StorageError {
  const reason = errorMessage(cause);
  // PostgreSQL itself supports them all.
  if (reason.startsWith('unsupported startup parameter')) {
    return new StorageError(
      `DATABASE_URL leads through a pooler that does not pass on statement timeouts (${reason}): set DATABASE_URL to PostgreSQL itself.`,
      { cause },
    );
  }
  return new StorageError(
    `The database of DATABASE_URL cannot be used as a store (${reason}): use a separate database in which its user may create tables, or restore a backup with npm run restore.`,
    { cause },
  );
}

/** The driver's own error has no code. */
const noTls = 'The server does not support SSL connections';
const nameAuthority =
  'name the file of its certificate authority as sslrootcert in DATABASE_URL, or do not check its certificate, with sslmode=no-verify.';
/** For each reason not to trust a server's certificate, what to change in `DATABASE_URL`. */
const untrusted: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: nameAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: nameAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: nameAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: nameAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'use a name of its certificate as the host of DATABASE_URL, or do not check its certificate, with sslmode=no-verify.',
};

/** What to change if the TLS mode does not fit the server. */
function tlsAdvice(cause: unknown): string | undefined {
  if (errorMessage(cause) === noTls)
    return 'turn on TLS there, or connect in plain text with sslmode=disable in DATABASE_URL.';
  return cause instanceof Error && 'code' in cause ? untrusted[String(cause.code)] : undefined;
}

/** The error for a database that cannot be reached, or accepts no writes, for now. */
export function storageSilent(cause: unknown): StorageSilent {
  const code = cause instanceof pg.DatabaseError ? (cause.code ?? '') : '';
  const what = takesNothing.test(code)
    ? 'accepts no writes'
    : isSlow.test(code)
      ? 'does not answer in time'
      : 'cannot be reached';
  const advice = tlsAdvice(cause);
  const Kind = letsNobodyIn.test(code) || advice ? StorageRefused : StorageSilent;
  // The words of the server or the system contain no password.
  const reason = [errorMessage(cause), advice].filter(Boolean).join(': ');
  return new Kind(`The database of DATABASE_URL ${what}: ${reason}`, { cause });
}
