import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keyFile, storeFile } from './data-dir.ts';

/** Folder in `DATA_DIR` into which a restore copies. */
const partFolder = 'restore.part';
/** Its name once store and key in it are whole: from then on they count, whoever moves them into their place. */
const wholeFolder = 'restore.whole';

/** Whether a restore was cut off between its copy and its end. */
export function isCutOff(dataDir: string): boolean {
  return existsSync(join(dataDir, wholeFolder));
}

/**
 * Puts a SQLite store and its key in their place, as one: a kill at any moment leaves all of the old or all of the new
 * ones, and `finishRestore` does the rest. Whoever calls either has the lock of the store.
 * @param copy makes and fills a folder; where it throws, nothing was changed
 */
export function putBack(dataDir: string, copy: (folder: string) => void): void {
  const part = join(dataDir, partFolder);
  try {
    copy(part);
    for (const name of readdirSync(part)) syncFile(join(part, name));
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
  renameSync(part, join(dataDir, wholeFolder));
  moveToPlace(dataDir);
}

/** Does what is left to do of a restore that was killed. @returns how it ended by that; undefined where there was none */
export function finishRestore(dataDir: string): 'completed' | 'undone' | undefined {
  if (isCutOff(dataDir)) {
    moveToPlace(dataDir);
    return 'completed';
  }
  const part = join(dataDir, partFolder);
  if (!existsSync(part)) return undefined;
  rmSync(part, { recursive: true });
  return 'undone';
}

/** Each step may be the last of its process: the next one goes on behind it. */
function moveToPlace(dataDir: string): void {
  const whole = join(dataDir, wholeFolder);
  const target = join(dataDir, storeFile);
  if (existsSync(join(whole, storeFile))) {
    // A log of the replaced file must not be read into the new one.
    for (const ending of ['-wal', '-shm']) rmSync(target + ending, { force: true });
    renameSync(join(whole, storeFile), target);
  }
  if (existsSync(join(whole, keyFile))) renameSync(join(whole, keyFile), join(dataDir, keyFile));
  rmSync(whole, { recursive: true });
}

function syncFile(file: string): void {
  const opened = openSync(file, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
