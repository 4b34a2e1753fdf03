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
 * Runs Stryker on files or folders, or on a sample of their faults, and prints the faults that no test caught. The
 * score of a whole room is kept.
 * @returns true if Stryker finished
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
    // One process: it may use two processors, and tests start their own threads.
    concurrency: 1,
    // On a busy machine a slow test does not prove that a fault was caught.
    timeoutMS: 30_000,
    // Stryker would read tsconfig.json with an interface that TypeScript 7 no longer has; Node runs the code as it is.
    tsconfigFile: 'none.json',
    // Types are not checked here, and built files must stay unchanged.
    disableTypeChecks: false,
    ignorePatterns: ['/data', '/scripts/mutants/tools'],
    tempDirName: join(folder, 'sandbox'),
    // A fault in code that runs once, at load, needs all tests: too slow for a sample.
    ignoreStatic: sample !== undefined,
    // Results of an earlier run would add faults to the sample that were not drawn.
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
      // The faults are in the sources only.
      TESTED_PROGRAMS: '',
      // Repeated for each fault, so a few must do.
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
