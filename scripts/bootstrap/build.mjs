import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastUpdated } from './last-updated.mjs';
import { findNode } from './node.mjs';
import { inRoot, root } from './root.mjs';
import { giveUp, say } from './say.mjs';

const sources = [
  'vite.config.ts',
  'scripts/default-export.ts',
  'tsconfig.json',
  'package-lock.json',
  'pages',
  'client',
];
const stampFile = inRoot('dist', '.sources');

/** Builds pages and client into dist/ when they changed since the last build, or when told to. @param {boolean} always */
export function ensureBuilt(always = false) {
  const wanted = hashOfSources();
  if (!always && read(stampFile) === wanted) return;
  say('Building pages and client (vite build) …');
  rmSync(stampFile, { force: true });
  const { status, stdout, stderr } = spawnSync(findNode(), [inRoot('node_modules/vite/bin/vite.js'), 'build'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}`);
    giveUp('The build failed: its message is above.');
  }
  writeFileSync(inRoot('dist', 'last-updated.json'), JSON.stringify(lastUpdated()));
  writeFileSync(stampFile, wanted);
}

function hashOfSources() {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesBelow))
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(inRoot(file)))
      .update('\0');
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function filesBelow(path) {
  if (!statSync(inRoot(path)).isDirectory()) return [path];
  return readdirSync(inRoot(path))
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
