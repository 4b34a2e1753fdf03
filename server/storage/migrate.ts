import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Database, type Queries, StorageError } from './database.ts';

const appliedRow = z.object({ name: z.string(), hash: z.string() });

/**
 * Migrates a database to the newest state: runs each `.sql` file of a folder once, in order of name. If several
 * processes start at the same time, one runs them and the others wait. All of them run in one transaction.
 * @param allow throws to leave the database as it is; it sees the database before, and the files that have run on it
 * @throws StorageError when a file was edited after it had run, or the database is newer than this version
 * @returns names of the files that ran now
 */
export function migrate(
  database: Database,
  folder: string,
  allow?: (queries: Queries, applied: ReadonlyMap<string, string>) => Promise<void>,
): Promise<string[]> {
  const files = namesOfMigrations(folder).map((name) => ({ name, sql: readFileSync(join(folder, name), 'utf8') }));
  return database.exclusively(async (queries) => {
    await queries.script(
      'CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at BIGINT NOT NULL)',
    );
    const hashes = await requireKnown(queries, folder, 'start that version');
    await allow?.(queries, hashes);
    const run: string[] = [];
    for (const { name, sql } of files) {
      const hash = createHash('sha256').update(sql).digest('hex');
      const before = hashes.get(name);
      if (before !== undefined && before !== hash) {
        throw new StorageError(`${name} was changed after it ran on this database: restore its original text.`);
      }
      if (before !== undefined) continue;
      await queries.script(sql);
      await queries.run('INSERT INTO migration (name, hash, applied_at) VALUES ($1, $2, $3)', [name, hash, Date.now()]);
      run.push(name);
    }
    return run;
  });
}

/**
 * Hashes of the files that have run on a database, by name.
 * @param remedy what to do with the newer version
 * @throws StorageError when the database is newer than this version
 */
export async function requireKnown(queries: Queries, folder: string, remedy: string): Promise<Map<string, string>> {
  const applied = await queries.all(appliedRow, 'SELECT name, hash FROM migration ORDER BY name');
  const known = namesOfMigrations(folder);
  const unknown = applied.find(({ name }) => !known.includes(name));
  if (unknown) {
    throw new StorageError(`The database was last used by a newer version (it has ${unknown.name}): ${remedy}.`);
  }
  return new Map(applied.map(({ name, hash }) => [name, hash]));
}

/**
 * For an operator command, which does not change the tables of a server that may be running.
 * @throws StorageError when a file has not, or the database is newer than this version
 */
export async function requireMigrated(queries: Queries, folder: string): Promise<void> {
  const applied = await requireKnown(queries, folder, 'run the commands of that version');
  const missing = namesOfMigrations(folder).find((name) => !applied.has(name));
  if (missing === undefined) return;
  if (applied.size === 0) {
    throw new StorageError(
      'The database holds no store: set DATA_DIR and DATABASE_URL as for the server, or start the server once.',
    );
  }
  throw new StorageError(
    `The database was last used by an older version (it lacks ${missing}): run the commands of that version, or upgrade by starting the server of this one.`,
  );
}

/** The files of a folder, in the order in which they run. */
export function namesOfMigrations(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}
