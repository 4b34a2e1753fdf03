import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { beforeStatement } from '../../testing/before-statement.ts';
import { openTestConsole } from '../../testing/console.ts';
import { addSource, newJob } from '../../testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../../testing/jobs.ts';
import { createDatabase } from '../../testing/postgres.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { Supervisor } from '../supervisor/supervisor.ts';

const pair = z.object({ jobId: z.number(), sourceId: z.number(), targetId: z.number() });
const shown = z.looseObject({
  dataJobName: z.string(),
  currTaskStatus: z.string(),
  lifeCycleState: z.string(),
  sourceDsVO: z.looseObject({ id: z.number() }),
  dataTaskState: z.string(),
  tables: z.object({ live: z.number(), total: z.number() }),
});
const count = z.object({ n: z.number() });

describe.each(['sqlite', 'postgres'])('the practice pair, store %s', (store) => {
  let jobs: TestJobs;

  beforeEach(async () => {
    const databaseUrl = store === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    jobs = await openTestJobs({ databaseUrl });
    return () => jobs.close();
  });

  const jobOf = async (jobId: number) => shown.parse(await jobs.data(jobCalls.queryJob, { jobId }));
  const folderOf = (name: string) => join(jobs.backend.services.jobs.filesDir, 'practice', name);
  function rowsAt(name: string, side: 'source' | 'target'): number {
    const file = join(folderOf(name), `${side}.sqlite`);
    const database = new DatabaseSync(file, { readOnly: true, timeout: 60_000 });
    try {
      return count.parse(database.prepare('SELECT max(id) AS n FROM orders').get()).n;
    } finally {
      database.close();
    }
  }

  test('moves rows on its own, and is deleted without a trace while it runs', async () => {
    const { jobId } = pair.parse(await jobs.data(jobCalls.createPractice));
    await expect.poll(async () => (await jobOf(jobId)).tables).toMatchObject({ live: 3, total: 3 });
    const { dataJobName, currTaskStatus } = await jobOf(jobId);
    expect(currTaskStatus).toBe('RUNNING');
    const before = rowsAt(dataJobName, 'source');
    await expect.poll(() => rowsAt(dataJobName, 'target')).toBeGreaterThan(before);

    expect(await jobs.data(jobCalls.deletePractice, { jobId })).toBeNull();
    await expect.poll(() => jobs.data(jobCalls.listJobs)).toEqual([]);
    expect(existsSync(folderOf(dataJobName))).toBe(false);
    expect(await jobs.data(jobCalls.listDataSources)).toEqual([]);
    for (const table of ['job_table', 'job_sample', 'job_event', 'console_job', 'console_task', 'usage_record']) {
      expect(await jobs.backend.services.database.one(count, `SELECT count(*) AS n FROM ${table}`)).toEqual({ n: 0 });
    }
  });

  test('is deleted even if it is started at the same moment', async () => {
    const { jobId } = pair.parse(await jobs.data(jobCalls.createPractice));
    await expect.poll(async () => (await jobOf(jobId)).currTaskStatus).toBe('RUNNING');
    const wasRun = beforeStatement(jobs.backend.services, 'UPDATE data_job SET deletes_when_stopped', async () => {
      await expect.poll(async () => (await jobOf(jobId)).currTaskStatus).toBe('STOP');
      await jobs.data(jobCalls.startJob, { jobId });
    });
    await jobs.data(jobCalls.deletePractice, { jobId });
    wasRun();
    await expect.poll(() => jobs.data(jobCalls.listJobs)).toEqual([]);
  });

  test('is not deleted while another job uses it; a job created during deletion keeps its data source', async () => {
    const { jobId, sourceId } = pair.parse(await jobs.data(jobCalls.createPractice));
    await expect.poll(async () => (await jobOf(jobId)).tables).toMatchObject({ live: 3, total: 3 });
    const makeOther = async (table: string) => {
      const request = newJob(sourceId, await addSource(jobs, 'other.sqlite'), table, { autoStart: false });
      return Number(await jobs.data(jobCalls.createJob, request));
    };
    const other = await makeOther('orders');
    await expect.poll(async () => (await jobOf(other)).lifeCycleState).toBe('CREATED');
    expect((await jobs.open(jobCalls.deletePractice, { jobId })).body.code).toBe('DATA_SOURCE_IN_USE');
    await jobs.data('datajob/delete', { jobId: other });
    await expect.poll(() => jobs.data(jobCalls.listJobs)).toMatchObject([{ dataJobId: jobId }]);

    let late = 0;
    const wasRun = beforeStatement(jobs.backend.services, 'UPDATE data_job SET deletes_when_stopped', async () => {
      late = await makeOther('items');
    });
    await jobs.data(jobCalls.deletePractice, { jobId });
    wasRun();
    await expect.poll(() => jobs.data(jobCalls.listJobs)).toMatchObject([{ dataJobId: late }]);
    expect((await jobOf(late)).sourceDsVO.id).toBe(sourceId);
  });
});

test('with two servers, practice files are on the one that runs jobs, and are deleted with the pair', async () => {
  const databaseUrl = await createDatabase(inject('postgresUrl'));
  const env = { SECRET_KEY: 'one secret for both of the two servers' };
  const jobs = await openTestJobs({ databaseUrl, env });
  const other = await openTestConsole(env, databaseUrl);
  const namesIn = ({ services }: { services: typeof other.services }) => {
    const folder = join(services.jobs.filesDir, 'practice');
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const made = await other.post(jobCalls.createPractice, {}, { token: jobs.token });
  const { jobId } = pair.parse(made.body.data);
  const jobOf = async () => shown.parse(await jobs.data(jobCalls.queryJob, { jobId }));
  await expect.poll(async () => (await jobOf()).tables).toMatchObject({ live: 3, total: 3 });
  expect([namesIn(jobs.backend), namesIn(other)]).toEqual([[(await jobOf()).dataJobName], []]);

  // Another machine takes over and deletes the pair; the files are removed once their own server has the jobs again.
  await jobs.supervisor.stop();
  const second = new Supervisor(other.services);
  await jobs.data(jobCalls.deletePractice, { jobId });
  await expect.poll(() => jobs.data(jobCalls.listJobs)).toEqual([]);
  await second.stop();
  const third = new Supervisor(jobs.backend.services);
  // The database may take a moment to release the lock of the second one.
  await expect.poll(() => [namesIn(jobs.backend), namesIn(other)]).toEqual([[], []]);
  await third.stop();
  await other.close();
  await jobs.close();
});
