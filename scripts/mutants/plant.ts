import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { clientFaults } from './client-faults.ts';
import { consoleFaults } from './console-faults.ts';
import { engineFaults } from './engine-faults.ts';
import { keepScore } from './score.ts';

/** A fault of a line or two, and where it should be noticed. */
export interface PlantedFault {
  name: string;
  /** Below the room's folder. */
  file: string;
  /** Stands in the file once. */
  old: string;
  new: string;
  /** Browser tests below scripts/e2e/ by their names, others by their paths. */
  tests: readonly string[];
  /** Words of the titles of those that ought to notice, where their files hold many more. */
  only?: string;
}

/** Rooms whose faults are written down by hand. */
const rooms = {
  client: { folder: 'client', faults: clientFaults, projects: [] },
  // Of its backend and of what its operator types; the tests of its jobs are those of the engine.
  console: { folder: '.', faults: consoleFaults, projects: ['console', 'engine'] },
  engine: { folder: 'server/engine', faults: engineFaults, projects: ['engine'] },
} as const;

export type PlantedRoom = keyof typeof rooms;

export const isPlantedRoom = (name: string | undefined): name is PlantedRoom =>
  name !== undefined && Object.hasOwn(rooms, name);

const root = resolve(import.meta.dirname, '../..');
/** What a fault keeps from coming is not waited for as long as on a starved machine. */
const longestMs = 40_000;
const resultsFile = (room: PlantedRoom) => join(root, `data/mutants/${room}.json`);

/** What became of each fault, by name: the test that noticed it, or null. */
const outcomes = z.record(z.string(), z.string().nullable());

/**
 * Plants faults in a copy of the project, one at a time, and runs the tests that ought to notice.
 * @param names which faults; all without a name
 * @returns false when no test noticed one of them
 */
export async function plantFaults(room: PlantedRoom, names: readonly string[]): Promise<boolean> {
  const chosen = rooms[room].faults.filter(({ name }) => names.length === 0 || names.includes(name));
  refuseUnknown(room, names, chosen);
  const copy = copyProject();
  const noticed: boolean[] = [];
  try {
    for (const fault of chosen) {
      const test = await plant(room, fault, copy);
      console.log(test === null ? `✗ ${fault.name}: nobody noticed` : `✓ ${fault.name}: ${test}`);
      noticed.push(test !== null);
      keepOutcome(room, fault.name, test);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  return noticed.every(Boolean);
}

/** Writes what became of a fault beside the others of earlier runs; their score is of all that were planted so far. */
function keepOutcome(room: PlantedRoom, name: string, test: string | null): void {
  const file = resultsFile(room);
  const before = existsSync(file) ? outcomes.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  const results = { ...before, [name]: test };
  mkdirSync(join(root, 'data/mutants'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  const known = rooms[room].faults.filter((fault) => fault.name in results);
  keepScore(room, {
    planted: known.length,
    noticed: known.filter((fault) => results[fault.name] !== null).length,
  });
}

/** Faults of a room that cannot be planted any more, each with the reason: the code has changed. */
export function staleFaults(room: PlantedRoom): string[] {
  const { folder, faults } = rooms[room];
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const moved = faults
    .filter(({ file, old }) => read(join(folder, file)).split(old).length !== 2)
    .map(({ name, file }) => `${name} (its text is not once in ${join(folder, file)})`);
  const untold = faults
    .filter(({ only, tests }) => only !== undefined && !tests.some((test) => read(test).includes(only)))
    .map(({ name, only }) => `${name} (no test of it is called “${only}”)`);
  return [...moved, ...untold];
}

/** A name that is not on the list, or a text that the code no longer has. @throws with all of them */
function refuseUnknown(room: PlantedRoom, names: readonly string[], chosen: readonly PlantedFault[]): void {
  const unknown = names.filter((name) => !chosen.some((fault) => fault.name === name));
  const lost = [...unknown, ...staleFaults(room)];
  if (lost.length > 0) throw new Error(`scripts/mutants/${room}-faults.ts has no such fault: ${lost.join(', ')}.`);
}

function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'millrace-planted-faults-'));
  const left = new Set(['.git', 'node_modules', 'data'].map((name) => join(root, name)));
  const tools = /[/\\]tools[/\\]node_modules$/;
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(path) && !tools.test(path) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  return copy;
}

async function plant(
  room: PlantedRoom,
  { file, old, new: changed, tests, only }: PlantedFault,
  copy: string,
): Promise<string | null> {
  const { folder, projects } = rooms[room];
  const path = join(copy, folder, file);
  const sound = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    sound.replace(old, () => changed),
  );
  try {
    return await firstFailure(tests, only, projects, copy);
  } finally {
    writeFileSync(path, sound);
  }
}

/** Runs tests until one fails, those of the browser on a build of the copy. @returns its name, or null when all passed */
async function firstFailure(
  tests: readonly string[],
  only: string | undefined,
  projects: readonly string[],
  copy: string,
): Promise<string | null> {
  const files = tests.map((test) => (test.includes('/') ? test : `scripts/e2e/${test}.e2e.ts`));
  const runner =
    projects.length === 0
      ? ['scripts/test.mjs']
      : ['node_modules/vitest/vitest.mjs', 'run', ...projects.map((project) => `--project=${project}`)];
  const named = only === undefined ? [] : ['-t', only];
  const args = [...runner, ...files, ...named, '--bail=1', `--testTimeout=${longestMs}`];
  const env = { ...process.env, NODE_ENV: 'test', NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { cwd: copy, env });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  if (code === 0) return null;
  const output = Buffer.concat(chunks).toString();
  const failed = /^ FAIL +(.+)$/m.exec(output)?.[1];
  if (!failed) throw new Error(`The tests did not run:\n${output}`);
  return failed;
}
