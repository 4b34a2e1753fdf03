import { expect, inject, test } from 'vitest';
import { openSourceDatabase } from '../../../testing/postgres-source.ts';
import { openPostgresSink } from './sink.ts';

test('what only PostgreSQL 18 understands is carried to 18 and told for others', async ({ skip }) => {
  const source = await openSourceDatabase(inject('postgresUrl'));
  const [[version] = []] = await source.sql('SHOW server_version_num');
  if (Number(version) < 180_000) {
    await source.close();
    skip('The server is older than 18.');
  }
  await source.sql(`
    CREATE TABLE a (id uuid DEFAULT uuidv7() PRIMARY KEY, n int NOT NULL, v int GENERATED ALWAYS AS (n * 2) VIRTUAL);
    CREATE TABLE b (id int PRIMARY KEY, n int, CONSTRAINT loose CHECK (n > 0) NOT ENFORCED, a uuid REFERENCES a NOT ENFORCED);
    CREATE TABLE c (id int4range, during int4range, PRIMARY KEY (id, during WITHOUT OVERLAPS));
    CREATE TABLE d (id int PRIMARY KEY);
  `);
  const target = await openSourceDatabase(inject('postgresUrl'));
  const sink = openPostgresSink(target.settings, target.abort.signal);
  const tables = await source.source.catalog([]);
  const statements = await source.source.structure(tables, tables, []);
  const told = statements
    .filter(({ note }) => note?.includes('Needs PostgreSQL 18'))
    .map(({ kind, table }) => `${kind} ${table}`);
  expect(told.sort()).toEqual(['check public.b', 'foreign-key public.b', 'key public.c', 'table public.a']);
  for (const statement of statements) await sink.run(statement);
  const definitions = `SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`;
  expect(await target.sql(definitions)).toEqual(await source.sql(definitions));
  expect(await target.sql("SELECT attname FROM pg_attribute WHERE attgenerated = 'v'")).toEqual([['v']]);
  await sink.close();
  await source.close();
  await target.close();
});
