import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { clientFaults } from './client-faults.ts';
import { consoleFaults } from './console-faults.ts';
import { engineFaults } from './engine-faults.ts';
import type { PlantedFault } from './planted-fault.ts';
import { keepScore } from './score.ts';

/** Rooms whose faults are listed by hand. */
const rooms = {
  client: { folder: 'client', faults: clientFaults, projects: [] },
  // The console backend's and the operator commands' tests; the job tests are the engine's.
  console: { folder: '.', faults: consoleFaults, projects: ['console', 'engine'] },
  engine: { folder: 'server/engine', faults: engineFaults, projects: ['engine'] },
} as const;

export type PlantedRoom = keyof typeof rooms;

export const isPlantedRoom = (name: string | undefined): name is PlantedRoom =>
  name !== undefined && Object.hasOwn(rooms, name);

const root = resolve(import.meta.dirname, '../..');
/** A fault may keep a result from ever coming, so tests wait less long than on a starved machine. */
const longestMs = 40_000;
const resultsFile = (room: PlantedRoom) => join(root, `data/mutants/${room}.json`);

/** The result of each fault, by name: the test that caught it, or null. */
const outcomes = z.record(z.string(), z.string().nullable());

/**
 * Plants faults in a copy of the project, one at a time, and runs the tests that should catch them.
 * @param names which faults; all of them if empty
 * @returns false if no test caught one of them
 */
export async function plantFaults(room: PlantedRoom, names: readonly string[]): Promise<boolean> {
  const chosen = rooms[room].faults.filter(({ name }) => names.length === 0 || names.includes(name));
  refuseUnknown(room, names, chosen);
  const copy = copyProject();
  const noticed: boolean[] = [];
  try {
    for (const fault of chosen) {
      const test = await plant(room, fault, copy);
      console.log(test === null ? `✗ ${fault.name}: no test caught it` : `✓ ${fault.name}: ${test}`);
      noticed.push(test !== null);
      keepOutcome(room, fault.name, test);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  return noticed.every(Boolean);
}

/** Stores a fault's result beside those of earlier runs, and the score once every fault has been planted. */
function keepOutcome(room: PlantedRoom, name: string, test: string | null): void {
  const file = resultsFile(room);
  const before = existsSync(file) ? outcomes.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  const results = { ...before, [name]: test };
  mkdirSync(join(root, 'data/mutants'), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  const { faults } = rooms[room];
  if (!faults.every((fault) => fault.name in results)) return;
  const noticed = faults.filter((fault) => results[fault.name] !== null).length;
  keepScore(room, { planted: faults.length, noticed });
}

/** Faults of a room that can no longer be planted because the code has changed, each with the reason. */
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

/** Checks for names that are not on the list and texts that the code no longer has. @throws with all of them */
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

/** Runs tests until one fails, browser tests on a build of the copy. @returns its name, or null if all passed */
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
  // The fault is in the source only; `npm test` builds it.
  const env = { ...process.env, NODE_ENV: 'test', NO_COLOR: '1', TESTED_PROGRAMS: '' };
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
