import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConsoleConfig } from '../../server/config/console.ts';
import { storeFile } from '../../server/console/open-store.ts';
import { StorageError } from '../../server/storage/database.ts';
import { lockFile } from '../../server/storage/file-lock.ts';

// `npm run restore -- <folder>`: puts back what `npm run backup` wrote; the server must be stopped.
const folder = process.argv[2];
const config = readConsoleConfig(process.env);

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

function restoreSqlite(from: string): void {
  const source = join(from, storeFile);
  if (!existsSync(source)) fail(`${from} holds no ${storeFile}: it is no backup of a SQLite store.`);
  const database = new DatabaseSync(source, { readOnly: true });
  const sound = database.prepare('PRAGMA integrity_check').get()?.integrity_check === 'ok';
  database.close();
  if (!sound) fail(`${source} is damaged, so nothing was changed.`);
  const target = join(config.dataDir, storeFile);
  let unlock: () => void;
  try {
    unlock = lockFile(target);
  } catch (error) {
    if (error instanceof StorageError) fail('The server runs: stop it first.');
    throw error;
  }
  copyFileSync(source, `${target}.part`);
  // A log of the replaced file must not be read into the new one.
  for (const ending of ['-wal', '-shm']) rmSync(target + ending, { force: true });
  renameSync(`${target}.part`, target);
  unlock();
}

if (folder === undefined) fail('Name the folder of a backup: npm run restore -- <folder>');
mkdirSync(config.dataDir, { recursive: true });
if (config.databaseUrl === undefined) restoreSqlite(folder);
else {
  const args = [
    '--clean',
    '--if-exists',
    '--no-owner',
    '--single-transaction',
    '--dbname',
    config.databaseUrl,
    join(folder, 'console.dump'),
  ];
  const { status, error } = spawnSync('pg_restore', args, { stdio: 'inherit' });
  if (status !== 0)
    fail(
      error
        ? 'pg_restore is needed for PostgreSQL (Debian: postgresql-client).'
        : 'pg_restore failed: nothing was changed.',
    );
}
const key = join(folder, 'secret.key');
if (existsSync(key)) {
  copyFileSync(key, join(config.dataDir, 'secret.key'));
  chmodSync(join(config.dataDir, 'secret.key'), 0o600);
}
console.log('Restored. Start the server.');
