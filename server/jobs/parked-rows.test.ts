import { expect, test } from 'vitest';
import { z } from 'zod';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { JobDetail, JobTable, ParkedRows } from '../../client/contract/jobs/jobs.ts';
import { newJob } from '../testing/job-fixtures.ts';
import { newcomer } from '../testing/newcomer.ts';
import { openSqlitePair } from '../testing/sqlite-pair.ts';

test('parked rows are counted, listed by page to their owner only, and retried singly or all at once', async () => {
  const { jobs, source, target, from, to, close } = await openSqlitePair();
  try {
    source.exec(`PRAGMA journal_mode=WAL;
      CREATE TABLE item (id TEXT NOT NULL PRIMARY KEY, name TEXT);
      INSERT INTO item VALUES ('hidden-1', 'long'), ('hidden-2', 'long'), ('hidden-3', 'long'), ('good', 'a')`);
    target.exec(`PRAGMA journal_mode=WAL;
      CREATE TABLE item (id TEXT NOT NULL PRIMARY KEY, name TEXT CHECK (length(name) < 4))`);
    const request = newJob(from, to, 'item');
    const jobId = Number(await jobs.data(jobCalls.createJob, request));
    const table = async (): Promise<JobTable | undefined> =>
      ((await jobs.open(jobCalls.jobDetail, { jobId })).body.data as JobDetail).tables[0];
    await expect.poll(table).toMatchObject({ state: 'live', parked: 3, fault: null });

    const named = { jobId, table: (await table())?.id };
    const list = async (more: object = {}): Promise<ParkedRows> =>
      (await jobs.open(jobCalls.parkedRows, { ...named, ...more })).body.data;
    const first = await list({ limit: 2 });
    expect(first).toMatchObject({
      total: 3,
      rows: [
        {
          number: 1,
          key: ['hidden-1'],
          op: 'copy',
          code: 'CONSTRAINT_REFUSED',
          sentence: 'A constraint at the target refuses a row.',
        },
        { number: 2, key: ['hidden-2'], op: 'copy' },
      ],
      next: 2,
    });
    expect(await list({ after: 2 })).toMatchObject({ rows: [{ number: 3, key: ['hidden-3'] }], next: null });

    source.exec(`UPDATE item SET name = 'now' WHERE id = 'hidden-2'`);
    await jobs.data(jobCalls.retryTable, { ...named, row: 2 });
    await expect.poll(async () => (await table())?.parked).toBe(2);
    expect((await list()).rows.map(({ number }) => number)).toEqual([1, 3]);
    source.exec(`UPDATE item SET name = 'ok'`);
    await jobs.data(jobCalls.retryTable, named);
    await expect.poll(async () => (await table())?.parked).toBe(0);
    expect(await list()).toEqual({ total: 0, rows: [], next: null });
    expect(target.prepare('SELECT id, name FROM item ORDER BY id').all()).toHaveLength(4);
    expect((await jobs.open(jobCalls.retryTable, named)).body.code).toBe('NOT_POSSIBLE');

    const stranger = await newcomer(jobs.backend, 'eve@site.example');
    await jobs.backend.services.database.run('INSERT INTO job_admission (uid, admitted_at) VALUES ($1, 0)', [
      stranger.uid,
    ]);
    for (const call of [jobCalls.parkedRows, jobCalls.retryTable])
      expect((await jobs.open(call, named, { token: stranger.token })).body.code).toBe('NO_JOB');
    // No part of a key is outside the target: not in events, logs or the console's store.
    const stored = [];
    for (const name of ['job_event', 'job_table', 'job_order', 'data_job'])
      stored.push(await jobs.backend.services.database.all(z.looseObject({}), `SELECT * FROM ${name}`));
    expect(JSON.stringify([stored, jobs.backend.logged])).not.toContain('hidden');
    expect(JSON.stringify(stored)).toContain('refused');
  } finally {
    await close();
  }
});

test('parked rows of a complete full copy are retried, and the job stays complete', async () => {
  const { jobs, source, target, from, to, close } = await openSqlitePair();
  try {
    source.exec(`PRAGMA journal_mode=WAL;
      CREATE TABLE item (id TEXT NOT NULL PRIMARY KEY, name TEXT);
      INSERT INTO item VALUES ('a', 'long'), ('b', 'longer'), ('c', 'longest'), ('good', 'a')`);
    target.exec(`PRAGMA journal_mode=WAL;
      CREATE TABLE item (id TEXT NOT NULL PRIMARY KEY, name TEXT CHECK (length(name) < 4))`);
    const request = newJob(from, to, 'item', {
      jobType: 'MIGRATION',
    });
    const jobId = Number(await jobs.data(jobCalls.createJob, request));
    const detail = async (): Promise<JobDetail> => (await jobs.open(jobCalls.jobDetail, { jobId })).body.data;
    const status = async () => (await detail()).job.currTaskStatus;
    const parked = async () => (await detail()).tables[0]?.parked;
    const count = async (what: string) =>
      (await detail()).events.filter(({ sentence }) => sentence.includes(what)).length;
    const retried = async (times: number) => {
      await expect.poll(() => count('Parked rows were retried')).toBe(times);
      expect(await status()).toBe('COMPLETE');
    };
    await expect.poll(status).toBe('COMPLETE');
    expect((await detail()).tables).toMatchObject([{ state: 'done', parked: 3 }]);
    const named = { jobId, table: (await detail()).tables[0]?.id };

    // Nothing is mended yet: they are refused again.
    await jobs.data(jobCalls.retryTable, named);
    await retried(1);
    expect(await parked()).toBe(3);
    // One is corrected at the source, and later the target accepts all.
    source.exec(`UPDATE item SET name = 'now' WHERE id = 'b'`);
    await jobs.data(jobCalls.retryTable, { ...named, row: 2 });
    await retried(2);
    expect(await parked()).toBe(2);
    target.exec(`ALTER TABLE item RENAME TO old; CREATE TABLE item (id TEXT NOT NULL PRIMARY KEY, name TEXT);
      INSERT INTO item SELECT * FROM old; DROP TABLE old; DELETE FROM item WHERE id = 'good'`);
    await jobs.data(jobCalls.retryTable, named);
    await retried(3);
    expect((await detail()).tables).toMatchObject([{ state: 'done', parked: 0, rows: 4 }]);
    // Only parked rows are written.
    expect(target.prepare('SELECT * FROM item ORDER BY id').all()).toEqual([
      { id: 'a', name: 'long' },
      { id: 'b', name: 'now' },
      { id: 'c', name: 'longest' },
    ]);
    expect((await detail()).job).toMatchObject({
      dataTaskState: 'COMPLETE',
      fault: null,
      possible: ['replay', 'delete'],
    });
    for (const call of [jobCalls.pauseTable, jobCalls.resyncTable])
      expect((await jobs.open(call, named)).body).toMatchObject({
        code: 'NOT_POSSIBLE',
        msg: 'The job is complete: a replay copies its tables again.',
      });
  } finally {
    await close();
  }
});
