import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConsoleConfig } from '../../server/config/console.ts';
import { storeFile } from '../../server/console/open-store.ts';
import { supervisorLock } from '../../server/jobs/supervisor/lock.ts';
import { StorageError } from '../../server/storage/database.ts';
import { lockFile } from '../../server/storage/file-lock.ts';
import { openPostgres } from '../../server/storage/postgres.ts';
import { CommandError, commandLog, reportErrors, UsageError } from './open-console.ts';

const usage = `npm run restore -- <folder>   puts back what npm run backup wrote; the server must be stopped`;

const [folder = ''] = process.argv.slice(2);

/** Whether SQLite can read all of a file. */
function isSound(file: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    return database.prepare('PRAGMA integrity_check').get()?.integrity_check === 'ok';
  } catch {
    // It cannot be opened, is too damaged to be checked, or is of another kind.
    return false;
  } finally {
    database?.close();
  }
}

const running = 'The server runs: stop it first.';

function lockStore(target: string): () => void {
  try {
    return lockFile(target);
  } catch (error) {
    if (error instanceof StorageError) throw new CommandError(running);
    throw error;
  }
}

function restoreSqlite(target: string): void {
  const source = join(folder, storeFile);
  if (!existsSync(source))
    throw new CommandError(`${folder} holds no ${storeFile}: it is no backup of a SQLite store.`);
  if (!isSound(source)) throw new CommandError(`${source} is damaged, so nothing was changed.`);
  const unlock = lockStore(target);
  copyFileSync(source, `${target}.part`);
  // A log of the replaced file must not be read into the new one.
  for (const ending of ['-wal', '-shm']) rmSync(target + ending, { force: true });
  renameSync(`${target}.part`, target);
  unlock();
}

async function restorePostgres(url: string): Promise<void> {
  const dump = join(folder, 'console.dump');
  if (!existsSync(dump))
    throw new CommandError(`${folder} holds no console.dump: it is no backup of a PostgreSQL store.`);
  const database = openPostgres(url, commandLog());
  try {
    // Of the servers of a store, however many, one has it.
    const held = await database.hold(supervisorLock);
    if (!held) throw new CommandError(running);
    try {
      writePostgres(url, dump);
    } finally {
      await held.release();
    }
  } finally {
    await database.close();
  }
}

function writePostgres(url: string, dump: string): void {
  const args = ['--clean', '--if-exists', '--no-owner', '--single-transaction', '--dbname', url, dump];
  const { status, error } = spawnSync('pg_restore', args, { stdio: 'inherit' });
  if (error) throw new CommandError('pg_restore is needed for PostgreSQL (Debian: postgresql-client).');
  if (status !== 0) throw new CommandError('pg_restore failed, see above: nothing was changed.');
}

await reportErrors(usage, async () => {
  const { databaseUrl, dataDir } = readConsoleConfig(process.env);
  if (folder === '') throw new UsageError('Name the folder of a backup.');
  mkdirSync(dataDir, { recursive: true });
  if (databaseUrl === undefined) restoreSqlite(join(dataDir, storeFile));
  else await restorePostgres(databaseUrl);
  const [key, kept] = [join(folder, 'secret.key'), join(dataDir, 'secret.key')];
  if (existsSync(key)) {
    copyFileSync(key, kept);
    chmodSync(kept, 0o600);
  }
  console.log('Restored. Start the server.');
});
