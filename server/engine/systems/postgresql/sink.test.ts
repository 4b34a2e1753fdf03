import pg from 'pg';
import { inject } from 'vitest';
import { startBreakingProxy } from '../../../testing/breaking-proxy.ts';
import { createDatabase, postgresVersion } from '../../../testing/postgres.ts';
import { sinkContract } from '../../contract/sink.ts';
import { type PostgresSettings, postgresSettings } from './card.ts';
import { openPostgresSink } from './sink.ts';

sinkContract('PostgreSQL', async () => {
  const url = await createDatabase(inject('postgresUrl'));
  const { hostname, port, pathname, username } = new URL(url);
  const settings: PostgresSettings = postgresSettings.parse({
    host: hostname,
    port: Number(port),
    database: pathname.slice(1),
    user: username,
    tls: 'disable',
  });
  const user = new pg.Client({ connectionString: url });
  await user.connect();
  await user.query(`
    CREATE SCHEMA model;
    CREATE COLLATION model.capitals (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    CREATE TABLE model.plain (id text PRIMARY KEY CHECK (id <> 'refused'), a text CHECK (a <> 'refused'), big text, code text UNIQUE);
    CREATE TABLE model.pair (big text, k1 text, k2 text, code text UNIQUE, PRIMARY KEY (k1, k2));
    CREATE TABLE model.loose (id text COLLATE model.capitals PRIMARY KEY, a text, big text, code text UNIQUE);
  `);
  const shown = await user.query<{ version: string }>("SELECT current_setting('server_version') AS version");
  const proxies: { close(): Promise<void> }[] = [];
  return {
    system: postgresVersion(shown.rows[0]?.version ?? ''),
    open: (signal) => openPostgresSink(settings, signal),
    openFailing: async (signal, when) => {
      const proxy = await startBreakingProxy(settings, when);
      proxies.push(proxy);
      return openPostgresSink({ ...settings, port: proxy.port }, signal);
    },
    evicts: false,
    cell: (text) => text,
    rows: async ({ schema, name }) => {
      const { rows } = await user.query<(string | null)[]>({
        text: `SELECT * FROM ${schema}.${name}`,
        rowMode: 'array',
      });
      return rows;
    },
    run: async (sql) => {
      await user.query(sql);
    },
    leftovers: async () => {
      const { rows } = await user.query<[string]>({
        text: "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'millrace%'",
        rowMode: 'array',
      });
      return rows.map(([name]) => name);
    },
    close: async () => {
      await user.end();
      for (const proxy of proxies) await proxy.close();
    },
  };
});
