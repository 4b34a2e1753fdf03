import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const named = /^restore-\w{6}$/;
/** The only file in the folder of a restore. */
export const scriptFile = 'console.sql';

/** Makes a folder for the statements of a restore, for this user alone. */
export function makeScriptFolder(dataDir: string): string {
  return mkdtempSync(join(dataDir, 'restore-'));
}

/** Removes the folders of restores that were killed; one that holds anything else is somebody's own, and stays. */
export function removeLeftFolders(dataDir: string): void {
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    if (!entry.isDirectory() || !named.test(entry.name)) continue;
    const folder = join(dataDir, entry.name);
    if (readdirSync(folder).every((name) => name === scriptFile)) rmSync(folder, { recursive: true });
  }
}
