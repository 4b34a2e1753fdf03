import type { PostgresSettings } from './card.ts';
import { connect } from './connect.ts';
import { engineError } from './errors.ts';

/** The maximum number of databases whose schemas are read; each takes a session of its own. */
const mostDatabases = 100;

/**
 * Databases that the user can connect to, with their schemas other than the server's own.
 * @throws EngineError
 */
export async function readDatabases(
  settings: PostgresSettings,
  signal: AbortSignal,
): Promise<{ name: string; schemas: string[] }[]> {
  const names = await askNames(
    settings,
    signal,
    `SELECT datname FROM pg_database
    WHERE datallowconn AND NOT datistemplate AND has_database_privilege(oid, 'CONNECT')
    ORDER BY datname = current_database() DESC, datname LIMIT ${mostDatabases}`,
  );
  const databases: { name: string; schemas: string[] }[] = [];
  for (const name of names) {
    const schemas = await readSchemas({ ...settings, database: name }, signal);
    if (schemas) databases.push({ name, schemas });
  }
  return databases;
}

/** @returns undefined if the database was dropped after it was listed */
async function readSchemas(
  settings: PostgresSettings,
  signal: AbortSignal,
  isAgain = false,
): Promise<string[] | undefined> {
  try {
    return await askNames(
      settings,
      signal,
      `SELECT nspname FROM pg_namespace
      WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'millrace') AND has_schema_privilege(oid, 'USAGE')
      ORDER BY nspname`,
    );
  } catch (error) {
    const { code } = engineError(error);
    // The server's access rules may refuse one database and allow another.
    if (code === 'SIGN_IN_REFUSED' || code === 'SIGN_IN_NOT_ALLOWED') return [];
    if (code === 'DATABASE_NOT_FOUND') return undefined;
    // A forced drop first ends the sessions, with or without a message. A second try shows if the database is gone.
    const isCut = code === 'SESSION_ENDED' || code === 'CONNECTION_LOST';
    if (isCut && !isAgain) return await readSchemas(settings, signal, true);
    throw error;
  }
}

async function askNames(settings: PostgresSettings, signal: AbortSignal, text: string): Promise<string[]> {
  const session = await connect(settings, { side: 'source', signal });
  try {
    const { rows } = await session.query<[string]>({ text, rowMode: 'array' });
    return rows.map(([name]) => name);
  } catch (error) {
    throw engineError(error, { side: 'source' });
  } finally {
    await session.end();
  }
}
