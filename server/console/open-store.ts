import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ConsoleConfig } from '../config/console.ts';
import { errorMessage } from '../error-message.ts';
import type { Log } from '../log.ts';
import { type Database, type Queries, StorageError } from '../storage/database.ts';
import { lockFile } from '../storage/file-lock.ts';
import { migrate, requireMigrated } from '../storage/migrate.ts';
import { openPostgres } from '../storage/postgres.ts';
import { unusableDatabase } from '../storage/postgres-errors.ts';
import { requireOwnSessions } from '../storage/require-own-sessions.ts';
import { openSqlite } from '../storage/sqlite.ts';
import { unusableFile } from '../storage/sqlite-errors.ts';
import { newestKey, opensStored } from './account/password-key.ts';
import { storeFile } from './data-dir.ts';
import { finishRestore, isCutOff } from './replace-store.ts';
import { openSecretKey, otherKey, type SecretKey } from './secret-key.ts';

/** Folder of the migrations that bring a store to the newest state. */
export const migrations = join(import.meta.dirname, 'migrations');

/** The oldest PostgreSQL release that can be the store. */
const oldest = 15;

/**
 * Opens the console's store in its newest state.
 * @param asServer creates a missing one or migrates it, creates its key, and keeps other servers off a SQLite file; a
 * command's folder may be mistyped
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
    if (asServer) await bringUpToDate(database, config, log);
    else await requireMigrated(database, migrations);
  } catch (cause) {
    await close();
    if (cause instanceof StorageError) throw cause;
    throw config.databaseUrl === undefined ? unusableFile(file, cause) : unusableDatabase(cause);
  }
  return { ...database, close };
}

async function bringUpToDate(database: Database, config: ConsoleConfig, log: Log): Promise<void> {
  const run = await migrate(database, migrations, (queries, applied) => requireKey(queries, applied, config));
  if (run.length > 0) log.info({ migrations: run, store: database.kind }, 'the database is up to date');
  if (config.databaseUrl === undefined) return;
  // Of servers that begin a store together, the first one to write decides its key.
  await newestKey(database, keyOfServer(config), Date.now());
  await requireOpens(database, config);
}

/** The migration that creates the table with which a key is checked. */
const withKey = '0003_sign_in.sql';

/**
 * Refuses a store that was written with another key, before it is migrated: it may be that of other servers, which then
 * could not use it any more.
 * @throws StorageError
 */
async function requireKey(
  queries: Queries,
  applied: ReadonlyMap<string, string>,
  config: ConsoleConfig,
): Promise<void> {
  if (applied.has(withKey)) await requireOpens(queries, config);
  else keyOfServer(config);
}

/** @throws StorageError */
async function requireOpens(queries: Queries, config: ConsoleConfig): Promise<void> {
  if (await opensStored(queries, keyOfServer(config))) return;
  throw new StorageError(otherKey(config.secretKey, config.dataDir));
}

function keyOfServer({ secretKey, dataDir }: ConsoleConfig): SecretKey {
  try {
    return openSecretKey(secretKey, dataDir, true);
  } catch (cause) {
    throw cause instanceof StorageError ? cause : new StorageError(errorMessage(cause), { cause });
  }
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

/** @throws StorageError if a PostgreSQL database has no store */
export async function requireTables(database: Database): Promise<void> {
  const tables = z.object({ name: z.string().nullable() });
  if ((await database.one(tables, `SELECT to_regclass('migration')::text AS name`))?.name) return;
  throw new StorageError(
    'The database of DATABASE_URL holds no store: set DATABASE_URL as for the server, or start the server once.',
  );
}
