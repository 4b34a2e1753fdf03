import { expect, test } from 'vitest';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { Job } from '../../client/contract/jobs/jobs.ts';
import { newJob } from '../testing/job-fixtures.ts';
import { openSqlitePair } from '../testing/sqlite-pair.ts';

test('excluded tables and columns are not copied, and every call refuses a job with only some actions', async () => {
  const { jobs, source, target, from, to, close } = await openSqlitePair();
  try {
    for (const table of ['item', 'log_1', 'secret'])
      source.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, name TEXT, note TEXT NOT NULL);
        INSERT INTO ${table} VALUES (1, 'a', 'hidden')`);
    const request = (tables: object[]) =>
      newJob(from, to, '', { jobType: 'MIGRATION', srcSchema: JSON.stringify([{ db: '', tables }]) });

    const inserts = request([{ table: 'item', actions: ['INSERT'] }]);
    const refused = {
      success: false,
      code: 'BAD_VALUE',
      msg: expect.stringContaining('give the table item no actions, or all of INSERT, UPDATE, DELETE'),
    };
    for (const call of [jobCalls.createJob, jobCalls.precheck, jobCalls.planJob])
      expect((await jobs.open(call, inserts)).body).toMatchObject(refused);
    expect(await jobs.data(jobCalls.listJobs)).toEqual([]);

    const jobId = Number(
      await jobs.data(
        jobCalls.createJob,
        request([
          { table: '*', tablePattern: '*', columns: [{ column: 'note', inBlackList: true }] },
          { table: 'log', tablePattern: 'log_*', inBlackList: true },
          { table: 'secret', inBlackList: true },
        ]),
      ),
    );
    const job = async (): Promise<Job> => (await jobs.open(jobCalls.queryJob, { jobId })).body.data;
    await expect.poll(async () => (await job()).currTaskStatus).toBe('COMPLETE');
    expect(target.prepare('SELECT * FROM item').all()).toEqual([{ id: 1, name: 'a' }]);
    const names = target.prepare(`SELECT name FROM sqlite_schema WHERE name IN ('item', 'log_1', 'secret')`).all();
    expect(names).toEqual([{ name: 'item' }]);
  } finally {
    await close();
  }
});
