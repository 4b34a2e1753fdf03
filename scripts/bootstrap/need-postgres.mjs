import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { giveUp, say } from './say.mjs';

const debian = '/usr/lib/postgresql';

/** Folder of PostgreSQL's programs: POSTGRES_BIN, else Debian's newest, else the one on the path. */
function findPostgres() {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    process.env.POSTGRES_BIN ?? '',
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  return folders.find((folder) => folder && existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** Folder of PostgreSQL's server programs; installs Debian's if permitted, else the process exits. @returns {string} */
export function needPostgres() {
  const found = findPostgres();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('Installing PostgreSQL for the tests (apt-get) …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    // The package starts no cluster here: the tests start their own.
    for (const args of [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'],
    ])
      spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return (
    findPostgres() ??
    giveUp(
      'No PostgreSQL was found: install one (Debian: apt-get install postgresql) or set POSTGRES_BIN to its programs.',
    )
  );
}
