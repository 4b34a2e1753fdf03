import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { type ConsoleConfig, readConsoleConfig } from '../../server/config/console.ts';
import { keyFile, storeFile } from '../../server/console/data-dir.ts';
import { requireFile } from '../../server/console/open-store.ts';
import { errorMessage } from '../../server/error-message.ts';
import { CommandError, reportErrors, UsageError } from './open-console.ts';
import { programAddress } from './program-address.ts';

const usage = `npm run backup -- <folder>   the console's store and its secret key, while the server runs or not`;

const [folder = ''] = process.argv.slice(2);

/** Copies a SQLite store that may be in use, or leaves nothing that would keep the next try from its folder. */
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

/** What a backup that was killed left of its store. */
const leftover = /^console\.(?:sqlite|dump)\..*part(?:-journal)?$/;

/** Empties a folder of what a killed backup left. @throws CommandError where anything else is in it */
function requireEmpty(): void {
  const found = readdirSync(folder);
  if (!found.every((name) => leftover.test(name))) throw new CommandError(`${folder} is not empty.`);
  for (const name of found) rmSync(join(folder, name));
}

/**
 * Half a backup must not look like one, also after a kill: the store gets its name once all is whole.
 * @returns what to do where the backup does not hold the key
 */
async function writeBackup(config: ConsoleConfig): Promise<string | undefined> {
  const { databaseUrl, dataDir } = config;
  const target = join(folder, databaseUrl === undefined ? storeFile : 'console.dump');
  // A name of its own, so that no other backup into this folder gives it the last one while it is written.
  const part = `${target}.${randomUUID()}.part`;
  if (databaseUrl === undefined) await copyStore(join(dataDir, storeFile), part);
  else dumpStore(databaseUrl, part);
  const lacks = copyKey(config);
  renameSync(part, target);
  return lacks;
}

function dumpStore(databaseUrl: string, target: string): void {
  const { url, env } = programAddress(databaseUrl);
  const args = ['--format=custom', '--no-owner', `--file=${target}`, '--dbname', url];
  const { status, error } = spawnSync('pg_dump', args, { env, stdio: 'inherit' });
  // It begins its file before it connects.
  if (status !== 0) rmSync(target, { force: true });
  if (error) throw new CommandError('pg_dump is needed for PostgreSQL (Debian: postgresql-client).');
  if (status !== 0) throw new CommandError('pg_dump failed, see above.');
}

/** @returns what to do where the backup does not hold the key, without which its secrets cannot be read */
function copyKey({ secretKey, dataDir }: ConsoleConfig): string | undefined {
  if (secretKey !== undefined)
    return 'SECRET_KEY is not in it: keep it too, since nothing encrypted can be read without.';
  const key = join(dataDir, keyFile);
  // A store in PostgreSQL may be backed up from another machine than the server's.
  if (!existsSync(key))
    return `The key is not in it, since ${dataDir} has no secret.key: copy the one of the server into ${folder}, or nothing encrypted can be read.`;
  copyFileSync(key, join(folder, keyFile));
  return undefined;
}

// What SQLite and pg_dump write, too, is for this user alone.
process.umask(0o077);

await reportErrors(usage, async () => {
  const config = readConsoleConfig(process.env);
  if (folder === '') throw new UsageError('Name an empty folder.');
  if (config.databaseUrl === undefined) requireFile(join(config.dataDir, storeFile), config.dataDir);
  mkdirSync(folder, { recursive: true });
  requireEmpty();
  const lacks = await writeBackup(config);
  console.log(`Written: ${folder}. It holds what opens licences and payments: keep it as carefully as the server.`);
  if (lacks !== undefined) console.error(lacks);
});
