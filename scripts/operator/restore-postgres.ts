import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { migrations } from '../../server/console/open-store.ts';
import { supervisorLock } from '../../server/jobs/supervisor-lock.ts';
import type { Database } from '../../server/storage/database.ts';
import { namesOfMigrations } from '../../server/storage/migrate.ts';
import { openPostgres } from '../../server/storage/postgres.ts';
import { findStore } from './dump-list.ts';
import { hearInterruption } from './interruption.ts';
import { CommandError, commandLog, running } from './open-console.ts';
import { programEnvironment } from './program-environment.ts';
import { listFile, makeScriptFolder, removeLeftFolders, scriptFile } from './script-folder.ts';
import { findTables, namesOfTables } from './store-tables.ts';

const { escapeIdentifier, escapeLiteral } = pg;
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
      await write(database, url, dump, dataDir);
    } finally {
      await held.release();
    }
  } finally {
    await database.close();
  }
}

async function write(database: Database, url: string, dump: string, dataDir: string): Promise<void> {
  const names = await namesOfTables();
  const tables = await findTables(database, names, 'restore with that one');
  const interruption = hearInterruption();
  const env = programEnvironment(url);
  const run = (program: string, args: readonly string[]) => runProgram(program, args, env, interruption.signal);
  const folder = makeScriptFolder(dataDir);
  const [script, list] = [join(folder, scriptFile), join(folder, listFile)];
  try {
    await run('pg_restore', ['--list', '--verbose', `--file=${list}`, dump]);
    const store = findStore(readFileSync(list, 'utf8'), names);
    // The store would be gone, with nothing in its place.
    if (!store) throw new CommandError(`${dump} contains no store, so nothing was changed.`);
    // Backups of earlier versions are of the whole database: what other programs have there stays as it is.
    writeFileSync(list, store.lines.join('\n'));
    // The whole dump is read before anything is changed.
    const asStored = ['--clean', '--if-exists', '--no-owner', '--no-privileges', `--use-list=${list}`];
    await run('pg_restore', [...asStored, `--file=${script}`, dump]);
    const before = [
      ...(await missingSchema(database, store.schema)),
      // The dump drops only the tables it contains, so a newer table would stay.
      ...(tables.length > 0 ? [`DROP TABLE ${tables.join(', ')}`] : []),
    ];
    await run('psql', [
      ...['--no-psqlrc', '--quiet', '--output=/dev/null', '--set=ON_ERROR_STOP=1', '--single-transaction'],
      ...before.map((sql) => `--command=${sql}`),
      `--file=${script}`,
      `--command=${refuseNewer(store.schema)}`,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
    interruption.ignore();
  }
}

/** The statement that creates a dump's schema, which a dump of tables leaves out, unless it is there. */
async function missingSchema(database: Database, schema: string): Promise<string[]> {
  const there = await database.one(named, 'SELECT nspname AS name FROM pg_namespace WHERE nspname = $1', [schema]);
  return there ? [] : [`CREATE SCHEMA ${escapeIdentifier(schema)}`];
}

/** A statement that fails if the restored store is of a newer version, whose further tables are not known here. */
function refuseNewer(schema: string): string {
  const known = namesOfMigrations(migrations).map(escapeLiteral);
  const isNewer = `EXISTS (SELECT FROM ${escapeIdentifier(schema)}.migration WHERE name NOT IN (${known.join(', ')}))`;
  const sentence = 'The backup is of a newer version: restore it with that one.';
  return `DO $$BEGIN IF ${isNewer} THEN RAISE '${sentence}'; END IF; END$$`;
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
