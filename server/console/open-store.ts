import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ConsoleConfig } from '../config/console.ts';
import type { Log } from '../log.ts';
import { type Database, StorageError } from '../storage/database.ts';
import { lockFile } from '../storage/file-lock.ts';
import { migrate } from '../storage/migrate.ts';
import { openPostgres } from '../storage/postgres.ts';
import { unusableDatabase } from '../storage/postgres-errors.ts';
import { requireOwnSessions } from '../storage/require-own-sessions.ts';
import { openSqlite } from '../storage/sqlite.ts';
import { unusableFile } from '../storage/sqlite-errors.ts';
import { storeFile } from './data-dir.ts';
import { finishRestore, isCutOff } from './put-back.ts';

/** Folder of the migrations that bring a store to the newest state. */
export const migrations = join(import.meta.dirname, 'migrations');

/** The oldest PostgreSQL release that can be the store. */
const oldest = 15;

/**
 * Opens the console's store, migrated to the newest state.
 * @param asServer creates a missing one, and keeps other servers off a SQLite file; a command's folder may be mistyped
 * @throws StorageError when it cannot be used
 */
export async function openStore(config: ConsoleConfig, log: Log, asServer: boolean): Promise<Database> {
  const file = join(config.dataDir, storeFile);
  if (!asServer && config.databaseUrl === undefined) requireFile(file, config.dataDir);
  const unlock = asServer && config.databaseUrl === undefined ? lockFile(file) : undefined;
  let database: Database | undefined;
  const close = async () => {
    await database?.close();
    unlock?.();
  };
  try {
    if (unlock) tellRestore(config.dataDir, log);
    database = config.databaseUrl === undefined ? openSqlite(file) : openPostgres(config.databaseUrl, log);
    if (config.databaseUrl !== undefined) await requirePostgres(database, config.databaseUrl, asServer);
    const run = await migrate(database, migrations);
    if (run.length > 0) log.info({ migrations: run, store: database.kind }, 'the database is up to date');
  } catch (cause) {
    await close();
    if (cause instanceof StorageError) throw cause;
    throw config.databaseUrl === undefined ? unusableFile(file, cause) : unusableDatabase(cause);
  }
  return { ...database, close };
}

/** Finishes a restore that was killed, and logs how. */
function tellRestore(dataDir: string, log: Log): void {
  const end = finishRestore(dataDir);
  if (end === 'completed')
    log.warn({ folder: dataDir }, 'a restore was cut off after its copy was complete: it has been completed now');
  if (end === 'undone')
    log.warn({ folder: dataDir }, 'a restore was cut off before it changed anything: the store is unchanged');
}

/** @throws StorageError if there is no SQLite store, or another one is about to take its place */
export function requireFile(file: string, dataDir: string): void {
  if (isCutOff(dataDir)) {
    throw new StorageError(
      `A restore in ${dataDir} was killed before it finished: start the server, which completes it, or run it again.`,
    );
  }
  if (existsSync(file)) return;
  throw new StorageError(
    `There is no store in ${dataDir}: set DATA_DIR to the server's folder, or start the server once.`,
  );
}

async function requirePostgres(database: Database, url: string, asServer: boolean): Promise<void> {
  if (!asServer) return requireTables(database);
  await requireOwnSessions(url);
  await requireFit(database);
}

/** @throws StorageError if PostgreSQL is too old, or a new store would lack most letters; SQL_ASCII holds any bytes */
async function requireFit(database: Database): Promise<void> {
  const facts = z.object({ number: z.number(), version: z.string(), encoding: z.string(), is_store: z.boolean() });
  const sql = `SELECT current_setting('server_version_num')::int AS number,
    current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
    to_regclass('migration') IS NOT NULL AS is_store`;
  const { number, version, encoding, is_store } = facts.parse(await database.one(facts, sql));
  if (number < oldest * 10_000) {
    throw new StorageError(
      `The database of DATABASE_URL is PostgreSQL ${version}, and the store needs ${oldest} or later: move it to a newer server with npm run backup and restore.`,
    );
  }
  if (is_store || encoding === 'UTF8' || encoding === 'SQL_ASCII') return;
  throw new StorageError(
    `The database of DATABASE_URL has the encoding ${encoding}, which lacks most letters: create one with CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'.`,
  );
}

async function requireTables(database: Database): Promise<void> {
  const tables = z.object({ name: z.string().nullable() });
  if ((await database.one(tables, `SELECT to_regclass('migration')::text AS name`))?.name) return;
  throw new StorageError(
    'The database of DATABASE_URL holds no store: set DATABASE_URL as for the server, or start the server once.',
  );
}
