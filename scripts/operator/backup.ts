import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { type ConsoleConfig, readConsoleConfig } from '../../server/config/console.ts';
import { keyFile, storeFile } from '../../server/console/data-dir.ts';
import { requireFile, requireTables } from '../../server/console/open-store.ts';
import { errorMessage } from '../../server/error-message.ts';
import { makeFolder } from '../../server/make-folder.ts';
import { StorageError } from '../../server/storage/database.ts';
import { openPostgres } from '../../server/storage/postgres.ts';
import { unusableDatabase } from '../../server/storage/postgres-errors.ts';
import { CommandError, commandLog, reportErrors, UsageError } from './open-console.ts';
import { programEnvironment } from './program-environment.ts';
import { findTables, namesOfTables } from './store-tables.ts';

const usage = `npm run backup -- <folder>   the console's store and its secret key, whether the server runs or not`;

const [folder = ''] = process.argv.slice(2);

/** Copies a SQLite store that may be in use; on failure it leaves nothing that would block the next try. */
async function copyStore(store: string, target: string): Promise<void> {
  try {
    const database = new DatabaseSync(store, { readOnly: true });
    try {
      await backup(database, target);
    } finally {
      database.close();
    }
  } catch (cause) {
    for (const ending of ['', '-journal']) rmSync(target + ending, { force: true });
    const reason = errorMessage(cause);
    throw new CommandError(`${store} could not be copied (${reason}): nothing was written.`, { cause });
  }
}

/** Files that a killed backup left. */
const leftover = /^console\.(?:sqlite|dump)\..*part(?:-journal)?$/;

/** Removes the files of a killed backup from the folder. @throws CommandError if it contains anything else */
function requireEmpty(): void {
  const found = readdirSync(folder);
  if (!found.every((name) => leftover.test(name))) throw new CommandError(`${folder} is not empty.`);
  for (const name of found) rmSync(join(folder, name));
}

/**
 * A partial backup must not look complete, even after a kill: the store gets its name last.
 * @returns what to do if the backup does not contain the key
 */
async function writeBackup(config: ConsoleConfig): Promise<string | undefined> {
  const { databaseUrl, dataDir } = config;
  const target = join(folder, databaseUrl === undefined ? storeFile : 'console.dump');
  // A unique name, so that no concurrent backup into this folder renames it while it is written.
  const part = `${target}.${randomUUID()}.part`;
  if (databaseUrl === undefined) await copyStore(join(dataDir, storeFile), part);
  else dumpStore(databaseUrl, await tablesOf(databaseUrl), part);
  const lacks = copyKey(config);
  renameSync(part, target);
  return lacks;
}

/** The tables of a store, as SQL names. @throws StorageError if there is none: its dump would be of the whole database */
async function tablesOf(databaseUrl: string): Promise<string[]> {
  const database = openPostgres(databaseUrl, commandLog());
  try {
    await requireTables(database);
    return await findTables(database, await namesOfTables(), 'back it up with that one');
  } catch (cause) {
    throw cause instanceof StorageError ? cause : unusableDatabase(cause);
  } finally {
    await database.close();
  }
}

/** Other programs may use the database: their tables, extensions and roles are not the store's. */
function dumpStore(databaseUrl: string, tables: readonly string[], target: string): void {
  const ofStore = tables.map((table) => `--table=${table}`);
  const args = ['--format=custom', '--no-owner', '--no-privileges', ...ofStore, `--file=${target}`];
  const { status, error } = spawnSync('pg_dump', args, { env: programEnvironment(databaseUrl), stdio: 'inherit' });
  // pg_dump creates its file before it connects.
  if (status !== 0) rmSync(target, { force: true });
  if (error) throw new CommandError('pg_dump is needed for PostgreSQL (Debian: postgresql-client).');
  if (status !== 0) throw new CommandError('pg_dump failed, see above.');
}

/** @returns what to do if the backup does not contain the key, without which its secrets cannot be read */
function copyKey({ secretKey, dataDir }: ConsoleConfig): string | undefined {
  if (secretKey !== undefined)
    return 'SECRET_KEY is not in it: keep it too, since nothing encrypted can be read without it.';
  const key = join(dataDir, keyFile);
  // A PostgreSQL store may be backed up from a machine other than the server's.
  if (!existsSync(key))
    return `The key is not in it, since ${dataDir} has no secret.key: copy the server's into ${folder}, or nothing encrypted can be read.`;
  copyFileSync(key, join(folder, keyFile));
  return undefined;
}

// The files that SQLite and pg_dump write are also readable by this user only.
process.umask(0o077);

await reportErrors(usage, async () => {
  const config = readConsoleConfig(process.env);
  if (folder === '') throw new UsageError('Name an empty folder.');
  if (config.databaseUrl === undefined) requireFile(join(config.dataDir, storeFile), config.dataDir);
  try {
    makeFolder(folder);
  } catch (cause) {
    throw new CommandError(
      `${folder} cannot be created (${errorMessage(cause)}): name a folder that this user may write.`,
      { cause },
    );
  }
  requireEmpty();
  const lacks = await writeBackup(config);
  console.log(
    `Written: ${folder}. It contains the keys to licences and payments: protect it as carefully as the server.`,
  );
  if (lacks !== undefined) console.error(lacks);
});
