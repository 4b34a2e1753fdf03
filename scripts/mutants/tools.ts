import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'tools');

/** Installs Stryker, locked, when it is not there; answers with the folder of its packages. */
export function installStryker(): string {
  const modules = join(folder, 'node_modules');
  if (existsSync(join(modules, '.package-lock.json'))) return modules;
  console.log('› Installing the mutation tester (npm ci in scripts/mutants/tools) …');
  // Its runner asks for a range of vitest that knows nothing of ours.
  const options = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const args = ['ci', ...options, '--prefix', folder];
  const { status } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('npm ci failed: its message is above.');
  return modules;
}
