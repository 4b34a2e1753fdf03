import { join } from 'node:path';
import type { ConsoleConfig } from '../config/console.ts';
import type { Log } from '../log.ts';
import type { Database } from '../storage/database.ts';
import { lockFile } from '../storage/file-lock.ts';
import { migrate } from '../storage/migrate.ts';
import { openPostgres } from '../storage/postgres.ts';
import { openSqlite } from '../storage/sqlite.ts';

/** Name of the SQLite file in `DATA_DIR`. */
export const storeFile = 'console.sqlite';
const migrations = join(import.meta.dirname, 'migrations');

/** Opens the store of the console, on the newest migration. @param asServer keeps other servers off a SQLite file */
export async function openStore(config: ConsoleConfig, log: Log, asServer: boolean): Promise<Database> {
  const file = join(config.dataDir, storeFile);
  const unlock = asServer && config.databaseUrl === undefined ? lockFile(file) : undefined;
  const database = config.databaseUrl === undefined ? openSqlite(file) : openPostgres(config.databaseUrl, log);
  const run = await migrate(database, migrations);
  if (run.length > 0) log.info({ migrations: run, store: database.kind }, 'the database is up to date');
  return {
    ...database,
    async close() {
      await database.close();
      unlock?.();
    },
  };
}
