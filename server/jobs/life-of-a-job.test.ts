import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { Job } from '../../client/contract/jobs/jobs.ts';
import { addSource, newJob } from '../testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../testing/jobs.ts';

/** With the real job process: two SQLite files. */
describe.each(['IGNORE', 'REPLACE'])('the life cycle of a job, key conflict strategy %s', (keyConflictStrategy) => {
  let jobs: TestJobs;
  let source: DatabaseSync;
  let target: DatabaseSync;
  let request: object;

  beforeEach(async () => {
    jobs = await openTestJobs();
    const { filesDir } = jobs.backend.services.jobs;
    mkdirSync(filesDir, { recursive: true });
    const open = (name: string) => new DatabaseSync(join(filesDir, name), { timeout: 60_000 });
    source = open('shop.sqlite');
    target = open('copy.sqlite');
    source.exec(`CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO item SELECT i, 'first' FROM n`);
    const sides = [await addSource(jobs, 'shop.sqlite'), await addSource(jobs, 'copy.sqlite')] as const;
    request = newJob(...sides, 'item', { autoStart: false, keyConflictStrategy });
    return async () => {
      if (source.isOpen) source.close();
      target.close();
      await jobs.close();
    };
  });

  const make = async (changes: object = {}) => Number(await jobs.data(jobCalls.createJob, { ...request, ...changes }));
  const jobOf = async (jobId: number): Promise<Job> => (await jobs.open(jobCalls.queryJob, { jobId })).body.data;
  const becomes = (jobId: number, status: Job['currTaskStatus']) =>
    expect.poll(async () => (await jobOf(jobId)).currTaskStatus).toBe(status);
  const stop = async (jobId: number) => {
    await jobs.data(jobCalls.stopJob, { jobId });
    await becomes(jobId, 'STOP');
  };
  const rows = (side: DatabaseSync) => {
    // The job creates the target table.
    const has = side.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'item'`).get();
    return has ? side.prepare('SELECT id, name FROM item ORDER BY id').all() : [];
  };
  const texts = (side: DatabaseSync) => rows(side).map(({ id, name }) => `${id} ${name}`);
  /** Rows of either side that the other one lacks, a few of them. */
  const different = () => {
    const [wanted, found] = [texts(source), texts(target)];
    const lacks = wanted.filter((row) => !found.includes(row));
    return [...lacks, ...found.filter((row) => !wanted.includes(row))].slice(0, 5);
  };
  const bothEqual = () => expect.poll(different).toEqual([]);
  let number = 0;
  /** One change of each kind, so that both sides differ until all are applied. */
  const write = () => {
    number += 1;
    source.exec(`UPDATE item SET name = 'changed ${number}' WHERE id % 7 = ${number % 7};
      DELETE FROM item WHERE id = ${10 + number}; INSERT INTO item VALUES (${1_000 + number}, 'new ${number}')`);
  };

  test('a job resumes from its checkpoint after stop, restart or detach, and is deleted without a trace', async () => {
    const jobId = await make();
    await becomes(jobId, 'INIT');
    await expect.poll(async () => (await jobOf(jobId)).lifeCycleState).toBe('CREATED');
    await jobs.data(jobCalls.activateJob, { jobId });
    await bothEqual();
    await expect.poll(async () => (await jobOf(jobId)).dataTaskState).toBe('INCRE');

    await stop(jobId);
    write();
    await jobs.data(jobCalls.startJob, { jobId });
    await bothEqual();

    await jobs.data(jobCalls.restartJob, { jobId });
    write();
    await bothEqual();
    await becomes(jobId, 'RUNNING');

    await stop(jobId);
    await jobs.data(jobCalls.detachJob, { jobId });
    write();
    const refused = await jobs.open(jobCalls.startJob, { jobId });
    expect(refused.body.msg).toBe(
      'The job is detached. Only a job that has never run, is stopped or has failed can be started. Possible now: attach, delete.',
    );
    // What the source recorded meanwhile is still there.
    await jobs.data(jobCalls.attachJob, { jobId });
    await bothEqual();
    expect((await jobOf(jobId)).lifeCycleState).toBe('CREATED');

    await stop(jobId);
    await jobs.data(jobCalls.deleteJob, { jobId });
    await expect.poll(() => jobs.data(jobCalls.listJobs)).toEqual([]);
    for (const side of [source, target]) {
      const left = side.prepare(`SELECT name FROM sqlite_schema WHERE type <> 'index' ORDER BY name`).all();
      expect(left).toEqual([{ name: 'item' }]);
    }
  });

  test('a job whose source is gone for good leaves nothing on its target, and is deleted anyway if asked', async () => {
    const jobId = await make({ autoStart: true });
    await bothEqual();
    await stop(jobId);
    const deleteAnyway = () => jobs.open(jobCalls.deleteJob, { jobId, leaveRest: true });
    expect((await deleteAnyway()).body).toMatchObject({
      code: 'NOT_POSSIBLE',
      msg: expect.stringContaining('delete the job first'),
    });
    source.close();
    rmSync(join(jobs.backend.services.jobs.filesDir, 'shop.sqlite'));
    await jobs.data(jobCalls.deleteJob, { jobId });
    await expect.poll(async () => (await jobOf(jobId)).fault?.hint).toContain('DROP TABLE IF EXISTS millrace_log_');
    const left = () => target.prepare(`SELECT name FROM sqlite_schema WHERE type <> 'index'`).all();
    expect(left()).toEqual([{ name: 'item' }]);

    const { sourceDsVO } = await jobOf(jobId);
    await jobs.data(jobCalls.deleteJob, { jobId, leaveRest: true });
    expect(await jobs.data(jobCalls.listJobs)).toEqual([]);
    expect(await jobs.data(jobCalls.deleteDataSource, { dataSourceId: sourceDsVO.id })).toBeNull();
  });

  test.each([true, false])('a replay makes both sides equal, auto-start: %s', async (autoStart) => {
    const jobId = await make({ autoStart: true });
    await bothEqual();
    await expect.poll(async () => (await jobOf(jobId)).dataTaskState).toBe('INCRE');
    await stop(jobId);
    write();
    // Old rows, and some that the source lacks: whatever the job may have missed.
    target.exec(`UPDATE item SET name = 'old' WHERE id < 50; INSERT INTO item VALUES (5000, 'of nobody')`);
    expect(await jobs.data(jobCalls.replayJob, { jobId, autoStart })).toBe('success');
    if (!autoStart) {
      expect(await jobOf(jobId)).toMatchObject({ currTaskStatus: 'STOP', dataTaskState: 'INIT' });
      await jobs.data(jobCalls.startJob, { jobId });
    }
    await bothEqual();
    write();
    await bothEqual();
    const { body } = await jobs.open(jobCalls.replayJob, { jobId, resetToCreated: true });
    expect(body).toMatchObject({ code: 'NOT_OFFERED', msg: expect.stringContaining('child job') });
  });

  test('a complete full copy can be replayed', async () => {
    const jobId = await make({ jobType: 'MIGRATION', autoStart: true });
    await becomes(jobId, 'COMPLETE');
    expect(different()).toEqual([]);
    write();
    target.exec(`UPDATE item SET name = 'old' WHERE id < 50; INSERT INTO item VALUES (5000, 'of nobody')`);
    await jobs.data(jobCalls.replayJob, { jobId });
    await bothEqual();
    await becomes(jobId, 'COMPLETE');
  });

  test('a paused table catches up when resumed, including rows that the target already has', async () => {
    const jobId = await make({ autoStart: true });
    await bothEqual();
    await expect.poll(async () => (await jobOf(jobId)).tables.live).toBe(1);
    const [table] = (await jobs.open(jobCalls.jobDetail, { jobId })).body.data.tables;
    await jobs.data(jobCalls.pauseTable, { jobId, table: table.id });
    await expect.poll(async () => (await jobOf(jobId)).tables.paused).toBe(1);
    write();
    await jobs.data(jobCalls.resumeTable, { jobId, table: table.id });
    await bothEqual();
  });

  test.each([true, false])(
    'a target that lost its checkpoint is left unchanged until a replay, initial copy: %s',
    async (initialSync) => {
      // A job that copies nothing follows from here on.
      const begun = { ...(!initialSync && { structMigration: false, initialSync }), autoStart: true };
      target.exec('CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)');
      if (!initialSync) source.exec('DELETE FROM item');
      const jobId = await make(begun);
      await expect.poll(async () => (await jobOf(jobId)).dataTaskState).toBe('INCRE');
      write();
      await bothEqual();
      await stop(jobId);
      // As in a backup of only the tables, from before the last changes.
      const own = target.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'item'`).all();
      for (const { name } of own) target.exec(`DROP TABLE "${name}"`);
      target.exec(`UPDATE item SET name = 'old'; INSERT INTO item VALUES (5000, 'deleted since')`);
      const before = texts(target);
      await jobs.data(jobCalls.startJob, { jobId });
      await becomes(jobId, 'ABNORMAL');
      expect((await jobOf(jobId)).fault).toMatchObject({ code: 'MARK_MISSING', retry: 'manual' });
      expect(texts(target)).toEqual(before);
      await jobs.data(jobCalls.replayJob, { jobId, autoStart: true });
      if (initialSync) await bothEqual();
      await becomes(jobId, 'RUNNING');
    },
  );
});
