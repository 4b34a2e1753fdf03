import { inject } from 'vitest';
import { postgresVersion } from '../../../testing/postgres.ts';
import { openSourceDatabase } from '../../../testing/postgres-source.ts';
import { sourceContract } from '../../contract/source.ts';
import { PostgresSource } from './source.ts';

sourceContract('PostgreSQL', async () => {
  const database = await openSourceDatabase(inject('postgresUrl'));
  await database.sql(`
    CREATE TABLE plain (id int PRIMARY KEY, a text, big text, code text UNIQUE);
    CREATE TABLE pair (big text, k1 text, k2 int, code text UNIQUE, PRIMARY KEY (k1, k2));
    ALTER TABLE plain ALTER big SET STORAGE EXTERNAL;
  `);
  const [[version = ''] = []] = await database.sql("SELECT current_setting('server_version')");
  return {
    system: postgresVersion(version ?? ''),
    open: (signal) => new PostgresSource(database.settings, signal),
    write: async (statements, end) => {
      await database.sql(['BEGIN', ...statements, end].join(';'));
    },
    truncate: (table) => `TRUNCATE ${table}`,
    rows: ({ name, columns }) =>
      database.sql(`SELECT ${columns.map((column) => `${column.name}::text`).join(', ')} FROM ${name}`),
    leftovers: async (job) => {
      const names = await database.sql(
        'SELECT slot_name FROM pg_replication_slots WHERE database = current_database() UNION ALL SELECT pubname FROM pg_publication',
      );
      return names.map(([name]) => name ?? '').filter((name) => name.includes(job));
    },
    close: () => database.close(),
  };
});
