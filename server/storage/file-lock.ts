import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageError } from './database.ts';

/**
 * Keeps a second server process off the same SQLite file. The lock is the system's own, held on a file beside it, and
 * ends with the process however it ends; operator commands do not ask for it.
 * @throws StorageError when another process holds it
 * @returns gives the lock back
 */
export function lockFile(file: string): () => void {
  mkdirSync(dirname(file), { recursive: true });
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (cause) {
    lock.close();
    throw new StorageError(
      `Another server process uses ${file}: stop it, give this one its own DATA_DIR, or set DATABASE_URL so that several can share PostgreSQL.`,
      { cause },
    );
  }
  return () => lock.close();
}
