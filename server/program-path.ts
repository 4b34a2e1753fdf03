import { extname, join } from 'node:path';

/**
 * Path of another program of ours, to be started as a process or a thread of its own.
 * @param name its source file below server/, without the ending
 * @returns in a bundle (vite.server.config.ts) the bundled program, else the source file
 */
export function programPath(name: string): string {
  return join(import.meta.dirname, name + extname(import.meta.filename));
}
