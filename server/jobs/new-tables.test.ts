import pg from 'pg';
import { afterEach, expect, inject, test } from 'vitest';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { Job, JobDetail } from '../../client/contract/jobs/jobs.ts';
import { makeJob, newJob, standIn } from '../testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../testing/jobs.ts';
import { createDatabase } from '../testing/postgres.ts';
import { settingsOf } from '../testing/postgres-source.ts';
import { findJob } from './jobs.ts';
import { addNewTables } from './new-tables.ts';

let jobs: TestJobs;

afterEach(() => jobs.close());

const pattern = (...nodes: object[]) => ({
  srcSchema: JSON.stringify([
    { db: '', tables: [{ table: 'well' }, { table: 'log_*', tablePattern: 'log_*' }, ...nodes] },
  ]),
});
const named = (...names: string[]) => names.map((name) => ({ schema: 'main', name }));

async function addedTo(changes: object, found: { schema: string; name: string }[]) {
  const jobId = await makeJob(jobs, 'well', changes);
  const { database } = jobs.backend.services;
  const detail = async (): Promise<JobDetail> => (await jobs.open(jobCalls.jobDetail, { jobId })).body.data;
  // A process that is restarted before its first report would not be counted.
  await expect.poll(async () => (await detail()).job.tables.live).toBe(1);
  await database.transaction((queries) => addNewTables(queries, jobId, found, 1));
  const { events } = await detail();
  const job = await findJob(database, jobId);
  return {
    jobId,
    tables: job?.tables?.map(({ name }) => name),
    told: events.filter(({ sentence }) => sentence.startsWith('New tables')).map(({ sentence }) => sentence),
  };
}

test('tables that match a pattern are added only with addNewTables, except excluded or conflicting ones', async () => {
  // The source has none of them yet.
  jobs = await openTestJobs({ jobs: { ...standIn, ask: async (_uid, _question, schema) => schema.parse([]) } });
  const found = named('log_1', 'log_2', 'other', 'well');
  expect(await addedTo(pattern(), found)).toMatchObject({ tables: ['well'], told: [] });
  const added = await addedTo({ ...pattern({ table: 'log_2', inBlackList: true }), addNewTables: true }, found);
  expect(added).toMatchObject({
    tables: ['well', 'log_1'],
    told: ['New tables match the patterns of the job and are added: main.log_1.'],
  });
  const begun = async () => {
    const { events }: JobDetail = (await jobs.open(jobCalls.jobDetail, { jobId: added.jobId })).body.data;
    return events.filter(({ sentence }) => sentence.startsWith('process')).length;
  };
  await expect.poll(begun).toBe(2);
  const mappingDef = JSON.stringify([{ method: 'TABLE_TABLE', commonGenRule: 'TO_LOWER_CASE' }]);
  expect(await addedTo({ ...pattern(), mappingDef, addNewTables: true }, named('log_a', 'log_A'))).toMatchObject({
    tables: ['well'],
    told: [expect.stringContaining('Two tables would become main.log_a at the target.')],
  });
});

test('a new source table is created at the target, copied and followed with the naming rules of the job', async () => {
  jobs = await openTestJobs();
  const urls = [await createDatabase(inject('postgresUrl')), await createDatabase(inject('postgresUrl'))] as const;
  const [source, target] = urls.map((connectionString) => new pg.Client({ connectionString }));
  if (!source || !target) throw new Error('There are two.');
  await Promise.all([source.connect(), target.connect()]);
  try {
    const table = (name: string) => `CREATE TABLE ${name} ("Id" int PRIMARY KEY, "Note" text, region text);
      CREATE INDEX ON ${name} ("Note");
      INSERT INTO ${name} SELECT i, 'n' || i, CASE i % 2 WHEN 0 THEN 'EU' ELSE 'US' END FROM generate_series(1, 1000) i;`;
    await source.query(`CREATE SCHEMA "Shop"; SET search_path = "Shop"; ${table('"Log_1"')} ${table('other')}`);
    const add = async (url: string) =>
      Number(
        await jobs.data(jobCalls.addDataSource, {
          type: 'PostgreSQL',
          instanceDesc: 'a',
          settings: { ...settingsOf(url) },
        }),
      );
    const filter = { type: 'SQL_WHERE', expression: "region = 'EU'" };
    const nodes = [{ table: 'Log_*', tablePattern: 'Log_*', dataFilter: filter }];
    const db = settingsOf(urls[0]).database;
    const request = newJob(await add(urls[0]), await add(urls[1]), '', {
      srcSchema: JSON.stringify([{ db, schemas: [{ schema: 'Shop', tables: nodes }] }]),
      dstSchema: JSON.stringify([{ db: settingsOf(urls[1]).database }]),
      mappingDef: JSON.stringify([
        { method: 'SCHEMA_SCHEMA', commonGenRule: 'TO_LOWER_CASE' },
        { method: 'TABLE_TABLE', commonGenRule: 'TO_UPPER_CASE' },
        {
          method: 'COLUMN_COLUMN',
          commonGenRule: 'TO_LOWER_CASE',
          serializeMapping: { [JSON.stringify({ value: 'Note' })]: JSON.stringify({ value: 'remark' }) },
        },
      ]),
      addNewTables: true,
    });
    const jobId = Number(await jobs.data(jobCalls.createJob, request));
    const job = async (): Promise<Job> => (await jobs.open(jobCalls.queryJob, { jobId })).body.data;
    await expect.poll(async () => (await job()).tables.live).toBe(1);
    await source.query(table('"Log_2"'));
    await expect.poll(async () => (await job()).tables.live).toBe(2);
    await source.query(
      `UPDATE "Log_2" SET region = 'EU' WHERE "Id" = 7; UPDATE "Log_1" SET region = 'US' WHERE "Id" = 8`,
    );
    for (const name of ['Log_1', 'Log_2']) {
      const rows = async (client: pg.Client, sql: string) => (await client.query(sql)).rows;
      const wanted = await rows(
        source,
        `SELECT "Id" AS id, "Note" AS remark, region FROM "${name}" WHERE region = 'EU' ORDER BY 1`,
      );
      const copied = `SELECT id, remark, region FROM shop."${name.toUpperCase()}" ORDER BY 1`;
      await expect.poll(() => rows(target, copied)).toEqual(wanted);
    }
    const { events }: JobDetail = (await jobs.open(jobCalls.jobDetail, { jobId })).body.data;
    expect(events.map(({ sentence }) => sentence)).toContain(
      'New tables match the patterns of the job and are added: Shop.Log_2.',
    );
    const there = await target.query(
      `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'shop'::regnamespace`,
    );
    expect(there.rows.map(({ relname }) => relname).sort()).toEqual(['LOG_1', 'LOG_2']);
    await jobs.data(jobCalls.stopJob, { jobId });
    await expect.poll(async () => (await job()).currTaskStatus).toBe('STOP');
    await jobs.data(jobCalls.deleteJob, { jobId });
    await expect.poll(() => jobs.data(jobCalls.listJobs)).toEqual([]);
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
});
