import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { read } from './files.mjs';
import { inRoot, root } from './root.mjs';
import { say } from './say.mjs';

const folder = inRoot('dist', 'downloads');
const stampFile = join(folder, '.state');
/** The repository's contents; other files beside them belong to the operator and must not be packed. */
const parts = [
  ...['.ci', 'client', 'content', 'pages', 'public', 'scripts', 'server'],
  ...['.dockerignore', '.editorconfig', '.gitignore', '.npmrc', '.nvmrc', 'Dockerfile', 'LICENSE'],
  ...['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'],
  ...[
    'biome.json',
    'knip.json',
    'package-lock.json',
    'package.json',
    'tsconfig.json',
    'vite.config.ts',
    'vite.server.config.ts',
    'vitest.config.ts',
  ],
];
const leftOut = /^(node_modules|\.DS_Store|\.env.*|.*\.log)$/;

/**
 * Packs this version's source into dist/downloads, where the console offers it unless the operator offers other files.
 * The same source gives the same bytes.
 */
export function ensureSourceArchive() {
  const files = parts.filter((part) => existsSync(inRoot(part))).flatMap(filesBelow);
  const { name, version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const archive = `${name}-${version}-source-any.tar.gz`;
  const state = stateOf(files);
  if (read(stampFile) === state && existsSync(join(folder, archive))) return;
  const create = archiver();
  if (!create) return;
  mkdirSync(folder, { recursive: true });
  // Two commands may pack it at the same time.
  const part = inRoot('dist', `source-${process.pid}.part`);
  create(
    {
      sync: true,
      gzip: true,
      cwd: root,
      file: part,
      prefix: `${name}-${version}`,
      portable: true,
      mtime: new Date(Date.UTC(2026, 0)),
    },
    files,
  );
  renameSync(part, join(folder, archive));
  for (const other of readdirSync(folder))
    if (other !== archive) rmSync(join(folder, other), { recursive: true, force: true });
  writeFileSync(stampFile, state);
}

/**
 * Not imported at the top: the bootstrap is loaded before anything is installed.
 * @returns {typeof import('tar').create | undefined} undefined in an installation without development packages
 */
function archiver() {
  try {
    return createRequire(import.meta.url)('tar').create;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') {
      say('The source is not packed for download: that needs the development packages.');
      return undefined;
    }
    throw error;
  }
}

/** @param {string} path @returns {string[]} */
function filesBelow(path) {
  const about = statSync(inRoot(path));
  if (about.isFile()) return [path];
  return readdirSync(inRoot(path))
    .filter((name) => !leftOut.test(name))
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

/** Sizes and times rather than contents: it is computed before every start. @param {string[]} files */
function stateOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(inRoot(file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
