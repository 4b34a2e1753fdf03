import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { type ConsoleConfig, readConsoleConfig } from '../../server/config/console.ts';
import { requireFile, storeFile } from '../../server/console/open-store.ts';
import { errorMessage } from '../../server/error-message.ts';
import { CommandError, reportErrors, UsageError } from './open-console.ts';

const usage = `npm run backup -- <folder>   the console's store and its secret key, while the server runs or not`;

const [folder = ''] = process.argv.slice(2);

/** Copies a SQLite store that may be in use; half a copy must not look like a backup, nor keep the next try from its folder. */
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

async function writeStore({ databaseUrl, dataDir }: ConsoleConfig): Promise<void> {
  if (databaseUrl === undefined) {
    await copyStore(join(dataDir, storeFile), join(folder, storeFile));
    return;
  }
  const args = ['--format=custom', '--no-owner', `--file=${join(folder, 'console.dump')}`, '--dbname', databaseUrl];
  const { status, error } = spawnSync('pg_dump', args, { stdio: 'inherit' });
  // It begins its file before it connects; half a backup must not look like one.
  if (status !== 0) rmSync(join(folder, 'console.dump'), { force: true });
  if (error) throw new CommandError('pg_dump is needed for PostgreSQL (Debian: postgresql-client).');
  if (status !== 0) throw new CommandError('pg_dump failed, see above.');
}

// What SQLite and pg_dump write, too, is for this user alone.
process.umask(0o077);

await reportErrors(usage, async () => {
  const config = readConsoleConfig(process.env);
  if (folder === '') throw new UsageError('Name an empty folder.');
  if (config.databaseUrl === undefined) requireFile(join(config.dataDir, storeFile), config.dataDir);
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new CommandError(`${folder} is not empty.`);
  await writeStore(config);
  const key = join(config.dataDir, 'secret.key');
  if (config.secretKey === undefined && existsSync(key)) copyFileSync(key, join(folder, 'secret.key'));
  console.log(`Written: ${folder}. It holds what opens licences and payments: keep it as carefully as the server.`);
});
