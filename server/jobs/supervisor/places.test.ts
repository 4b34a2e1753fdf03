import { afterEach, expect, test } from 'vitest';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import type { JobDetail } from '../../../client/contract/jobs/jobs.ts';
import { makeJob, standIn } from '../../testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../../testing/jobs.ts';

let jobs: TestJobs;

afterEach(() => jobs.close());

const detail = async (jobId: number): Promise<JobDetail> => (await jobs.open(jobCalls.jobDetail, { jobId })).body.data;
const status = async (jobId: number) => (await detail(jobId)).job.currTaskStatus;
const copy = (name: string, changes: object = {}) =>
  makeJob(jobs, 'well', { jobType: 'MIGRATION', dataJobDesc: name, ...changes });

test('jobs that end on their own wait in order for a free place; a SYNC job does not', async () => {
  jobs = await openTestJobs({ env: { JOB_PLACES: '1' }, jobs: standIn });
  const first = await copy('first');
  await expect.poll(() => status(first)).toBe('RUNNING');
  const [second, third] = [await copy('second'), await copy('third', { jobType: 'STRUCT_MIGRATION' })];
  const sentence =
    'The job is waiting for a free place: at most 1 job that ends on its own runs here at once, with 4096 MB in total.';
  const told = async (jobId: number) => (await detail(jobId)).events.filter((event) => event.sentence === sentence);
  for (const waiting of [second, third]) {
    await expect.poll(() => told(waiting)).toHaveLength(1);
    expect((await detail(waiting)).job).toMatchObject({
      currTaskStatus: 'WAIT_START',
      waitsFor: sentence,
      fault: null,
    });
  }
  const sync = await makeJob(jobs, 'well', { dataJobDesc: 'sync' });
  await expect.poll(() => status(sync)).toBe('RUNNING');
  expect((await detail(sync)).job.waitsFor).toBeNull();
  expect([await status(second), await status(third)]).toEqual(['WAIT_START', 'WAIT_START']);

  await jobs.data(jobCalls.stopJob, { jobId: first });
  await expect.poll(() => status(second)).toBe('RUNNING');
  expect((await detail(second)).job.waitsFor).toBeNull();
  expect((await detail(third)).job).toMatchObject({ currTaskStatus: 'WAIT_START', waitsFor: sentence });
  expect(await told(third)).toHaveLength(1);
  // A waiting job can be stopped, and later queues again with none ahead of it.
  await jobs.data(jobCalls.stopJob, { jobId: third });
  await expect.poll(() => status(third)).toBe('STOP');
  expect((await detail(third)).job.waitsFor).toBeNull();
  await jobs.data(jobCalls.startJob, { jobId: third });
  await expect.poll(() => told(third)).toHaveLength(2);
});

test('jobs that end on their own share a memory limit, and a small one does not overtake a large one', async () => {
  jobs = await openTestJobs({ env: { JOB_PLACES: '3', JOB_PLACES_MEMORY_MB: '700' }, jobs: standIn });
  // 512 MB, then 1 GB, then the 256 MB that would fit beside the first.
  const first = await copy('first', { specId: 19 });
  await expect.poll(() => status(first)).toBe('RUNNING');
  const [large, small] = [await copy('large', { specId: 15 }), await copy('small')];
  for (const waiting of [large, small])
    await expect.poll(async () => (await detail(waiting)).job.waitsFor).toContain('with 700 MB in total');
  expect([await status(large), await status(small)]).toEqual(['WAIT_START', 'WAIT_START']);
  await jobs.data(jobCalls.stopJob, { jobId: first });
  await expect.poll(() => status(large)).toBe('RUNNING');
  expect(await status(small)).toBe('WAIT_START');
});
