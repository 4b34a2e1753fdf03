import { expect, test } from 'vitest';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { JobDetail } from '../../client/contract/jobs/jobs.ts';
import { newJob } from '../testing/job-fixtures.ts';
import { openSqlitePair } from '../testing/sqlite-pair.ts';

test('a table that is gone from its source, and comes back, is shown once', async () => {
  const { jobs, source, from, to, close } = await openSqlitePair();
  try {
    const make = (table: string) =>
      source.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY); INSERT INTO ${table} VALUES (1)`);
    for (const table of ['item', 'other']) make(table);
    const srcSchema = JSON.stringify([{ db: '', tables: [{ table: 'item' }, { table: 'other' }] }]);
    const jobId = Number(await jobs.data(jobCalls.createJob, newJob(from, to, '', { jobType: 'SYNC', srcSchema })));
    const detail = async (): Promise<JobDetail> => (await jobs.open(jobCalls.jobDetail, { jobId })).body.data;
    const shown = async () => (await detail()).tables.map(({ source: name, state }) => [name, state]);
    const stop = async () => {
      await jobs.data(jobCalls.stopJob, { jobId });
      await expect.poll(async () => (await detail()).job.currTaskStatus).toBe('STOP');
    };
    const live = [
      ['main.item', 'live'],
      ['main.other', 'live'],
    ];
    await expect.poll(shown).toEqual(live);
    await stop();
    source.exec('DROP TABLE item');
    await jobs.data(jobCalls.startJob, { jobId });
    await expect.poll(shown).toEqual([
      ['main.item', 'blocked'],
      ['main.other', 'live'],
    ]);
    await stop();
    make('item');
    await jobs.data(jobCalls.startJob, { jobId });
    await expect.poll(shown).toEqual(live);
  } finally {
    await close();
  }
});
