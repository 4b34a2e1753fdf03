import pino from 'pino';
import { migrations } from '../console/open-store.ts';
import { migrate } from '../storage/migrate.ts';
import { openPostgres } from '../storage/postgres.ts';
import { patientStore } from './patience.ts';
import { createDatabase } from './postgres.ts';

/** Addresses of the databases that this file's stores are copied from, by server. */
const migrated = new Map<string, Promise<string>>();

/**
 * Creates a database with the newest store, empty, and returns its address: most of the time to open a console would
 * be spent on its migrations.
 */
export async function createStoreDatabase(serverUrl: string): Promise<string> {
  const template = migrated.get(serverUrl) ?? createMigrated(serverUrl);
  migrated.set(serverUrl, template);
  return createDatabase(serverUrl, await template);
}

async function createMigrated(serverUrl: string): Promise<string> {
  const url = await createDatabase(serverUrl);
  const database = openPostgres(url, pino({ level: 'silent' }), patientStore);
  try {
    await migrate(database, migrations);
  } finally {
    await database.close();
  }
  return url;
}
