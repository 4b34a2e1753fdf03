import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConsoleConfig } from '../../server/config/console.ts';
import { opensStored } from '../../server/console/account/password-key.ts';
import { keyFile, storeFile } from '../../server/console/data-dir.ts';
import { finishRestore, replaceStore } from '../../server/console/replace-store.ts';
import { openSecretKey, type SecretKey } from '../../server/console/secret-key.ts';
import { errorMessage } from '../../server/error-message.ts';
import { makeFolder } from '../../server/make-folder.ts';
import { FileLocked, lockFile } from '../../server/storage/file-lock.ts';
import { openPostgres } from '../../server/storage/postgres.ts';
import { openSqlite } from '../../server/storage/sqlite.ts';
import { CommandError, commandLog, reportErrors, running, UsageError } from './open-console.ts';
import { restorePostgres } from './restore-postgres.ts';

const usage = `npm run restore -- <folder>   restores what npm run backup wrote; the server must be stopped`;

const [folder = ''] = process.argv.slice(2);

/** Why a file cannot be restored; undefined if SQLite can read all of it and it contains a store. */
function faultOf(file: string): string | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    const found = String(database.prepare('PRAGMA integrity_check(1)').get()?.integrity_check);
    if (found !== 'ok') return `is damaged (${found.replaceAll('\n', ' ')})`;
    // SQLite also accepts an empty file and another program's database.
    const hasStore = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'").get();
    return hasStore ? undefined : 'contains no store';
  } catch (error) {
    // Too damaged to be checked, or not a SQLite file.
    return `is damaged (${errorMessage(error)})`;
  } finally {
    database?.close();
  }
}

/** @throws CommandError with the fault of the store; its copy may be left behind */
function copySound(source: string, copy: string): void {
  try {
    copyFileSync(source, copy);
  } catch (cause) {
    throw new CommandError(`${source} could not be copied (${errorMessage(cause)}), so nothing was changed.`, {
      cause,
    });
  }
  // The copy is checked, since SQLite writes beside the file it reads, and a backup's folder may be read-only.
  const fault = faultOf(copy);
  if (fault !== undefined) throw new CommandError(`${source} ${fault}, so nothing was changed.`);
}

/** The backup's key, as far as it has one. @throws CommandError if its file holds none */
function readKey(place: string): SecretKey | undefined {
  if (!existsSync(join(place, keyFile))) return undefined;
  try {
    return openSecretKey(undefined, place, false);
  } catch (cause) {
    throw new CommandError(otherKey(), { cause });
  }
}

const otherKey = () =>
  `${join(folder, keyFile)} is not the key of the backup's store, so nothing was changed: put the right copy there, or remove it if the server has the key.`;

/** @throws CommandError if the copied key is not that of the copied store: it would replace the only right one */
async function requireOwnKey(copies: string): Promise<void> {
  const key = readKey(copies);
  if (!key) return;
  const database = openSqlite(join(copies, storeFile));
  try {
    if (!(await opensStored(database, key))) throw new CommandError(otherKey());
  } finally {
    await database.close();
  }
}

/** Copies the backup's key, if it has one; one that is there is replaced by the whole copy or not at all. */
function copyKey(target: string): void {
  const key = join(folder, keyFile);
  if (!existsSync(key)) return;
  const copy = `${target}.restored`;
  copyFileSync(key, copy);
  chmodSync(copy, 0o600);
  giveToServer(copy);
  const file = openSync(copy, 'r');
  fsyncSync(file);
  closeSync(file);
  renameSync(copy, target);
}

function lockStore(target: string): () => void {
  try {
    return lockFile(target);
  } catch (error) {
    if (error instanceof FileLocked) throw new CommandError(running);
    throw error;
  }
}

/** Root may run the restore, but usually not the server, which could not start with files owned by root. */
function giveToServer(file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}

const earlier = {
  completed: 'An earlier restore was killed after its copy was complete: it was completed first.',
  undone: 'An earlier restore was killed before it changed anything.',
};

async function restoreSqlite(dataDir: string): Promise<void> {
  const source = join(folder, storeFile);
  if (!existsSync(source))
    throw new CommandError(`${folder} has no ${storeFile}: it is not a backup of a SQLite store.`);
  const target = join(dataDir, storeFile);
  const unlock = lockStore(target);
  try {
    giveToServer(`${target}.lock`);
    const end = finishRestore(dataDir);
    if (end) console.log(earlier[end]);
    await replaceStore(dataDir, async (copies) => {
      mkdirSync(copies, { mode: 0o700 });
      giveToServer(copies);
      copySound(source, join(copies, storeFile));
      chmodSync(join(copies, storeFile), 0o600);
      giveToServer(join(copies, storeFile));
      copyKey(join(copies, keyFile));
      await requireOwnKey(copies);
    });
  } finally {
    unlock();
  }
}

/** A key that is not that of the restored store is not copied: it could replace the only right one. */
async function restoreToPostgres(url: string, dataDir: string): Promise<void> {
  const key = readKey(folder);
  await restorePostgres(url, folder, dataDir);
  if (!key) return;
  const database = openPostgres(url, commandLog());
  try {
    if (!(await opensStored(database, key))) throw new CommandError(keyNotCopied(dataDir));
  } finally {
    await database.close();
  }
  copyKey(join(dataDir, keyFile));
}

const keyNotCopied = (dataDir: string) =>
  `The store is restored, but ${join(folder, keyFile)} is not its key, so it was not copied to ${dataDir}: put the right copy there, unless the server has it already.`;

await reportErrors(usage, async () => {
  const { databaseUrl, dataDir } = readConsoleConfig(process.env);
  if (folder === '') throw new UsageError('Name the folder of a backup.');
  makeFolder(dataDir);
  if (databaseUrl === undefined) await restoreSqlite(dataDir);
  else await restoreToPostgres(databaseUrl, dataDir);
  console.log('Restored. Start the server.');
});
