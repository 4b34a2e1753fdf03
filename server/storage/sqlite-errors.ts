import { basename, dirname } from 'node:path';
import { errorMessage } from '../error-message.ts';
import { StorageError, StorageSilent } from './database.ts';

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
export function faultOfFile(file: string, cause: unknown): StorageError | undefined {
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

/** Whether the system did not let the user create a folder or a file; in places such as /proc it says ENOENT. */
const isNotAllowed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['EACCES', 'ENOENT', 'EPERM', 'EROFS'].includes(String(error.code));

/** Whether an error has one of these SQLite codes, which are the low byte of the extended ones. */
function hasCode(error: unknown, codes: ReadonlySet<number>): boolean {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return false;
  return codes.has(error.errcode & 0xff);
}

/** Whether a unique index already has a row with the same value. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && taken.has(error.errcode);
}
