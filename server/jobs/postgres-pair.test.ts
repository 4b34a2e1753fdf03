import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { CatalogTable } from '../../client/contract/jobs/data-sources.ts';
import type { Job } from '../../client/contract/jobs/jobs.ts';
import type { Finding, JobPlan } from '../../client/contract/jobs/new-job.ts';
import { newJob } from '../testing/job-fixtures.ts';
import { openTestJobs } from '../testing/jobs.ts';
import { createDatabase } from '../testing/postgres.ts';

/** Two databases and a way to query each. */
async function database() {
  const url = new URL(await createDatabase(inject('postgresUrl')));
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  const settings = {
    host: url.hostname,
    port: Number(url.port),
    database: url.pathname.slice(1),
    user: 'postgres',
    tls: 'disable',
  };
  return { client, settings, ask: async (sql: string) => (await client.query(sql)).rows };
}

test('API calls precheck, plan, create and follow a PostgreSQL job, and delete it without a trace', async () => {
  const jobs = await openTestJobs();
  const [source, target] = [await database(), await database()];
  await source.ask(`CREATE TABLE orders (id bigint PRIMARY KEY, note text, sum numeric(12,2) NOT NULL);
    CREATE INDEX by_note ON orders (note);
    INSERT INTO orders SELECT n, 'note ' || n, n / 7.0 FROM generate_series(1, 5000) n`);
  const add = async (settings: object) =>
    Number(await jobs.data(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 'a', settings }));
  const [from, to] = [await add(source.settings), await add(target.settings)];

  const named = { clusterId: 1, dataSourceId: from, hostType: 'PRIVATE' };
  const findings: Finding[] = (await jobs.open(jobCalls.testDataSource, named)).body.data;
  expect(findings.filter(({ success }) => !success)).toEqual([]);
  const listed: CatalogTable[] = (await jobs.open(jobCalls.listTables, { ...named, schema: 'public' })).body.data;
  expect(listed).toMatchObject([{ schemaName: 'public', tableName: 'orders', hasPk: true }]);

  const { database: db } = source.settings;
  const request = newJob(from, to, '', {
    srcSchema: JSON.stringify([{ db, schemas: [{ schema: 'public', tables: [{ table: 'orders' }] }] }]),
    dstSchema: JSON.stringify([{ db: target.settings.database }]),
  });
  const checking = await jobs.open(jobCalls.precheck, request);
  expect([checking.body.msg, checking.body.data?.fault, checking.body.fields]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const checked: Finding[] = checking.body.data;
  expect(checked.filter(({ success }) => !success)).toEqual([]);
  const plan: JobPlan = (await jobs.open(jobCalls.planJob, request)).body.data;
  expect(plan.statements.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['table', 'index']));

  const jobId = Number(await jobs.data(jobCalls.createJob, request));
  const job = async (): Promise<Job> => (await jobs.open(jobCalls.queryJob, { jobId })).body.data;
  await expect.poll(async () => (await job()).tables.live).toBe(1);
  await source.ask(`UPDATE orders SET note = 'changed' WHERE id % 10 = 0; DELETE FROM orders WHERE id = 7;
    INSERT INTO orders VALUES (9999, NULL, 1.50)`);
  const digest = `SELECT md5(string_agg(o::text, ',' ORDER BY id)) AS d FROM public.orders o`;
  const wanted = await source.ask(digest);
  await expect.poll(() => target.ask(digest)).toEqual(wanted);
  expect((await job()).fault).toBeNull();

  await jobs.data(jobCalls.stopJob, { jobId });
  await expect.poll(async () => (await job()).currTaskStatus).toBe('STOP');
  // No one reads its slot now; the check does not suggest dropping it, as it does for a slot that no job has.
  const spare = `millrace_canal${db.slice(-11)}`;
  await source.ask(`SELECT pg_create_physical_replication_slot('${spare}')`);
  const told = JSON.stringify((await jobs.open(jobCalls.precheck, request)).body.data);
  await source.ask(`SELECT pg_drop_replication_slot('${spare}')`);
  expect(told).toContain(`SELECT pg_drop_replication_slot('${spare}')`);
  expect(told).not.toContain(`millrace_${(await job()).dataJobName}`);
  // A job whose source cannot be reached stays and says what to run there; afterwards it is deleted on its own.
  await target.ask(`ALTER DATABASE ${db} ALLOW_CONNECTIONS false`);
  await jobs.data(jobCalls.deleteJob, { jobId });
  await expect.poll(async () => (await job()).fault?.hint).toContain('pg_drop_replication_slot');
  const { currTaskStatus, fault, dataJobName } = await job();
  expect(currTaskStatus).toBe('DELETE');
  expect(fault?.hint).toContain(
    `SELECT pg_drop_replication_slot('millrace_${dataJobName}'); DROP PUBLICATION IF EXISTS millrace_${dataJobName};`,
  );
  await target.ask(`ALTER DATABASE ${db} ALLOW_CONNECTIONS true`);
  jobs.backend.pass(60_000);
  jobs.supervisor.look();
  await expect.poll(() => jobs.data(jobCalls.listJobs)).toEqual([]);
  expect(await source.ask(`SELECT slot_name FROM pg_replication_slots WHERE database = '${db}'`)).toEqual([]);
  expect(await source.ask('SELECT pubname FROM pg_publication')).toEqual([]);
  for (const { client } of [source, target]) await client.end();
  await jobs.close();
});

test('the precheck reports one fault with a statement for a table without a key or an unlogged one', async () => {
  const jobs = await openTestJobs();
  const [source, target] = [await database(), await database()];
  try {
    await source.ask('CREATE TABLE keyless (v int); CREATE UNLOGGED TABLE light (id int PRIMARY KEY)');
    const add = async (settings: object) =>
      Number(await jobs.data(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 'a', settings }));
    const tables = [{ table: 'keyless' }, { table: 'light' }];
    const request = newJob(await add(source.settings), await add(target.settings), '', {
      jobType: 'SYNC',
      srcSchema: JSON.stringify([{ db: source.settings.database, schemas: [{ schema: 'public', tables }] }]),
      dstSchema: JSON.stringify([{ db: target.settings.database }]),
    });
    const findings: Finding[] = (await jobs.open(jobCalls.precheck, request)).body.data;
    expect(findings.filter(({ success }) => !success)).toMatchObject([
      { preCheckType: 'STRUCT_TABLE_PK', table: 'public.keyless', sql: expect.stringContaining('ADD PRIMARY KEY') },
      { preCheckType: 'STRUCT_TABLE_STORAGE', table: 'public.light', sql: expect.stringContaining('SET LOGGED') },
    ]);
  } finally {
    await jobs.close();
    await source.client.end();
    await target.client.end();
  }
});
