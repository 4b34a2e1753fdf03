import { beforeEach, describe, expect, inject, test } from 'vitest';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { Job, JobDetail } from '../../client/contract/jobs/jobs.ts';
import { makeJob, standIn } from '../testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../testing/jobs.ts';
import { createDatabase } from '../testing/postgres.ts';

describe.each(['sqlite', 'postgres'])('damaged rows, store %s', (store) => {
  let jobs: TestJobs;

  beforeEach(async () => {
    const databaseUrl = store === 'postgres' ? await createDatabase(inject('postgresUrl')) : undefined;
    jobs = await openTestJobs({ databaseUrl, jobs: standIn });
    return () => jobs.close();
  });

  const detail = async (jobId: number): Promise<JobDetail> =>
    (await jobs.open(jobCalls.jobDetail, { jobId })).body.data;
  const run = (sql: string, parameters: number[]) => jobs.backend.services.database.run(sql, parameters);
  const named = (what: string) =>
    jobs.backend.logged.filter(({ msg }) => msg === `the row of a ${what} cannot be read`);

  test('a table is shown as damaged beside the others, and is told anew when its job starts again', async () => {
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

    await jobs.data(jobCalls.restartJob, { jobId });
    await expect
      .poll(async () => (await detail(jobId)).tables.find(({ id }) => id === 't-well'))
      .toMatchObject({ state: 'live', fault: null });
  });
});
