import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isPlantedRoom, plantFaults } from './plant.ts';
import { mutateServer, roomOf, rooms } from './stryker.ts';

// `npm run mutants -- <folder or file> … [--sample 200 [--seed 1]]`: plants small faults in the code below server/http,
// server/site or server/content, one at a time, and runs the tests that reach each. `npm run mutants -- client
// [name …]`, `-- console [name …]` and `-- engine [name …]` plant those of client-faults.ts, console-faults.ts and
// engine-faults.ts, and run the tests that should catch them. Faults that no test catches are listed at the end.
const root = resolve(import.meta.dirname, '../..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
});
const [first, ...names] = positionals;

if (isPlantedRoom(first)) {
  if (!(await plantFaults(first, names))) process.exitCode = 1;
} else {
  const paths = positionals.map((path) => path.replace(/\/+$/, ''));
  const unknown = paths.filter((path) => !existsSync(join(root, path)) || !roomOf(path));
  if (paths.length === 0 || unknown.length > 0) {
    const not = unknown.length > 0 ? `, not ${unknown.join(', ')}` : '';
    console.error(`Name 'client', 'console' or 'engine', or files or folders below ${rooms.join(', ')}${not}.`);
    process.exit(2);
  }
  const sample = values.sample ? { size: Number(values.sample), seed: Number(values.seed) } : undefined;
  if (!(await mutateServer(paths, sample))) process.exitCode = 1;
}
