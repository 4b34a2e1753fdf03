import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const named = /^restore-\w{6}$/;
/** The file with a restore's statements, in its folder. */
export const scriptFile = 'console.sql';
/** The file with the dump's table of contents, beside it. */
export const listFile = 'console.list';
const own: readonly string[] = [scriptFile, listFile];

/** Creates a folder for a restore's statements, readable by this user only. */
export function makeScriptFolder(dataDir: string): string {
  return mkdtempSync(join(dataDir, 'restore-'));
}

/** Removes the folders of killed restores; a folder with any other content is not ours, and stays. */
export function removeLeftFolders(dataDir: string): void {
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    if (!entry.isDirectory() || !named.test(entry.name)) continue;
    const folder = join(dataDir, entry.name);
    if (readdirSync(folder).every((name) => own.includes(name))) rmSync(folder, { recursive: true });
  }
}
