import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  findPostgres,
  logicalCluster,
  type PostgresServer,
  postgresVersion,
  startPostgres,
} from '../../server/testing/postgres.ts';
import { preparePostgres18 } from '../../server/testing/postgres-18.ts';
import { sqlBlocks } from './sql-blocks.ts';

// Runs the SQL that documents mark as run, as a reader would: block after block, in a database named `shop`.

const content = join(import.meta.dirname, '../../content');
const documents = readdirSync(join(content, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`)
  .map((document) => ({ document, blocks: sqlBlocks(readFileSync(join(content, document), 'utf8')) }))
  .filter(({ blocks }) => blocks.length > 0);

/** What a reader already has: a database with an application's tables. */
const before = `
  CREATE ROLE shop_owner LOGIN;
  GRANT CREATE ON SCHEMA public TO shop_owner;
  SET ROLE shop_owner;
  CREATE TABLE public.customers (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL);
  CREATE TABLE public.orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer bigint NOT NULL REFERENCES public.customers, note text);
  INSERT INTO public.customers (name) VALUES ('one'), ('two');
  INSERT INTO public.orders (customer, note) VALUES (1, 'first');`;

const clusters = new Map<string, PostgresServer>();
let installed: ReturnType<typeof preparePostgres18>;

beforeAll(async () => {
  clusters.set('15', await startPostgres({ ...logicalCluster, epoch: 0 }));
  installed = preparePostgres18();
  clusters.set('18', await startPostgres({ ...logicalCluster, programs: installed.programs, epoch: 0 }));
});

afterAll(async () => {
  for (const cluster of clusters.values()) await cluster.stop();
  installed?.remove();
});

interface Told {
  out: string;
  error: string;
}

/** psql's output for statements; it stops at the first error. */
function psql(release: string, sql: string, { database = 'shop', role = 'postgres' } = {}): Told {
  const url = new URL(clusters.get(release)?.url ?? '');
  url.pathname = `/${database}`;
  url.username = role;
  const program = join(findPostgres() ?? '', 'psql');
  const options = ['-X', '-At', '-v', 'ON_ERROR_STOP=1', '-d', url.href, '-f', '-'];
  const { status, stdout, stderr } = spawnSync(program, options, { input: sql, encoding: 'utf8', timeout: 300_000 });
  return { out: stdout.trim(), error: status === 0 ? '' : stderr };
}

describe.each(['15', '18'])('on PostgreSQL %s', (release) => {
  const administer = (sql: string) => {
    const { out, error } = psql(release, sql, { database: 'postgres' });
    if (error) throw new Error(error);
    return out;
  };

  afterEach(() => {
    administer('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots');
    administer('DROP DATABASE shop WITH (FORCE)');
    const roles = administer(
      "SELECT quote_ident(rolname) FROM pg_roles WHERE rolname !~ '^pg_' AND rolname <> 'postgres'",
    );
    for (const role of roles.split('\n').filter(Boolean)) administer(`DROP OWNED BY ${role}; DROP ROLE ${role};`);
    administer('ALTER SYSTEM RESET ALL');
    administer('SELECT pg_reload_conf()');
  });

  test.for(documents)('$document', ({ document, blocks }, { task }) => {
    administer('CREATE DATABASE shop');
    expect(psql(release, before).error).toBe('');
    for (const { line, role, sql } of blocks) {
      const { error } = psql(release, sql, role ? { role } : {});
      expect(error, `content/${document}:${line}`).toBe('');
    }
    const system = postgresVersion(administer('SHOW server_version'));
    task.meta.proves = { kind: 'statements', system, document, blocks: blocks.length };
  });
});
