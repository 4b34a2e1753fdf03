import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keyFile, storeFile } from './data-dir.ts';

/** Folder in `DATA_DIR` to which a restore copies. */
const partFolder = 'restore.part';
/** Its name once the store and key in it are complete: from then on they count, whoever moves them into place. */
const wholeFolder = 'restore.whole';

/** Whether a restore was cut off after its copy was complete and before it finished. */
export function isCutOff(dataDir: string): boolean {
  return existsSync(join(dataDir, wholeFolder));
}

/**
 * Moves a SQLite store and its key into place, as one: a kill at any moment leaves both old or both new ones, and
 * `finishRestore` does the rest. Callers of either function must hold the store's lock.
 * @param copy creates and fills a folder; if it throws, nothing was changed
 */
export async function replaceStore(dataDir: string, copy: (folder: string) => Promise<void>): Promise<void> {
  const part = join(dataDir, partFolder);
  try {
    await copy(part);
    for (const name of readdirSync(part)) syncFile(join(part, name));
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    throw error;
  }
  renameSync(part, join(dataDir, wholeFolder));
  moveToPlace(dataDir);
}

/** Finishes a restore that was killed. @returns how it ended; undefined if there was none */
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

/** The process may be killed after any step: the next run continues from there. */
function moveToPlace(dataDir: string): void {
  const whole = join(dataDir, wholeFolder);
  const target = join(dataDir, storeFile);
  if (existsSync(join(whole, storeFile))) {
    // The replaced file's log must not be applied to the new one.
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
