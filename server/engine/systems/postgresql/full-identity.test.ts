import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { JobProcess } from '../../../testing/job-process.ts';
import { jobSpec, postgresSide, wholeTables } from '../../../testing/job-spec.ts';
import { openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';
import type { JobSpec } from '../../job.ts';

/**
 * Tables that PostgreSQL 18 does not allow anyone to update while they are published, not even their own application.
 */

const full = ['computed', 'stored', 'parted'];
const names = [...full, 'other', 'keyless'];

let source: SourceDatabase;
let target: SourceDatabase;
let spec: JobSpec;
let running: JobProcess;
/** Tables whose updates the server would refuse. */
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
    CREATE TABLE keyless (id int PRIMARY KEY, n int);
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

/** Writes as the application does. */
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

/** Waits until a table's own application can write to it again. */
async function untilWritable(name: string): Promise<void> {
  const written = () =>
    source.sql(`UPDATE ${name} SET n = n`).then(
      () => true,
      () => false,
    );
  while (!(await written()));
}

/** Starts the job, and writes once the unaffected table is live. */
async function startAndWrite(): Promise<void> {
  running = new JobProcess(spec);
  await running.until(() => running.states()['public.other'] === 'live');
  await write();
}

const faults = () =>
  Object.fromEntries(running.tables().flatMap(({ source: name, fault }) => (fault ? [[name, fault.code]] : [])));
const allRefused = () => Object.fromEntries(refused.map((name) => [`public.${name}`, 'IDENTITY_COMPUTED']));

test('unwritable tables are left out until their replica identity changes, and can be written', async () => {
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

test('tables that became unwritable are writable from the next start on, and copied again once mended', async () => {
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

test('tables that become unwritable while the job runs are made writable, and copied again when resumed', async () => {
  await startAndWrite();
  await untilEqual(names);
  const unwritable = ['keyless', ...refused];
  await identify('FULL');
  await source.sql('ALTER TABLE keyless DROP CONSTRAINT keyless_pkey');
  for (const name of unwritable) await untilWritable(name);
  await source.sql('UPDATE other SET n = 7');
  await untilEqual(names.filter((name) => !unwritable.includes(name)));
  expect(faults()).toEqual({ ...allRefused(), 'public.keyless': 'TABLE_CHANGED' });
  await identify('DEFAULT');
  await source.sql('ALTER TABLE keyless ADD PRIMARY KEY (id)');
  await write();
  const ids = new Map(running.tables().map(({ source: name, id }) => [name, id]));
  for (const name of unwritable) running.send({ kind: 'table', id: ids.get(`public.${name}`) ?? '', action: 'resume' });
  await untilEqual(names);
});

test('tables that become unwritable while paused are made writable, and report missing changes', async () => {
  await startAndWrite();
  await untilEqual(names);
  const id = running.tables().find(({ source: name }) => name === 'public.keyless')?.id ?? '';
  running.send({ kind: 'table', id, action: 'pause' });
  await running.until(() => running.states()['public.keyless'] === 'paused');
  await source.sql('ALTER TABLE keyless DROP CONSTRAINT keyless_pkey');
  await untilWritable('keyless');
  await source.sql('ALTER TABLE keyless ADD PRIMARY KEY (id)');
  await write();
  const resume = () => running.send({ kind: 'table', id, action: 'resume' });
  resume();
  // Its changes were logged nowhere: an operator must have it copied again.
  await running.until(() => running.states()['public.keyless'] === 'blocked');
  resume();
  await untilEqual(names);
});
