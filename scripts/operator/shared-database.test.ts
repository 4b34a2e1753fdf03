import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { migrations } from '../../server/console/open-store.ts';
import type { Database } from '../../server/storage/database.ts';
import { migrate } from '../../server/storage/migrate.ts';
import { openPostgres } from '../../server/storage/postgres.ts';
import { runOperator } from '../../server/testing/operator.ts';
import { patientStore } from '../../server/testing/patience.ts';
import { createDatabase, findPostgres } from '../../server/testing/postgres.ts';

const silent = pino({ level: 'silent' });

/** The store's user, who owns the database but not what a superuser created there. */
let user: string;
/** A role that may read a table of the store. */
let reporting: string;
let folder: string;
let backup: string;
let env: { DATA_DIR: string; DATABASE_URL: string };
/** A superuser. */
let admin: Database;
let store: Database;

/** Creates an empty database that the store's user owns. @returns its address as a store in a schema of its own */
async function createOwned(): Promise<{ url: string; DATABASE_URL: string }> {
  const url = await createDatabase(inject('postgresUrl'));
  await admin.script(`ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO ${user}`);
  const address = new URL(url);
  address.username = user;
  address.search = '?options=-c%20search_path%3Dmill';
  return { url, DATABASE_URL: address.href };
}

beforeEach(async () => {
  // Roles belong to the server, which other tests use too.
  const part = randomUUID().slice(0, 8);
  user = `store_${part}`;
  reporting = `reporting_${part}`;
  folder = mkdtempSync(join(tmpdir(), 'millrace-shared-'));
  backup = join(folder, 'backup');
  admin = openPostgres(inject('postgresUrl'), silent, patientStore);
  await admin.script(`CREATE ROLE ${user} LOGIN; CREATE ROLE ${reporting}`);
  const { url, DATABASE_URL } = await createOwned();
  await admin.close();
  admin = openPostgres(url, silent, patientStore);
  env = { DATA_DIR: join(folder, 'data'), DATABASE_URL };
  store = openPostgres(DATABASE_URL, silent, patientStore);
  await store.script('CREATE SCHEMA mill');
  await migrate(store, migrations);
  await store.script(`CREATE SCHEMA others; CREATE TABLE others.diary (id INT PRIMARY KEY);
    CREATE TABLE others.migration (id INT); CREATE TABLE of_others (id INT PRIMARY KEY);
    CREATE VIEW others.names AS SELECT id FROM of_others;
    ALTER TABLE job_worker ADD turn INT GENERATED ALWAYS AS IDENTITY, ADD call SERIAL;
    GRANT SELECT ON migration TO ${reporting}`);
  await admin.script('CREATE EXTENSION pgcrypto');
});

afterEach(async () => {
  await store.close();
  await admin.close();
  rmSync(folder, { recursive: true });
});

/** A dump of the whole database, as earlier versions made it. */
function dumpDatabase(): void {
  mkdirSync(backup);
  const options = ['--format=custom', '--no-owner', `--file=${join(backup, 'console.dump')}`];
  const { status } = spawnSync(join(findPostgres() ?? '', 'pg_dump'), [...options, env.DATABASE_URL]);
  expect(status).toBe(0);
}

const addWorker = (database: Database) =>
  database.one(
    z.object({ turn: z.number(), call: z.number() }),
    "INSERT INTO job_worker (id, name, facts, seen_at) VALUES (1, 'a', '{}', 0) RETURNING turn, call",
  );

/** Columns, constraints, indexes and sequences of the store, as one text each. */
async function structureOf(database: Database): Promise<string[]> {
  const found = await database.all(
    z.object({ text: z.string() }),
    `SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, is_identity) AS text
       FROM information_schema.columns WHERE table_schema = 'mill' AND table_name <> 'of_others'
     UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
       FROM pg_constraint WHERE connamespace = 'mill'::regnamespace AND conrelid IS DISTINCT FROM to_regclass('of_others')
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'mill' AND tablename <> 'of_others'
     UNION ALL SELECT concat_ws(' ', sequencename, last_value) FROM pg_sequences WHERE schemaname = 'mill'
     ORDER BY 1`,
  );
  return found.map(({ text }) => text);
}

const restored = { status: 0, said: 'Restored. Start the server.', fault: '' };

test.each([
  ['a backup', () => expect(runOperator(env, 'backup', backup)).toMatchObject({ status: 0 })],
  ['a backup of an earlier version', dumpDatabase],
])('%s of a store in a shared database brings back the store alone', async (_of, backUp) => {
  expect(await addWorker(store)).toEqual({ turn: 1, call: 1 });
  await store.run('DELETE FROM job_worker');
  const before = await structureOf(store);
  backUp();
  await addWorker(store);
  await store.script(`INSERT INTO others.diary VALUES (1); INSERT INTO of_others VALUES (1);
    REVOKE SELECT ON migration FROM ${reporting}`);
  // Another server may lack it.
  await admin.script(`DROP ROLE ${reporting}`);
  expect(runOperator(env, 'restore', backup)).toEqual(restored);
  expect(await structureOf(store)).toEqual(before);
  const kept = 'SELECT (SELECT count(*) FROM others.diary) AS diary, (SELECT count(*) FROM of_others) AS others';
  expect(await store.one(z.object({ diary: z.number(), others: z.number() }), kept)).toEqual({ diary: 1, others: 1 });
  expect(await addWorker(store)).toEqual({ turn: 2, call: 2 });

  const { DATABASE_URL } = await createOwned();
  expect(runOperator({ ...env, DATABASE_URL }, 'restore', backup)).toEqual(restored);
  const elsewhere = openPostgres(DATABASE_URL, silent, patientStore);
  expect(await structureOf(elsewhere)).toEqual(before);
  const foreign = "SELECT relname AS name FROM pg_class WHERE relname IN ('diary', 'of_others', 'names')";
  expect(await elsewhere.all(z.object({ name: z.string() }), foreign)).toEqual([]);
  await elsewhere.close();
});

test('a backup of a newer version is refused, since its further tables are unknown', async () => {
  await store.run("INSERT INTO migration VALUES ('9999_of_tomorrow.sql', '', 0)");
  expect(runOperator(env, 'backup', backup)).toMatchObject({
    status: 1,
    fault: 'The database was last used by a newer version (it has 9999_of_tomorrow.sql): back it up with that one.',
  });
  rmSync(backup, { recursive: true });
  dumpDatabase();
  await store.run("DELETE FROM migration WHERE name = '9999_of_tomorrow.sql'");
  expect(runOperator(env, 'restore', backup)).toMatchObject({
    status: 1,
    fault: expect.stringMatching(
      /The backup is of a newer version: restore it with that one\.(.|\n)*nothing was changed/,
    ),
  });
  expect(await migrate(store, migrations)).toEqual([]);
  expect(readdirSync(env.DATA_DIR)).toEqual([]);
});

test('a database without a store is not backed up', async () => {
  const { DATABASE_URL } = await createOwned();
  expect(runOperator({ ...env, DATABASE_URL }, 'backup', backup)).toMatchObject({
    status: 1,
    fault: expect.stringContaining('holds no store'),
  });
  expect(readdirSync(backup)).toEqual([]);
});
