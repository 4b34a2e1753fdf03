import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { z } from 'zod';

const manifest = z.record(z.string(), z.object({ file: z.string() }));

/** Paths of the programs in a bundle's folder (vite.server.config.ts) by their sources, e.g. `server/engine/main.ts`. */
export function builtPrograms(folder: string): Map<string, string> {
  const files = manifest.parse(JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')));
  return new Map(Object.entries(files).map(([source, { file }]) => [source, join(folder, file)]));
}

/** In a bundle, read at the start: programs of a later build, which may replace it here, belong to another server. */
const built = extname(import.meta.filename) === '.mjs' ? builtPrograms(import.meta.dirname) : undefined;

/**
 * Path of another program of ours, to be started as a process or a thread of its own.
 * @param name its source file below server/, without the ending
 * @returns in a bundle the bundled program, else the source file
 */
export function programPath(name: string): string {
  return built?.get(`server/${name}.ts`) ?? join(import.meta.dirname, `${name}.ts`);
}
