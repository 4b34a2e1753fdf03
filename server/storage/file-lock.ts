import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../make-folder.ts';
import { StorageError } from './database.ts';
import { isBusy, unusableFile } from './sqlite-errors.ts';

/** Thrown when another process holds a lock. */
export class FileLocked extends StorageError {
  override name = 'FileLocked';
}

/**
 * Keeps a second server process off the same SQLite file. It is a lock of the operating system, held on a file beside
 * it, and ends with the process, however that ends; operator commands do not take it.
 * @throws FileLocked when another process holds it, StorageError when its file cannot be created or the disk is full
 * @returns releases the lock
 */
export function lockFile(file: string): () => void {
  const lock = open(`${file}.lock`);
  try {
    lock.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw unusableFile(file, cause);
    throw new FileLocked(
      `Another server process is using ${file}: stop it, give this one its own DATA_DIR, or set DATABASE_URL so that several can share PostgreSQL.`,
      { cause },
    );
  }
  return () => lock.close();
}

function open(file: string): DatabaseSync {
  try {
    makeFolder(dirname(file));
    return new DatabaseSync(file, { timeout: 0 });
  } catch (cause) {
    throw unusableFile(file, cause);
  }
}
