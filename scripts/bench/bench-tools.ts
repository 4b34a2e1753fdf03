import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'tools');

/** Installs the locked Lighthouse and Observatory if they are missing. */
export function installBenchTools(): void {
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return;
  console.log('› Installing the measuring tools (npm ci in scripts/bench/tools) …');
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  const { status } = spawnSync('npm', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('npm ci failed: its message is above.');
}
