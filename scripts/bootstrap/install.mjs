import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { read } from './files.mjs';
import { inRoot, root } from './root.mjs';
import { giveUp, say } from './say.mjs';

const lockFile = inRoot('package-lock.json');
const stampFile = inRoot('node_modules', '.millrace-lock');

/** Installs the locked packages if node_modules is missing or differs from package-lock.json. */
export function ensureInstalled() {
  const lock = readFileSync(lockFile, 'utf8');
  const wanted = createHash('sha256').update(lock).digest('hex');
  if (read(stampFile) === wanted) return;
  if (!holdsWhatIsLocked(JSON.parse(lock).packages)) {
    say('Installing the locked packages (npm ci) …');
    install();
  }
  writeFileSync(stampFile, wanted);
}

function install() {
  // The groups are named, since NODE_ENV=production or a user's .npmrc would leave out packages that the build needs.
  const options = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  const result = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...options], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', options, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.error)
    giveUp(`npm could not be started (${result.error.message}): install npm, then run the command again.`);
  if (result.status !== 0) giveUp('npm ci failed: its message is above.');
}

/**
 * After a developer's own `npm install` there is no stamp, yet nothing to install: npm's own record shows that.
 * @param {Record<string, { version?: string, optional?: boolean, peer?: boolean, dev?: boolean }>} locked
 */
function holdsWhatIsLocked(locked) {
  const record = read(inRoot('node_modules', '.package-lock.json'));
  if (!record) return false;
  const { packages: present } = JSON.parse(record);
  const missing = Object.entries(locked).some(
    ([path, { version, optional }]) => path && (present[path] ? present[path].version !== version : !optional),
  );
  return !missing && Object.keys(present).every((path) => locked[path]);
}
