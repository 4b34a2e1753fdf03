import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { takeBuildTurn } from './build-turn.mjs';
import { compressBelow } from './compress.mjs';
import { hashOf, read } from './files.mjs';
import { lastUpdated } from './last-updated.mjs';
import { findNode } from './node.mjs';
import { inRoot, root } from './root.mjs';
import { giveUp, say } from './say.mjs';
import { ensureSourceArchive } from './source-archive.mjs';

/** Folder of the server's built programs, below the root; vite.server.config.ts names it too. */
export const programsFolder = 'dist/programs';

/**
 * A run of vite; its stamp keeps the hash of its last inputs.
 * @typedef {{ what: string, config: string, options: string[], inputs: string[], folders: string[], output: string,
 *   stampFile: string, finish?: (since: number) => void }} Build
 */

/** @public tests read it. @type {Build} */
export const pages = {
  what: 'pages and client',
  config: 'vite.config.ts',
  // Vike cannot read an option that names the file, and takes this one anyway.
  options: [],
  inputs: ['pages', 'client', 'public'],
  folders: ['dist/client', 'dist/server'],
  output: inRoot('dist', 'server', 'entry.mjs'),
  stampFile: inRoot('dist', '.sources'),
  finish: (since) => compressBelow(inRoot('dist', 'client'), since),
};
/** @public tests read it. @type {Build} */
export const server = {
  what: 'the server',
  config: 'vite.server.config.ts',
  options: ['--config', 'vite.server.config.ts'],
  // The pages are bundled with it.
  inputs: ['server', 'client/contract', 'dist/.sources'],
  folders: [programsFolder],
  output: inRoot(programsFolder, 'main.mjs'),
  stampFile: inRoot('dist', '.server-sources'),
};

/**
 * Builds pages, client and server into dist/ if they changed since the last build, and packs the source.
 * @param {boolean} always builds in any case
 */
export function ensureBuilt(always = false) {
  // A read-only installation has no turn to take, and works as long as nothing has changed.
  if (always || isStale(pages) || isStale(server)) {
    const endTurn = takeBuildTurn();
    build(pages, always);
    build(server, always);
    endTurn();
  }
  noteLastUpdated();
  ensureSourceArchive();
}

/** @param {Build} build */
function isStale(build, sources = hashOfSources(build)) {
  return !existsSync(build.output) || read(build.stampFile) !== sources;
}

/** @param {Build} wanted @param {boolean} always */
function build(wanted, always) {
  const sources = hashOfSources(wanted);
  if (!always && !isStale(wanted, sources)) return;
  const { what, options, folders, stampFile, finish } = wanted;
  say(`Building ${what} (vite build) …`);
  rmSync(stampFile, { force: true });
  // The file system's clock may be a little late.
  const since = Date.now() - 1_000;
  const { status, stdout, stderr } = spawnSync(
    findNode(),
    [inRoot('node_modules/vite/bin/vite.js'), 'build', ...options],
    { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
  );
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}`);
    giveUp('The build failed: its message is above.');
  }
  finish?.(since);
  removeOlder(folders, `${stampFile}-builds`, since);
  writeFileSync(stampFile, sources);
}

/** Builds whose files are kept. */
const keptBuilds = 5;

/**
 * Removes the files that none of the last builds wrote. A server that runs while another build is made still loads its
 * own files, which have their hash in their name; so do pages that a browser has open.
 * @param {string[]} folders @param {string} listFile has when each of those builds began @param {number} since
 */
function removeOlder(folders, listFile, since) {
  // A damaged list counts as none: then only this build is kept.
  const before = (read(listFile) ?? '0').split(' ').map(Number).filter(Number.isFinite);
  const kept = [...before, since].slice(-keptBuilds);
  for (const folder of folders)
    for (const name of readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })) {
      const about = statSync(inRoot(folder, name));
      if (about.isFile() && about.mtimeMs < (kept[0] ?? 0)) rmSync(inRoot(folder, name));
    }
  writeFileSync(listFile, kept.join(' '));
}

/** Content commits do not change the pages, so the days are looked up at every start. */
function noteLastUpdated() {
  const file = inRoot('dist', 'last-updated.json');
  const days = JSON.stringify(lastUpdated());
  if (read(file) !== days) writeFileSync(file, days);
}

/**
 * Hash of all inputs of a build; its stamp in dist/ has the last build's. @public tests call it in other processes.
 * @param {Pick<Build, 'config' | 'inputs'>} build
 */
export function hashOfSources({ config, inputs }) {
  return hashOf([...withImports(config), 'tsconfig.json', 'package-lock.json', ...inputs]);
}

/** A file and our own files that it imports. @param {string} file @param {Set<string>} found */
function withImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name = ''] of readFileSync(inRoot(file), 'utf8').matchAll(/\bfrom '(\.[^']+)'/g))
    withImports(join(dirname(file), name), found);
  return found;
}
