import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compressBelow } from './compress.mjs';
import { hashOf, read } from './files.mjs';
import { lastUpdated } from './last-updated.mjs';
import { findNode } from './node.mjs';
import { inRoot, root } from './root.mjs';
import { giveUp, say } from './say.mjs';
import { ensureSourceArchive } from './source-archive.mjs';

const config = 'vite.config.ts';
const stampFile = inRoot('dist', '.sources');

/**
 * Builds pages and client into dist/ if they changed since the last build, and packs the source.
 * @param {boolean} always builds in any case
 */
export function ensureBuilt(always = false) {
  build(always);
  noteLastUpdated();
  ensureSourceArchive();
}

/** @param {boolean} always */
function build(always) {
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
  compressBelow(inRoot('dist', 'client'));
  writeFileSync(stampFile, wanted);
}

/** Content commits do not change the pages, so the days are looked up at every start. */
function noteLastUpdated() {
  const file = inRoot('dist', 'last-updated.json');
  const days = JSON.stringify(lastUpdated());
  // A read-only installation works as long as nothing has changed.
  if (read(file) !== days) writeFileSync(file, days);
}

/** Hash of all inputs of the build; `dist/.sources` has the last build's. @public tests call it in other processes. */
export function hashOfSources() {
  return hashOf([...withImports(config), 'tsconfig.json', 'package-lock.json', 'pages', 'client', 'public']);
}

/** A file and our own files that it imports. @param {string} file @param {Set<string>} found */
function withImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name = ''] of readFileSync(inRoot(file), 'utf8').matchAll(/\bfrom '(\.[^']+)'/g))
    withImports(join(dirname(file), name), found);
  return found;
}
