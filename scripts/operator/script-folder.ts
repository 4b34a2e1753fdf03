import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const named = /^restore-\w{6}$/;
/** The statements of a restore, in its folder. */
export const scriptFile = 'console.sql';
/** What the dump holds, beside them. */
export const listFile = 'console.list';
const own: readonly string[] = [scriptFile, listFile];

/** Makes a folder for the statements of a restore, for this user alone. */
export function makeScriptFolder(dataDir: string): string {
  return mkdtempSync(join(dataDir, 'restore-'));
}

/** Removes the folders of restores that were killed; one that holds anything else is somebody's own, and stays. */
export function removeLeftFolders(dataDir: string): void {
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    if (!entry.isDirectory() || !named.test(entry.name)) continue;
    const folder = join(dataDir, entry.name);
    if (readdirSync(folder).every((name) => own.includes(name))) rmSync(folder, { recursive: true });
  }
}
