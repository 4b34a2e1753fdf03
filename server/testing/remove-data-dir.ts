import { rm } from 'node:fs/promises';

/** Removes the data folder of a server that has ended: a child that was killed with it may end a moment later. */
export function removeDataDir(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
