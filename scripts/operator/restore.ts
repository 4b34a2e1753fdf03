import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConsoleConfig } from '../../server/config/console.ts';
import { keyFile, storeFile } from '../../server/console/data-dir.ts';
import { finishRestore, putBack } from '../../server/console/put-back.ts';
import { errorMessage } from '../../server/error-message.ts';
import { FileLocked, lockFile } from '../../server/storage/file-lock.ts';
import { CommandError, reportErrors, running, UsageError } from './open-console.ts';
import { restorePostgres } from './restore-postgres.ts';

const usage = `npm run restore -- <folder>   puts back what npm run backup wrote; the server must be stopped`;

const [folder = ''] = process.argv.slice(2);

/** Why a file cannot be put back; undefined when SQLite can read all of it, and it holds a store. */
function faultOf(file: string): string | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    const found = String(database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check);
    if (found !== 'ok') return `is damaged (${found.replaceAll('\n', ' ')})`;
    // To SQLite, an empty file and the database of another program are sound too.
    const hasStore = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'").get();
    return hasStore ? undefined : 'holds no store';
  } catch (error) {
    // Too damaged to be checked, or of another kind.
    return `is damaged (${errorMessage(error)})`;
  } finally {
    database?.close();
  }
}

/** @throws CommandError with what is wrong with a store, whose copy may be left */
function copySound(source: string, copy: string): void {
  try {
    copyFileSync(source, copy);
  } catch (cause) {
    throw new CommandError(`${source} could not be copied (${errorMessage(cause)}), so nothing was changed.`, {
      cause,
    });
  }
  // The copy is checked, since SQLite writes beside what it reads, and a backup may lie where nobody may write.
  const fault = faultOf(copy);
  if (fault !== undefined) throw new CommandError(`${source} ${fault}, so nothing was changed.`);
}

/** Copies the key of the backup, where it has one. */
function copyKey(target: string): void {
  const key = join(folder, keyFile);
  if (!existsSync(key)) return;
  copyFileSync(key, target);
  chmodSync(target, 0o600);
  giveToServer(target);
}

function lockStore(target: string): () => void {
  try {
    return lockFile(target);
  } catch (error) {
    if (error instanceof FileLocked) throw new CommandError(running);
    throw error;
  }
}

/** Root may be who restores, but mostly not who runs the server: a file of root keeps that from its start. */
function giveToServer(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}

const earlier = {
  completed: 'An earlier restore was killed when its copy was whole: it was completed first.',
  undone: 'An earlier restore was killed before it changed anything.',
};

function restoreSqlite(dataDir: string): void {
  const source = join(folder, storeFile);
  if (!existsSync(source))
    throw new CommandError(`${folder} holds no ${storeFile}: it is no backup of a SQLite store.`);
  const target = join(dataDir, storeFile);
  const unlock = lockStore(target);
  try {
    giveToServer(`${target}.lock`);
    const end = finishRestore(dataDir);
    if (end) console.log(earlier[end]);
    putBack(dataDir, (copies) => {
      mkdirSync(copies, { mode: 0o700 });
      giveToServer(copies);
      copySound(source, join(copies, storeFile));
      giveToServer(join(copies, storeFile));
      copyKey(join(copies, keyFile));
    });
  } finally {
    unlock();
  }
}

await reportErrors(usage, async () => {
  const { databaseUrl, dataDir } = readConsoleConfig(process.env);
  if (folder === '') throw new UsageError('Name the folder of a backup.');
  mkdirSync(dataDir, { recursive: true });
  if (databaseUrl === undefined) restoreSqlite(dataDir);
  else {
    await restorePostgres(databaseUrl, folder, dataDir);
    copyKey(join(dataDir, keyFile));
  }
  console.log('Restored. Start the server.');
});
