import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and those above it. Node's own `recursive` never returns where the system denies that an existing
 * folder can have the new one (ENOENT), as `/proc` and automount points do.
 * @param mode of each new folder
 * @throws the system's error
 */
export function makeFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have just created it.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
