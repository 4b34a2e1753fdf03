import { rm } from 'node:fs/promises';

/** Removes a stopped server's data folder: a child that was killed with it may end a moment later. */
export function removeDataDir(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
