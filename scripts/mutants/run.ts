import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installStryker } from './tools.ts';

// `npm run mutants -- <folder or file> …`: plants small faults in the code below server/http, server/site or
// server/content, one at a time, and runs the tests that reach each. Those that no test notices are listed at the end.
const root = resolve(import.meta.dirname, '../..');
const rooms = ['server/http', 'server/site', 'server/content'];
const wanted = process.argv.slice(2).map((path) => path.replace(/\/+$/, ''));

const roomOf = (path: string) => rooms.find((room) => `${path}/`.startsWith(`${room}/`));
const unknown = wanted.filter((path) => !existsSync(join(root, path)) || !roomOf(path));
if (wanted.length === 0 || unknown.length > 0) {
  console.error(
    `Name files or folders below ${rooms.join(', ')}${unknown.length > 0 ? `, not ${unknown.join(', ')}` : ''}.`,
  );
  process.exit(2);
}

const modules = installStryker();
const folder = mkdtempSync(join(tmpdir(), 'millrace-mutants-'));
const reports = join(root, 'data/mutants');
const name = wanted.join('+').replaceAll('/', '-');
mkdirSync(reports, { recursive: true });

const options = {
  mutate: wanted.flatMap((path) => (path.endsWith('.ts') ? [path] : [`${path}/**/*.ts`, `!${path}/**/*.test.ts`])),
  plugins: [join(modules, '@stryker-mutator/vitest-runner/dist/src/index.js')],
  testRunner: 'vitest',
  vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: true },
  coverageAnalysis: 'perTest',
  // One process: two processors are what it may have, and tests start threads of their own.
  concurrency: 1,
  // On a busy machine a slow test is no proof that a fault was noticed.
  timeoutMS: 60_000,
  // Stryker would read tsconfig.json with an interface that TypeScript 7 no longer has; Node runs the code as it is.
  tsconfigFile: 'none.json',
  ignorePatterns: ['data', 'scripts/mutants/tools', 'content/static'],
  tempDirName: join(folder, 'sandbox'),
  incremental: true,
  incrementalFile: join(reports, `${name}.incremental.json`),
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: process.stdout.isTTY },
  htmlReporter: { fileName: join(reports, `${name}.html`) },
  jsonReporter: { fileName: join(reports, `${name}.json`) },
};

try {
  const file = join(folder, 'stryker.json');
  writeFileSync(file, JSON.stringify(options));
  const args = [join(modules, '@stryker-mutator/core/bin/stryker.js'), 'run', file];
  const env = { ...process.env, NODE_ENV: 'test', MUTANTS_ROOMS: [...new Set(wanted.map(roomOf))].join(',') };
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
  else console.log(`› Every fault in its place: ${join(reports, `${name}.html`)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
