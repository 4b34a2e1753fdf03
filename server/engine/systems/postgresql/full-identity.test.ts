import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { JobProcess } from '../../../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../../../testing/job-spec.ts';
import { openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';
import type { JobSpec } from '../../job.ts';

/** Tables that PostgreSQL 18 lets nobody update while they are published, their own application neither. */

const full = ['computed', 'stored', 'parted'];
const names = [...full, 'other'];

let source: SourceDatabase;
let target: SourceDatabase;
let spec: JobSpec;
let running: JobProcess;
/** Those that the server would refuse. */
let refused: string[];

beforeEach(async () => {
  const server = inject('postgresUrl');
  [source, target] = [await openSourceDatabase(server), await openSourceDatabase(server)];
  const [[version] = []] = await source.sql('SHOW server_version_num');
  const isNew = Number(version) >= 180_000;
  refused = isNew ? full : [];
  await source.sql(`
    CREATE TABLE computed (id int PRIMARY KEY, n int, v int GENERATED ALWAYS AS (n * 2) ${isNew ? 'VIRTUAL' : 'STORED'});
    CREATE TABLE stored (id int PRIMARY KEY, n int, v int GENERATED ALWAYS AS (n * 2) STORED);
    CREATE TABLE parted (id int PRIMARY KEY, n int, v int GENERATED ALWAYS AS (n * 2) STORED) PARTITION BY RANGE (id);
    CREATE TABLE leaf PARTITION OF parted FOR VALUES FROM (0) TO (100);
    CREATE TABLE other (id int PRIMARY KEY, n int);
  `);
  spec = jobSpec({ source: postgresSide(source.url), target: postgresSide(target.url), tables: wholeTables(names) });
  for (const name of names) await source.sql(`INSERT INTO ${name} (id, n) SELECT n, n FROM generate_series(1, 9) n`);
});
afterEach(async () => {
  await running.kill();
  await Promise.all([source.close(), target.close()]);
});

const identify = async (identity: string) => {
  for (const name of ['computed', 'stored', 'leaf'])
    await source.sql(`ALTER TABLE ${name} REPLICA IDENTITY ${identity}`);
};

/** As the application does. */
const write = async () => {
  for (const name of names) await source.sql(`UPDATE ${name} SET n = n + 1; DELETE FROM ${name} WHERE id = 3 + n % 2`);
};

async function untilEqual(tables: readonly string[]): Promise<void> {
  for (const name of tables) {
    await running.until(() => running.states()[`public.${name}`] === 'live');
    const rows = `SELECT t.* FROM public.${name} AS t ORDER BY t`;
    while (JSON.stringify(await target.sql(rows)) !== JSON.stringify(await source.sql(rows))) {
      const told = running.reports.length;
      await running.until((reports) => reports.length > told);
    }
  }
}

/** Starts the job, and writes once the table that nothing is wrong with is live. */
async function startAndWrite(): Promise<void> {
  running = new JobProcess(spec);
  await running.until(() => running.states()['public.other'] === 'live');
  await write();
}

const faults = () =>
  Object.fromEntries(running.tables().flatMap(({ source: name, fault }) => (fault ? [[name, fault.code]] : [])));
const allRefused = () => Object.fromEntries(refused.map((name) => [`public.${name}`, 'IDENTITY_COMPUTED']));

test('take no part until their replica identity is another, and can be written', async () => {
  await identify('FULL');
  await startAndWrite();
  await untilEqual(names.filter((name) => !refused.includes(name)));
  expect(faults()).toEqual(allRefused());
  await running.kill();

  const findings = await source.source.check(await source.source.catalog(['public']));
  const found = findings.filter(({ table, result }) => table && result === 'fault');
  expect(found.map(({ table }) => table).sort()).toEqual(Object.keys(allRefused()).sort());
  for (const { sql = '' } of found) await source.sql(sql);
  await startAndWrite();
  await untilEqual(names);
});

test('that became so can be written from the next start on, and are copied again once they are others', async () => {
  await startAndWrite();
  await untilEqual(names);
  await running.kill();
  await identify('FULL');
  await startAndWrite();
  expect(faults()).toEqual(allRefused());
  await running.kill();
  await identify('DEFAULT');
  await startAndWrite();
  await untilEqual(names);
});
