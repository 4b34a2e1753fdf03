import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { keepScore, readScore } from './score.ts';
import { installStryker } from './tools.ts';

const root = resolve(import.meta.dirname, '../..');

/** The rooms whose code Stryker mutates. */
export const rooms: readonly string[] = ['server/http', 'server/site', 'server/content'];

export const roomOf = (path: string): string | undefined => rooms.find((room) => `${path}/`.startsWith(`${room}/`));

/**
 * Has Stryker plant its faults in files or folders, or in a sample drawn from them, and prints what no test noticed. The
 * score of a whole room is kept.
 * @returns true when Stryker came to its end
 */
export async function mutateServer(
  paths: readonly string[],
  sample: { size: number; seed: number } | undefined,
): Promise<boolean> {
  const modules = installStryker();
  const folder = mkdtempSync(join(tmpdir(), 'millrace-mutants-'));
  const reports = join(root, 'data/mutants');
  const name = paths.join('+').replaceAll('/', '-');
  const jsonFile = join(reports, `${name}.json`);
  mkdirSync(reports, { recursive: true });

  const options = {
    mutate: paths.flatMap((path) => (path.endsWith('.ts') ? [path] : [`${path}/**/*.ts`, `!${path}/**/*.test.ts`])),
    plugins: [
      join(modules, '@stryker-mutator/vitest-runner/dist/src/index.js'),
      ...(sample ? [join(import.meta.dirname, 'sample.ts')] : []),
    ],
    checkers: sample ? ['sample'] : [],
    testRunner: 'vitest',
    vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: true },
    coverageAnalysis: 'perTest',
    // One process: two processors are what it may have, and tests start threads of their own.
    concurrency: 1,
    // On a busy machine a slow test is no proof that a fault was noticed.
    timeoutMS: 30_000,
    // Stryker would read tsconfig.json with an interface that TypeScript 7 no longer has; Node runs the code as it is.
    tsconfigFile: 'none.json',
    // Nothing checks types here, and built files must stay as they are.
    disableTypeChecks: false,
    ignorePatterns: ['/data', '/scripts/mutants/tools'],
    tempDirName: join(folder, 'sandbox'),
    // What runs once, when a file is loaded, takes all tests for each fault: too long for a sample.
    ignoreStatic: sample !== undefined,
    // What an earlier run has found would come into the sample from outside of the draw.
    incremental: !sample,
    incrementalFile: join(reports, `${name}.incremental.json`),
    reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: process.stdout.isTTY },
    htmlReporter: { fileName: join(reports, `${name}.html`) },
    jsonReporter: { fileName: jsonFile },
  };

  try {
    const file = join(folder, 'stryker.json');
    writeFileSync(file, JSON.stringify(options));
    const args = [join(modules, '@stryker-mutator/core/bin/stryker.js'), 'run', file];
    const env = {
      ...process.env,
      NODE_ENV: 'test',
      // For each fault anew, a few must do.
      FUZZ_REQUESTS: '1000',
      MUTANTS_ROOMS: [...new Set(paths.map(roomOf))].join(','),
      MUTANTS_SAMPLE: String(sample?.size),
      MUTANTS_SEED: String(sample?.seed),
    };
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env });
    const [code] = await once(child, 'exit');
    if (code !== 0) return false;
    console.log(`› Every fault in its place: ${join(reports, `${name}.html`)}`);
    const [only = '', ...more] = paths;
    if (rooms.includes(only) && more.length === 0) keepScore(only, readScore(jsonFile, sample?.seed));
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
