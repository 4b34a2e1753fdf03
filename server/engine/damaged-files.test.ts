import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { JobProcess } from '../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../testing/job-spec.ts';
import { createDatabase, logicalCluster, type PostgresServer, startPostgres } from '../testing/postgres.ts';
import { TestDatabase } from '../testing/rig/database.ts';
import type { JobSpec } from './job.ts';

let server: PostgresServer;
/** On the server whose files are damaged. */
let damaged: TestDatabase;
let healthy: TestDatabase;
let running: JobProcess | undefined;

beforeAll(async () => {
  server = await startPostgres(logicalCluster);
});
afterAll(() => server.stop());
beforeEach(async () => {
  damaged = new TestDatabase(await createDatabase(server.url));
  healthy = new TestDatabase(await createDatabase(inject('postgresUrl')));
});
afterEach(async () => {
  await running?.kill();
  await Promise.all([damaged.close(), healthy.close()]);
});

const make = (database: TestDatabase) =>
  database.ask(`CREATE TABLE item (id int PRIMARY KEY, name text);
    INSERT INTO item SELECT i, 'name ' || i FROM generate_series(1, 5000) i`);
const rowsOf = async (database: TestDatabase) =>
  (await database.ask(`SELECT count(*)::int, md5(string_agg(i::text, chr(10) ORDER BY id)) FROM public.item i`))[0];

/** The table's file, once the server has none of it in memory. */
async function fileOf(): Promise<string> {
  const [[folder, path] = []] = await damaged.ask(
    `SELECT current_setting('data_directory'), pg_relation_filepath('public.item')`,
  );
  await damaged.ask('CHECKPOINT');
  await server.killAndRestart();
  return join(String(folder), String(path));
}

/** Each takes a file and returns a function that restores it. */
const damages = {
  'has a damaged page': (file: string) => {
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.from(whole).fill('damaged ', 0, 64));
    return () => writeFileSync(file, whole);
  },
  'is gone': (file: string) => {
    renameSync(file, `${file}.gone`);
    return () => renameSync(`${file}.gone`, file);
  },
};

/** A job that meets the fault, retries on its own, and continues once the file is back. */
async function meetFault(spec: JobSpec, side: string, mend: () => void): Promise<void> {
  running = new JobProcess(spec);
  const fault = { code: 'SERVER_FAULT', retry: 'timed', sentence: expect.stringContaining(`at the ${side}`) };
  expect(await running.end()).toMatchObject({ kind: 'failed', fault });
  mend();
  const job = new JobProcess(spec);
  running = job;
  await job.until(() => job.states()['public.item'] === 'live');
  expect(await rowsOf(healthy)).toEqual(await rowsOf(damaged));
}

test.each(Object.entries(damages))('a source table whose file %s is reported as a server fault', async (_, damage) => {
  await make(damaged);
  const spec = jobSpec({
    source: postgresSide(damaged.url),
    target: postgresSide(healthy.url),
    tables: wholeTables(['item']),
  });
  await meetFault(spec, 'source', damage(await fileOf()));
});

test('a target table whose file is gone is reported as a server fault, not as a missing slot', async () => {
  for (const database of [healthy, damaged]) await make(database);
  const spec = jobSpec({
    source: postgresSide(healthy.url),
    target: postgresSide(damaged.url),
    tables: wholeTables(['item']),
  });
  await meetFault(spec, 'target', damages['is gone'](await fileOf()));
});
