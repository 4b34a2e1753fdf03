import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { migrations } from '../../server/console/open-store.ts';
import { supervisorLock } from '../../server/jobs/supervisor-lock.ts';
import type { Database } from '../../server/storage/database.ts';
import { migrate, requireKnown } from '../../server/storage/migrate.ts';
import { openPostgres } from '../../server/storage/postgres.ts';
import { openSqlite } from '../../server/storage/sqlite.ts';
import { hearInterruption } from './interruption.ts';
import { CommandError, commandLog, running } from './open-console.ts';
import { programEnvironment } from './program-environment.ts';
import { listFile, makeScriptFolder, removeLeftFolders, scriptFile } from './script-folder.ts';

const named = z.object({ name: z.string() });

/**
 * Replaces a store with the dump of a backup, all or nothing.
 * @param url of the store's database
 * @param folder of the backup
 * @param dataDir where the statements are kept meanwhile, readable by this user only
 */
export async function restorePostgres(url: string, folder: string, dataDir: string): Promise<void> {
  const dump = join(folder, 'console.dump');
  if (!existsSync(dump))
    throw new CommandError(`${folder} has no console.dump: it is not a backup of a PostgreSQL store.`);
  const database = openPostgres(url, commandLog());
  try {
    // One of the store's servers holds this lock, however many there are.
    const held = await database.hold(supervisorLock);
    if (!held) throw new CommandError(running);
    try {
      // No other restore is running, so existing folders are leftovers.
      removeLeftFolders(dataDir);
      await write(url, dump, await findTables(database), dataDir);
    } finally {
      await held.release();
    }
  } finally {
    await database.close();
  }
}

/**
 * The store's tables, as SQL names. A database, and even the schema, may contain other tables: these are the ones that
 * the migrations create.
 */
async function findTables(database: Database): Promise<string[]> {
  const there = await database.one(named, `SELECT relname AS name FROM pg_class WHERE oid = to_regclass('migration')`);
  if (!there) return [];
  await requireKnown(database, migrations, 'restore with that one');
  const names = await namesOfTables();
  const places = names.map((_, at) => `$${at + 1}`).join(', ');
  const tables = await database.all(
    named,
    `SELECT format('%s.%I', relnamespace::regnamespace, relname) AS name FROM pg_class
     WHERE relkind = 'r' AND relname IN (${places})
       AND relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('migration'))`,
    names,
  );
  return tables.map(({ name }) => name);
}

async function namesOfTables(): Promise<string[]> {
  const database = openSqlite(':memory:');
  try {
    await migrate(database, migrations);
    const tables = await database.all(named, `SELECT name FROM sqlite_schema WHERE type = 'table'`);
    return tables.map(({ name }) => name);
  } finally {
    await database.close();
  }
}

async function write(url: string, dump: string, tables: readonly string[], dataDir: string): Promise<void> {
  const interruption = hearInterruption();
  const env = programEnvironment(url);
  const run = (program: string, args: readonly string[]) => runProgram(program, args, env, interruption.signal);
  const folder = makeScriptFolder(dataDir);
  const script = join(folder, scriptFile);
  try {
    await requireStore(dump, (args) => run('pg_restore', args), folder);
    // The whole dump is read before anything is changed.
    await run('pg_restore', ['--clean', '--if-exists', '--no-owner', `--file=${script}`, dump]);
    // The dump drops only the tables it contains, so a newer table would stay.
    const drop = tables.length > 0 ? [`--command=DROP TABLE ${tables.join(', ')}`] : [];
    const quiet = ['--no-psqlrc', '--quiet', '--output=/dev/null'];
    await run('psql', [...quiet, '--set=ON_ERROR_STOP=1', '--single-transaction', ...drop, `--file=${script}`]);
  } finally {
    rmSync(folder, { recursive: true });
    interruption.ignore();
  }
}

/** @throws CommandError if a dump is of another database: the store would be gone, with nothing in its place */
async function requireStore(
  dump: string,
  restore: (args: readonly string[]) => Promise<void>,
  folder: string,
): Promise<void> {
  const list = join(folder, listFile);
  await restore(['--list', `--file=${list}`, dump]);
  if (/ TABLE \S+ migration /.test(readFileSync(list, 'utf8'))) return;
  throw new CommandError(`${dump} contains no store, so nothing was changed.`);
}

async function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  interrupted: AbortSignal,
): Promise<void> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const interrupt = () => child.kill('SIGINT');
  interrupted.addEventListener('abort', interrupt, { once: true });
  if (interrupted.aborted) interrupt();
  const [status]: unknown[] = await once(child, 'exit').catch((cause: unknown) => {
    throw new CommandError(`${program} is needed for PostgreSQL (Debian: postgresql-client).`, { cause });
  });
  interrupted.removeEventListener('abort', interrupt);
  if (status === 0) return;
  if (interrupted.aborted) throw new CommandError('The restore was interrupted: nothing was changed.');
  throw new CommandError(`${program} failed, see above: nothing was changed.`);
}
