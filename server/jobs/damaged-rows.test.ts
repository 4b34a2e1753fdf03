import { beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import type { ApiKey, CreatedApiKey } from '../../client/contract/jobs/api-keys.ts';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { Job, JobDetail } from '../../client/contract/jobs/jobs.ts';
import { makeJob, standIn } from '../testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../testing/jobs.ts';
import { createStoreDatabase } from '../testing/store-database.ts';

describe.each(['sqlite', 'postgres'])('damaged rows, store %s', (store) => {
  let jobs: TestJobs;

  beforeEach(async () => {
    const databaseUrl = store === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    jobs = await openTestJobs({ databaseUrl, jobs: standIn });
    return () => jobs.close();
  });

  const detail = async (jobId: number): Promise<JobDetail> =>
    (await jobs.open(jobCalls.jobDetail, { jobId })).body.data;
  const run = (sql: string, parameters: number[]) => jobs.backend.services.database.run(sql, parameters);
  const named = (what: string) => jobs.backend.logged.filter(({ msg }) => msg === `a ${what} row cannot be read`);

  test('a damaged table is shown as such beside the others, and is reported anew when its job restarts', async () => {
    const jobId = await makeJob(jobs, 'well');
    const live = async () => (await detail(jobId)).job.tables.live;
    await expect.poll(live).toBe(1);
    await run(
      `INSERT INTO job_table (job_id, id, source, target, state, copied, estimate, skipped, parked, fault, revision)
       SELECT job_id, 't-other', 'main.other', target, state, copied, estimate, skipped, parked, fault, revision
       FROM job_table WHERE job_id = $1`,
      [jobId],
    );
    await run("UPDATE job_table SET state = 'molten', fault = '{' WHERE job_id = $1 AND id = 't-well'", [jobId]);
    const [listed]: Job[] = (await jobs.open(jobCalls.listJobs)).body.data;
    expect(listed?.tables).toMatchObject({ total: 2, live: 1, blocked: 1 });
    expect((await detail(jobId)).tables).toMatchObject([
      { id: 't-other', state: 'live', fault: null },
      { id: 't-well', state: 'blocked', rows: 10, fault: { code: 'TABLE_DAMAGED', retry: 'manual' } },
    ]);
    expect((await jobs.open('datajob/queryjobmetric', { jobId })).body.success).toBe(true);
    for (const call of [jobCalls.pauseTable, jobCalls.resyncTable, jobCalls.retryTable]) {
      expect((await jobs.open(call, { jobId, table: 't-well' })).body).toMatchObject({
        code: 'TABLE_DAMAGED',
        msg: expect.stringContaining('Restart the job'),
      });
    }
    await jobs.data(jobCalls.pauseTable, { jobId, table: 't-other' });
    expect(named('table')).toMatchObject([{ job: jobId, table: 't-well' }]);
    // A command that is not carried out yet would go to the next process.
    const commands = () => jobs.backend.services.database.all(z.object({ id: z.number() }), 'SELECT id FROM job_order');
    await expect.poll(commands).toEqual([]);

    await jobs.data(jobCalls.restartJob, { jobId });
    await expect
      .poll(async () => (await detail(jobId)).tables.find(({ id }) => id === 't-well'))
      .toMatchObject({ state: 'live', fault: null });
  });

  test('an unreadable command does not block the others', async () => {
    const jobId = await makeJob(jobs, 'well');
    await expect.poll(async () => (await detail(jobId)).job.tables.live).toBe(1);
    await run("INSERT INTO job_order (id, job_id, table_id, action) VALUES (-1, $1, 't-well', 'melt')", [jobId]);
    await jobs.data(jobCalls.pauseTable, { jobId, table: 't-well' });
    await expect.poll(async () => (await detail(jobId)).tables).toMatchObject([{ state: 'paused' }]);
    expect(named('command')).toMatchObject([{ job: jobId, command: -1 }]);
  });

  test('unreadable events and job creation steps are left out, and everything else is shown', async () => {
    const jobId = await makeJob(jobs, 'well');
    await expect.poll(async () => (await detail(jobId)).job.tables.live).toBe(1);
    const before = (await detail(jobId)).events;
    await run("UPDATE job_event SET level = 'loud' WHERE job_id = $1 AND id = 1", [jobId]);
    await run("UPDATE console_job SET state = 'molten' WHERE job_id = $1", [jobId]);
    const [listed]: Job[] = (await jobs.open(jobCalls.listJobs)).body.data;
    expect(listed).toMatchObject({ dataJobId: jobId, consoleJobId: 0 });
    expect((await detail(jobId)).events).toEqual(before.filter(({ id }) => id !== 1));
    expect([named('event'), named('console job')]).toMatchObject([[{ job: jobId, event: 1 }], [{ job: jobId }]]);
  });

  // PostgreSQL accepts only numbers there.
  test.runIf(store === 'sqlite')('unreadable samples are left out, and everything else is shown', async () => {
    const jobId = await makeJob(jobs, 'well');
    await expect.poll(async () => (await detail(jobId)).samples).toHaveLength(1);
    await run("UPDATE job_sample SET lag_ms = 'long', bytes = 'many' WHERE job_id = $1", [jobId]);
    const [listed]: Job[] = (await jobs.open(jobCalls.listJobs)).body.data;
    expect([listed?.dataJobId, (await detail(jobId)).samples]).toEqual([jobId, []]);
    expect(named('sample')).toMatchObject([{ job: jobId }]);
  });

  test('a worker with unreadable facts is listed, and reports them again', async () => {
    const worker = async () => (await jobs.open('worker/listworkers', { clusterId: 1 })).body.data[0];
    await expect.poll(worker).toMatchObject({ workerState: 'ONLINE' });
    await run("UPDATE job_worker SET facts = '{'", []);
    expect(await worker()).toMatchObject({ workerState: 'ONLINE', physicCoreNum: 0 });
    expect((await jobs.open('cluster/listclusters')).body.data).toMatchObject([{ runningCount: 1 }]);
    expect(named('worker')).toHaveLength(1);
    jobs.backend.pass(10_000);
    jobs.supervisor.look();
    await expect.poll(async () => (await worker()).physicCoreNum).toBeGreaterThan(0);
  });

  test('a key with unreadable limits is refused but listed and revocable, and the other keys work', async () => {
    const make = async (name: string): Promise<CreatedApiKey> =>
      (await jobs.open(jobCalls.createApiKey, { name })).body.data;
    const [damaged, well] = [await make('damaged'), await make('well')];
    const { database } = jobs.backend.services;
    await database.run("UPDATE api_key SET addresses = '{' WHERE id = $1", [damaged.id]);
    const use = ({ accessKey, secret }: CreatedApiKey) =>
      jobs.open(jobCalls.listJobs, {}, { token: `${accessKey}.${secret}` });
    const refused = await use(damaged);
    expect([refused.status, refused.body.success, refused.body.msg]).toEqual([
      498,
      false,
      'The stored data of this key cannot be read. Revoke it and create another one.',
    ]);
    expect((await use(well)).body.success).toBe(true);
    const keys: ApiKey[] = (await jobs.open(jobCalls.listApiKeys)).body.data;
    expect(Object.fromEntries(keys.map((key) => [key.name, key.damaged]))).toEqual({ damaged: true, well: false });
    expect(named('key')).toMatchObject([{ key: damaged.id }]);
    await jobs.data(jobCalls.revokeApiKey, { id: damaged.id });
    expect((await use(damaged)).body.msg).toBe('There is no such key, or it was revoked or has expired.');
  });
});
