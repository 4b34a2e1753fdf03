import { spawnSync } from 'node:child_process';
import { root } from './root.mjs';

/**
 * The day each content file was last changed, from one pass over the history.
 * @returns {Record<string, string>} path below content/ → YYYY-MM-DD; empty without git, without history or in a shallow clone
 */
export function lastUpdated() {
  const shallow = git('rev-parse', '--is-shallow-repository');
  if (shallow?.trim() !== 'false') return {};
  const log = git(
    'log',
    '--format=%x00%cs',
    '--name-only',
    '--no-renames',
    '--relative',
    '--',
    'content/docs',
    'content/blog',
  );
  /** @type {Record<string, string>} */
  const days = {};
  // Newest first: the first mention of a file is its last change.
  for (const commit of (log ?? '').split('\0').slice(1)) {
    const [day = '', ...files] = commit.split('\n').filter(Boolean);
    for (const file of files) days[file.replace(/^content\//, '')] ??= day;
  }
  return days;
}

/** @param {...string} args */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  return status === 0 ? stdout : undefined;
}
