import { z } from 'zod';
import { migrations } from '../../server/console/open-store.ts';
import type { Database } from '../../server/storage/database.ts';
import { migrate, requireKnown } from '../../server/storage/migrate.ts';
import { openSqlite } from '../../server/storage/sqlite.ts';

const named = z.object({ name: z.string() });

/**
 * The tables of a PostgreSQL store, as SQL names. A database, and even the schema, may contain other tables.
 * @param names of all tables that the migrations create
 * @param remedy what to do with a store of a newer version, whose tables are unknown
 */
export async function findTables(database: Database, names: readonly string[], remedy: string): Promise<string[]> {
  const there = await database.one(named, `SELECT relname AS name FROM pg_class WHERE oid = to_regclass('migration')`);
  if (!there) return [];
  await requireKnown(database, migrations, remedy);
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

/** The names of all tables that the migrations create. */
export async function namesOfTables(): Promise<string[]> {
  const database = openSqlite(':memory:');
  try {
    await migrate(database, migrations);
    const tables = await database.all(named, `SELECT name FROM sqlite_schema WHERE type = 'table'`);
    return tables.map(({ name }) => name);
  } finally {
    await database.close();
  }
}
