import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'tools');

/** Installs the locked Stryker if it is missing. @returns the folder of its packages */
export function installStryker(): string {
  const modules = join(folder, 'node_modules');
  if (existsSync(join(modules, '.package-lock.json'))) return modules;
  console.log('› Installing the mutation tester (npm ci in scripts/mutants/tools) …');
  // Its runner requires a vitest range that does not include ours.
  const options = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const args = ['ci', ...options, '--prefix', folder];
  const { status } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('npm ci failed: its message is above.');
  return modules;
}
