import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { dayMs } from '../../../client/contract/dates.ts';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import type { JobDetail } from '../../../client/contract/jobs/jobs.ts';
import { HttpError } from '../../http/errors.ts';
import { type Database, StorageSilent } from '../../storage/database.ts';
import { openPostgres } from '../../storage/postgres.ts';
import { addSource, makeJob, newJob, standIn } from '../../testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../../testing/jobs.ts';
import { patientStore } from '../../testing/patience.ts';
import { createDatabase } from '../../testing/postgres.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { type Ask, openAsk } from '../ask.ts';
import { JobError } from '../errors.ts';
import { findJob } from '../jobs.ts';
import { countLinks } from '../links.ts';
import { supervisorLock } from '../supervisor-lock.ts';
import { goneAfterMs } from '../workers.ts';
import { mostBeginning } from './beginning-jobs.ts';
import { Reports } from './reports.ts';
import { Supervisor } from './supervisor.ts';

const count = z.object({ n: z.number() });

/** Ends the session that holds the supervisor's lock, so that another server could take it. */
const endLockSession = (database: Database) =>
  database.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'millrace-lock' AND datname = current_database()`);

const detailOf = async (jobs: TestJobs, jobId: number): Promise<JobDetail> =>
  (await jobs.open(jobCalls.jobDetail, { jobId })).body.data;

describe.each(['sqlite', 'postgres'])('the supervisor, store %s', (store) => {
  let jobs: TestJobs;

  beforeEach(async () => {
    const databaseUrl = store === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    jobs = await openTestJobs({ databaseUrl, jobs: standIn });
    return () => jobs.close();
  });

  const detail = (jobId: number) => detailOf(jobs, jobId);
  const status = async (jobId: number) => (await detail(jobId)).job.currTaskStatus;
  /** Process ids that a job has had, the newest first. */
  const processes = async (jobId: number) =>
    (await detail(jobId)).events.flatMap(
      ({ sentence }) => /^process (\d+)$/.exec(sentence)?.slice(1).map(Number) ?? [],
    );
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const untilRunning = async (jobId: number) => {
    await expect.poll(async () => (await detail(jobId)).job.tables.live).toBe(1);
    const [pid = 0] = await processes(jobId);
    return pid;
  };

  test('starts a job, stores what it reports, and stops it', async () => {
    const jobId = await makeJob(jobs, 'well');
    const pid = await untilRunning(jobId);
    await expect.poll(async () => (await detail(jobId)).samples).toMatchObject([{ copied: 10, lagMs: 40 }]);
    const { job } = await detail(jobId);
    expect(job).toMatchObject({
      currTaskStatus: 'RUNNING',
      dataTaskState: 'INCRE',
      lagMs: 40,
      possible: ['stop', 'restart'],
    });
    await jobs.data(jobCalls.stopJob, { jobId });
    await expect.poll(() => status(jobId)).toBe('STOP');
    expect(isAlive(pid)).toBe(false);
    // A job's usage counts once, however often and whenever it is reported.
    jobs.backend.pass(1);
    await jobs.data(jobCalls.startJob, { jobId });
    await expect.poll(async () => (await processes(jobId)).length).toBe(2);
    const copied = async () => (await detail(jobId)).samples.reduce((sum, sample) => sum + sample.copied, 0);
    await expect.poll(copied).toBe(20);
    const usage = await jobs.backend.services.database.one(
      count,
      'SELECT CAST(sum(units) AS BIGINT) AS n FROM usage_record',
    );
    expect(usage).toEqual({ n: 10 });
  });

  test('a killed process is restarted after a second, and the fault is shown until then', async () => {
    const jobId = await makeJob(jobs, 'well');
    const pid = await untilRunning(jobId);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => status(jobId)).toBe('WAIT_RESTART');
    const { job } = await detail(jobId);
    const now = jobs.backend.services.now();
    expect(job.fault).toMatchObject({ code: 'UNEXPECTED', retry: 'timed', nextTryAt: now + 1_000 });
    expect(job.fault?.sentence).toContain('SIGKILL');
    jobs.backend.pass(1_000);
    jobs.supervisor.look();
    await expect.poll(async () => (await processes(jobId)).length).toBe(2);
    await expect.poll(async () => (await detail(jobId)).job.fault).toBeNull();
    expect(await status(jobId)).toBe('RUNNING');
  });

  test('a clock that is set back does not delay the next try of a job', async () => {
    const jobId = await makeJob(jobs, 'well');
    process.kill(await untilRunning(jobId), 'SIGKILL');
    await expect.poll(() => status(jobId)).toBe('WAIT_RESTART');
    jobs.backend.pass(-3 * 3_600_000);
    jobs.supervisor.look();
    await expect.poll(async () => (await processes(jobId)).length).toBe(2);
  });

  test('a table that stays blocked keeps its fault, even if the next process reports none', async () => {
    const jobId = await makeJob(jobs, 'blocks');
    await expect.poll(async () => (await detail(jobId)).tables[0]?.rows).toBe(11);
    const { tables } = await detail(jobId);
    expect(tables).toMatchObject([{ state: 'blocked', fault: { code: 'TABLE_CHANGED', sentence: 'Another table.' } }]);
  });

  test('a job that always crashes is retried with a growing back-off of up to a minute', async () => {
    const jobId = await makeJob(jobs, 'crashes');
    const waits: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await expect.poll(() => status(jobId)).toBe('WAIT_RESTART');
      const { fault } = (await detail(jobId)).job;
      waits.push((fault?.nextTryAt ?? 0) - jobs.backend.services.now());
      jobs.backend.pass(waits.at(-1) ?? 0);
      const before = (await processes(jobId)).length;
      jobs.supervisor.look();
      await expect.poll(async () => (await detail(jobId)).job.fault?.at).toBe(jobs.backend.services.now());
      expect((await processes(jobId)).length).toBeGreaterThanOrEqual(before);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000));
  });

  test('a job with a permanent fault becomes ABNORMAL and is not retried', async () => {
    const jobId = await makeJob(jobs, 'refused');
    await expect.poll(() => status(jobId)).toBe('ABNORMAL');
    const { job } = await detail(jobId);
    expect(job.fault).toMatchObject({ code: 'SLOT_MISSING', hint: 'Replay the job.', retry: 'never', nextTryAt: null });
    expect(job.possible).toEqual(['start', 'stop', 'restart', 'replay', 'detach', 'delete']);
  });

  test('a process that exceeds its memory limit is ended, and the fault says so', async () => {
    const jobId = await makeJob(jobs, 'grows');
    await expect
      .poll(async () => (await detail(jobId)).job.fault?.sentence)
      .toBe('The job reached its memory limit of 256 MB.');
  });

  test('a job that has done its work is complete', async () => {
    const jobId = await makeJob(jobs, 'complete');
    await expect.poll(() => status(jobId)).toBe('COMPLETE');
    expect((await detail(jobId)).job.possible).toEqual(['replay', 'delete']);
  });

  test('retrying parked rows of a complete job takes no link, survives a kill and ends complete', async () => {
    const commands = () => jobs.backend.services.database.one(count, 'SELECT count(*) AS n FROM job_order');
    const jobId = await makeJob(jobs, 'retries-rest');
    await expect.poll(() => status(jobId)).toBe('COMPLETE');
    const retry = { jobId, table: 't-retries-rest', row: 1 };
    await jobs.data(jobCalls.retryTable, retry);
    await expect.poll(() => status(jobId)).toBe('RUNNING');
    expect((await detail(jobId)).job).toMatchObject({ dataTaskState: 'COMPLETE', possible: ['stop'] });
    expect(await countLinks(jobs.backend.services.database)).toEqual({ used: 0, active: 0 });
    await expect.poll(async () => (await processes(jobId)).length).toBe(2);
    // A process that ends without an answer has not done it.
    const [pid = 0] = await processes(jobId);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => status(jobId)).toBe('WAIT_RESTART');
    expect(await commands()).toEqual({ n: 1 });
    jobs.backend.pass(1_000);
    jobs.supervisor.look();
    await expect.poll(async () => (await processes(jobId)).length).toBe(3);
    await expect.poll(() => status(jobId)).toBe('RUNNING');
    await jobs.data(jobCalls.stopJob, { jobId });
    await expect.poll(() => status(jobId)).toBe('COMPLETE');
    expect(await commands()).toEqual({ n: 0 });

    const other = await makeJob(jobs, 'retries-refused', { dataJobDesc: 'refused' });
    await expect.poll(() => status(other)).toBe('COMPLETE');
    await jobs.data(jobCalls.retryTable, { jobId: other, table: 't-retries-refused' });
    await expect.poll(async () => (await detail(other)).job.fault?.code).toBe('SLOT_MISSING');
    expect((await detail(other)).job).toMatchObject({
      currTaskStatus: 'COMPLETE',
      dataTaskState: 'COMPLETE',
      possible: ['replay', 'delete'],
    });
    expect(await commands()).toEqual({ n: 0 });
  });

  test('commands to pause and resume a table reach its process, and impossible ones are refused', async () => {
    const jobId = await makeJob(jobs, 'well');
    await untilRunning(jobId);
    expect((await jobs.open(jobCalls.resumeTable, { jobId, table: 't-well' })).body.code).toBe('NOT_POSSIBLE');
    await jobs.data(jobCalls.pauseTable, { jobId, table: 't-well' });
    await expect.poll(async () => (await detail(jobId)).tables).toMatchObject([{ state: 'paused', skipped: true }]);
    await jobs.data(jobCalls.resumeTable, { jobId, table: 't-well' });
    await expect.poll(async () => (await detail(jobId)).tables).toMatchObject([{ state: 'live' }]);
    expect((await jobs.open(jobCalls.pauseTable, { jobId, table: 'other' })).body.code).toBe('NO_TABLE');
  });

  test('a command is kept until a process has carried it out', async () => {
    const [dies, well] = [
      await makeJob(jobs, 'dies-of-commands'),
      await makeJob(jobs, 'well', { dataJobDesc: 'second' }),
    ];
    await untilRunning(dies);
    await untilRunning(well);
    const left = async (jobId: number) =>
      (
        await jobs.backend.services.database.one(count, 'SELECT count(*) AS n FROM job_order WHERE job_id = $1', [
          jobId,
        ])
      )?.n;
    await jobs.data(jobCalls.pauseTable, { jobId: well, table: 't-well' });
    await expect.poll(async () => (await detail(well)).tables).toMatchObject([{ state: 'paused' }]);
    await expect.poll(() => left(well)).toBe(0);
    await jobs.data(jobCalls.pauseTable, { jobId: dies, table: 't-dies-of-commands' });
    await expect
      .poll(async () => {
        jobs.backend.pass(60_000);
        return (await processes(dies)).length;
      })
      .toBeGreaterThan(2);
    expect(await left(dies)).toBe(1);
  });

  test('reports sent while the store rejects writes are stored once it accepts them', async () => {
    const jobId = await makeJob(jobs, 'well');
    await untilRunning(jobId);
    const { database, log } = jobs.backend.services;
    await jobs.data(jobCalls.pauseTable, { jobId, table: 't-well' });
    const refused = vi.spyOn(database, 'transaction').mockRejectedValue(new Error('The disk is full.'));
    const logged = vi.spyOn(log, 'error');
    await expect.poll(() => logged.mock.calls.flat()).toContain('job reports could not be stored');
    refused.mockRestore();
    logged.mockRestore();
    await expect.poll(async () => (await detail(jobId)).tables).toMatchObject([{ state: 'paused' }]);
  });

  test('usage reported while the store rejects writes is summed by day, and none is lost', async () => {
    const told = vi.spyOn(Reports.prototype, 'add');
    const usages = () => told.mock.calls.filter(([, { kind }]) => kind === 'usage').length;
    const pid = await untilRunning(await makeJob(jobs, 'counts'));
    const { database, log } = jobs.backend.services;
    const logged = vi.spyOn(log, 'error');
    const refused = vi.spyOn(database, 'transaction').mockRejectedValue(new Error('The disk is full.'));
    process.kill(pid, 'SIGUSR2');
    await expect.poll(usages).toBe(100);
    await expect.poll(() => logged.mock.calls.flat()).toContain('job reports could not be stored');
    jobs.backend.pass(dayMs);
    process.kill(pid, 'SIGUSR2');
    await expect.poll(usages).toBe(200);
    const asked = refused.mock.calls.length;
    await expect.poll(() => refused.mock.calls.length).toBeGreaterThan(asked + 1);
    for (const spy of [refused, logged, told]) spy.mockRestore();
    const sums = z.object({ n: z.number().nullable(), records: z.number() });
    const stored = () =>
      database.one(sums, 'SELECT CAST(sum(units) AS BIGINT) AS n, count(*) AS records FROM usage_record');
    await expect.poll(async () => (await stored())?.n).toBe(200);
    // The store may have accepted those of the first attempt, so each is retried; all go into the record of their minute.
    expect((await stored())?.records).toBe(2);
    const byDay = 'SELECT CAST(sum(units) AS BIGINT) AS n, count(*) AS records FROM usage_record GROUP BY day';
    expect(await database.all(sums, byDay)).toMatchObject([{ n: 100 }, { n: 100 }]);
  });

  test('usage is counted under the name that the job has at that time', async () => {
    const jobId = await makeJob(jobs, 'counts');
    const pid = await untilRunning(jobId);
    await jobs.data(jobCalls.renameJob, { jobId, dataJobDesc: 'Shop' });
    process.kill(pid, 'SIGUSR2');
    const names = z.object({ data_job_name: z.string() });
    const { database } = jobs.backend.services;
    await expect
      .poll(() => database.all(names, 'SELECT DISTINCT data_job_name FROM usage_record'))
      .toEqual([{ data_job_name: 'Shop' }]);
  });

  // SQLite accepts any report.
  test.runIf(store === 'postgres')('a report that the store always rejects does not block the others', async () => {
    const jobId = await makeJob(jobs, 'unstorable');
    const logged = vi.spyOn(jobs.backend.services.log, 'error');
    await untilRunning(jobId);
    await expect.poll(() => logged.mock.calls.flat()).toContain('a job report was dropped');
    logged.mockRestore();
    await expect.poll(async () => (await detail(jobId)).events.map(({ sentence }) => sentence)).toContain('after it');
  });

  test.runIf(store === 'sqlite')(
    'a failure of every look is logged once when it starts and once when it ends',
    async () => {
      const { services, logged } = jobs.backend;
      const told = () => logged.filter(({ msg }) => /^the jobs .* looked up/.test(String(msg))).map(({ msg }) => msg);
      const away = vi.spyOn(services.database, 'all').mockRejectedValue(new Error('away'));
      await expect.poll(() => away.mock.calls.length).toBeGreaterThan(2);
      away.mockRestore();
      await expect.poll(told).toContain('the jobs are looked up again');
      expect(told()).toEqual(['the jobs could not be looked up', 'the jobs are looked up again']);
    },
  );

  test('a damaged job row is logged once, and the other jobs run', async () => {
    const damaged = await makeJob(jobs, 'deaf');
    await untilRunning(damaged);
    const { database, log } = jobs.backend.services;
    const logged = vi.spyOn(log, 'error');
    await jobs.data(jobCalls.stopJob, { jobId: damaged });
    await expect.poll(() => status(damaged)).toBe('STOP');
    await database.run("UPDATE data_job SET tables = '{', status = 'WAIT_START' WHERE id = $1", [damaged]);
    await expect.poll(() => logged.mock.calls.flat()).toContain('a job row cannot be read');
    await database.run('DELETE FROM job_event WHERE job_id = $1', [damaged]);
    const well = await makeJob(jobs, 'well', { dataJobDesc: 'second' });
    await untilRunning(well);
    expect(logged.mock.calls.filter(([, sentence]) => sentence === 'a job row cannot be read')).toHaveLength(1);
    logged.mockRestore();
  });

  test('a job with a damaged request that waits for a place does not block the others', async () => {
    const damaged = await makeJob(jobs, 'complete', { jobType: 'MIGRATION', autoStart: false });
    await expect.poll(async () => (await detail(damaged)).job.lifeCycleState).toBe('CREATED');
    const { database } = jobs.backend.services;
    await database.run("UPDATE data_job SET request = '{', status = 'WAIT_START' WHERE id = $1", [damaged]);
    const other = await makeJob(jobs, 'complete', { jobType: 'MIGRATION', dataJobDesc: 'second' });
    await expect.poll(() => status(other)).toBe('COMPLETE');
  });

  test('a job that started after the jobs were listed keeps running', async () => {
    const jobId = await makeJob(jobs, 'well');
    const pid = await untilRunning(jobId);
    const { database } = jobs.backend.services;
    const all = database.all.bind(database);
    let lists = 0;
    const listing = vi.spyOn(database, 'all').mockImplementation((schema, sql, parameters) => {
      const isList = sql.includes("'DELETE'") && !sql.includes('$1');
      if (isList) lists++;
      return all(schema, isList ? sql.replace(/WHERE .* ORDER/s, `WHERE id = ${jobId} ORDER`) : sql, parameters);
    });
    await expect.poll(() => lists).toBeGreaterThan(1);
    listing.mockRestore();
    await jobs.data(jobCalls.pauseTable, { jobId, table: 't-well' });
    await expect.poll(async () => (await detail(jobId)).tables).toMatchObject([{ state: 'paused' }]);
    expect([await processes(jobId), isAlive(pid)]).toEqual([[pid], true]);
  });

  test('a job whose end could not be stored is started again', async () => {
    const jobId = await makeJob(jobs, 'well');
    const pid = await untilRunning(jobId);
    const { database, log } = jobs.backend.services;
    const refused = vi.spyOn(database, 'transaction').mockRejectedValue(new Error('The disk is full.'));
    const logged = vi.spyOn(log, 'error');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => logged.mock.calls.flat()).toContain('the end of a job could not be stored');
    refused.mockRestore();
    logged.mockRestore();
    await expect
      .poll(async () => {
        jobs.backend.pass(10_000);
        return (await processes(jobId)).length;
      })
      .toBe(2);
  });

  test('stopping the server ends every job process, and the next server starts the jobs that ran', async () => {
    const [first, second] = [await makeJob(jobs, 'well'), await makeJob(jobs, 'well', { dataJobDesc: 'second' })];
    const pids = [await untilRunning(first), await untilRunning(second)];
    await jobs.data(jobCalls.stopJob, { jobId: second });
    await expect.poll(() => status(second)).toBe('STOP');
    await jobs.supervisor.stop();
    expect(pids.filter(isAlive)).toEqual([]);
    expect([await status(first), await status(second)]).toEqual(['WAIT_RESTART', 'STOP']);
    jobs.supervisor = new Supervisor(jobs.backend.services);
    await expect
      .poll(() => {
        // A process that had to be killed waits for its next try.
        jobs.backend.pass(1_000);
        return status(first);
      })
      .toBe('RUNNING');
    expect(await status(second)).toBe('STOP');
  });

  test.runIf(store === 'postgres')('jobs of a server that has ended are not reported as running', async () => {
    const jobId = await makeJob(jobs, 'well');
    await untilRunning(jobId);
    await jobs.supervisor.stop();
    // The state that a kill leaves.
    const { database } = jobs.backend.services;
    await database.run("UPDATE data_job SET status = 'RUNNING' WHERE id = $1", [jobId]);
    // The database may take a moment to release the lock.
    await expect.poll(() => status(jobId)).toBe('WAIT_RESTART');
    jobs.supervisor = new Supervisor(jobs.backend.services);
    await jobs.supervisor.ready;
    await expect.poll(async () => (await processes(jobId)).length).toBe(2);
    await expect.poll(() => status(jobId)).toBe('RUNNING');
  });

  test.runIf(store === 'postgres')('a server that loses its lock ends its jobs at once', async () => {
    const jobId = await makeJob(jobs, 'well');
    const pid = await untilRunning(jobId);
    const { database } = jobs.backend.services;
    // Another server could take the lock now, and run them too.
    await endLockSession(database);
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect.poll(async () => (await processes(jobId)).length).toBe(2);
    await expect.poll(() => status(jobId)).toBe('RUNNING');
  });

  test.runIf(store === 'postgres')(
    'a job that was ended by a lost lock has no fault, if the server has it again',
    async () => {
      const jobId = await makeJob(jobs, 'ends-late');
      const keeper = async () => {
        const { events } = await detail(jobId);
        return Number(events.map(({ sentence }) => /^keeper (\d+)$/.exec(sentence)?.[1]).find((id) => id));
      };
      await expect.poll(keeper).toBeGreaterThan(0);
      const [first, pid] = [await keeper(), await untilRunning(jobId)];
      const { database } = jobs.backend.services;
      await endLockSession(database);
      await expect.poll(() => isAlive(pid)).toBe(false);
      await expect.poll(() => database.isHeld(supervisorLock)).toBe(true);
      process.kill(first);
      await expect.poll(async () => (await processes(jobId)).length).toBe(2);
      await expect.poll(() => status(jobId)).toBe('RUNNING');
      expect((await detail(jobId)).events.filter(({ level }) => level === 'error')).toEqual([]);
      await expect.poll(keeper).not.toBe(first);
      const [second = 0] = await processes(jobId);
      for (const each of [await keeper(), second]) process.kill(each, 'SIGKILL');
    },
  );

  test.runIf(store === 'sqlite')(
    'a job whose process cannot be created is never RUNNING and is retried with back-off',
    async () => {
      const { services } = jobs.backend;
      // The system refuses it: an environment cannot hold this character.
      Object.assign(services.jobs, { childEnv: { BROKEN: '\0' } });
      const { database } = services;
      await database.script(`CREATE TABLE was_running (id INTEGER); CREATE TRIGGER note_running AFTER UPDATE ON data_job
      WHEN NEW.status = 'RUNNING' BEGIN INSERT INTO was_running VALUES (NEW.id); END`);
      const jobId = await makeJob(jobs, 'well');
      for (const wait of [1_000, 2_000, 4_000]) {
        await expect.poll(async () => (await detail(jobId)).job.fault?.nextTryAt).toBe(services.now() + wait);
        expect(await status(jobId)).toBe('WAIT_RESTART');
        jobs.backend.pass(wait);
        jobs.supervisor.look();
      }
      expect(await database.one(count, 'SELECT count(*) AS n FROM was_running')).toEqual({ n: 0 });
    },
  );

  test('a replay being prepared when the server stops is left to the next server', async () => {
    const jobId = await makeJob(jobs, 'well');
    await untilRunning(jobId);
    await jobs.data(jobCalls.stopJob, { jobId });
    await expect.poll(() => status(jobId)).toBe('STOP');
    const asked = Promise.withResolvers<void>();
    const { services } = jobs.backend;
    const { ask } = services.jobs;
    Object.assign(services.jobs, {
      // Both sides are far away; a server stop ends the question, as the real one does.
      ask: async (...parts: Parameters<typeof ask>) => {
        if (parts[1].kind !== 'release') return ask(...parts);
        asked.resolve();
        await once(services.jobs.stopping.signal, 'abort');
        throw new JobError('SYSTEM_FAULT');
      },
    });
    await jobs.data(jobCalls.replayJob, { jobId });
    await asked.promise;
    services.jobs.stopping.abort();
    await jobs.supervisor.stop();
    expect((await detail(jobId)).job).toMatchObject({ currTaskStatus: 'WAIT_START', fault: null });
  });

  test('a process that ignores a stop is killed', async () => {
    const jobId = await makeJob(jobs, 'deaf');
    const pid = await untilRunning(jobId);
    await jobs.data(jobCalls.stopJob, { jobId });
    await expect.poll(() => status(jobId)).toBe('STOP');
    expect(isAlive(pid)).toBe(false);
  });
});

test('of two processes on one store, one runs the jobs and the other takes over when it ends', async () => {
  const databaseUrl = await createDatabase(inject('postgresUrl'));
  const jobs = await openTestJobs({ databaseUrl, jobs: standIn });
  const jobId = await makeJob(jobs, 'well');
  const running = () => detailOf(jobs, jobId);
  await expect.poll(async () => (await running()).job.tables.live).toBe(1);
  const other = new Supervisor(jobs.backend.services);
  // The first one dies without a word: the database has to release its lock.
  await jobs.supervisor.stop();
  await expect
    .poll(async () => {
      // A process that had to be killed waits for its next try.
      jobs.backend.pass(1_000);
      return (await running()).events.filter(({ sentence }) => sentence.startsWith('process')).length;
    })
    .toBe(2);
  await expect.poll(async () => (await running()).job.currTaskStatus).toBe('RUNNING');
  jobs.supervisor = other;
  await jobs.close();
});

test('of two processes, the one whose worker is stopped leaves the jobs to the other', async () => {
  const databaseUrl = await createStoreDatabase(inject('postgresUrl'));
  const jobs = await openTestJobs({ databaseUrl, jobs: standIn });
  const { services } = jobs.backend;
  const workers = async () =>
    z
      .array(z.object({ id: z.number(), workerName: z.string(), workerState: z.string() }))
      .parse(await jobs.data('worker/listworkers', { clusterId: 1 }));
  await expect.poll(workers).toHaveLength(1);
  const [holder] = await workers();
  const jobId = await makeJob(jobs, 'taken-over', { autoStart: false });
  await expect.poll(async () => (await detailOf(jobs, jobId)).job.lifeCycleState).toBe('CREATED');
  const childEnv = { ...services.jobs.childEnv, TAKEN_OVER: '1' };
  const store = openPostgres(databaseUrl, services.log, patientStore);
  const other = new Supervisor({ ...services, database: store, jobs: { ...services.jobs, childEnv } }, 10_000, 'other');
  await expect.poll(workers).toHaveLength(2);
  await jobs.data('worker/stopWorker', { workerId: holder?.id });
  await jobs.data(jobCalls.startJob, { jobId });
  const isAboutTo = await jobs.open('worker/stopWorker', { workerId: holder?.id });
  expect(isAboutTo.body.code).toBe('NOT_POSSIBLE');
  // What its process says at the other server.
  await expect.poll(async () => (await detailOf(jobs, jobId)).job.fault?.code).toBe('SLOT_MISSING');
  // Nobody else takes jobs from now on.
  await other.stop();
  await store.close();
  jobs.backend.pass(goneAfterMs);
  const later = await makeJob(jobs, 'well', { autoStart: false, dataJobDesc: 'later' });
  await expect.poll(async () => (await detailOf(jobs, later)).job.consoleTaskState).toBe('FAILED');
  await jobs.close();
});

test('a server that stood still stores none of its reports once another one runs its jobs, except usage', async () => {
  const databaseUrl = await createStoreDatabase(inject('postgresUrl'));
  const jobs = await openTestJobs({ databaseUrl, jobs: standIn });
  const { services } = jobs.backend;
  const { database } = services;
  const jobId = await makeJob(jobs, 'taken-over');
  await expect.poll(async () => (await detailOf(jobs, jobId)).job.tables.live).toBe(1);
  const { events } = await detailOf(jobs, jobId);
  // Its next transaction, with what the process reports at the signal, has to wait.
  const [begun, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const transaction = database.transaction.bind(database);
  const stands = vi.spyOn(database, 'transaction').mockImplementationOnce((work) =>
    transaction(async (queries) => {
      begun.resolve();
      await freed.promise;
      return await work(queries);
    }),
  );
  const pid = events.map(({ sentence }) => Number(/^process (\d+)$/.exec(sentence)?.[1])).find((id) => id > 0) ?? 0;
  process.kill(pid, 'SIGUSR2');
  await begun.promise;
  vi.spyOn(database, 'hold').mockResolvedValue(undefined);
  await endLockSession(database);
  await expect
    .poll(() => jobs.backend.logged.map(({ msg }) => String(msg)))
    .toContainEqual(expect.stringContaining('the supervisor lost its lock'));
  const store = openPostgres(databaseUrl, services.log, patientStore);
  const childEnv = { ...services.jobs.childEnv, TAKEN_OVER: '1' };
  const other = new Supervisor({ ...services, database: store, jobs: { ...services.jobs, childEnv } });
  const now = async () => {
    const { job, tables } = await detailOf(jobs, jobId);
    return [job.currTaskStatus, job.fault?.code, job.dataTaskState, tables[0]?.state];
  };
  const toldByOther = ['ABNORMAL', 'SLOT_MISSING', 'INCRE', 'live'];
  await expect.poll(now).toEqual(toldByOther);
  freed.resolve();
  await stands.mock.results[0]?.value;
  expect(await now()).toEqual(toldByOther);
  const usage = await database.one(count, 'SELECT CAST(sum(units) AS BIGINT) AS n FROM usage_record');
  expect(usage).toEqual({ n: 10 });
  vi.restoreAllMocks();
  await other.stop();
  await store.close();
  await jobs.close();
});

test('a process that waits to take over jobs is listed as a worker too', async () => {
  const jobs = await openTestJobs({ databaseUrl: await createDatabase(inject('postgresUrl')), jobs: standIn });
  const { database } = jobs.backend.services;
  await jobs.supervisor.stop();
  const held = await database.hold(supervisorLock);
  await database.run('DELETE FROM job_worker');
  jobs.supervisor = new Supervisor(jobs.backend.services);
  const workers = async () => (await jobs.open('worker/listworkers', { clusterId: 1 })).body.data;
  await expect.poll(workers).toHaveLength(1);
  await held?.release();
  await jobs.close();
});

/** What a job that takes a table and all that match a pattern names; its source is asked for them. */
const withPattern = {
  srcSchema: JSON.stringify([{ db: '', tables: [{ table: 'well' }, { table: 'log_*', tablePattern: 'log_*' }] }]),
};

test('jobs whose tables a slow source has to name are all created, however many at once', async () => {
  const jobs = await openTestJobs({ jobs: standIn });
  onTestFinished(() => jobs.close());
  const { log, jobs: parts } = jobs.backend.services;
  const script = join(import.meta.dirname, '../../testing/stand-in-answer-process.ts');
  const ask = openAsk({ script, env: parts.childEnv, log, stopping: parts.stopping.signal, callMs: 110_000 });
  Object.assign(parts, { ask });
  const sides = [await addSource(jobs, 'a.sqlite'), await addSource(jobs, 'b.sqlite')] as const;
  const ids = await Promise.all(
    Array.from({ length: 25 }, (_, at) =>
      jobs.data(jobCalls.createJob, newJob(...sides, '', { ...withPattern, autoStart: false, dataJobDesc: `${at}` })),
    ),
  );
  const states = async () =>
    (await Promise.all(ids.map((id) => detailOf(jobs, Number(id))))).map(({ job }) => job.lifeCycleState);
  await expect.poll(states).toEqual(ids.map(() => 'CREATED'));
});

test('a server without time for a question about a job tries again, and finds no fault with the job', async () => {
  const jobs = await openTestJobs({ jobs: standIn });
  onTestFinished(() => jobs.close());
  const { services } = jobs.backend;
  const passing = [new HttpError('OVERLOADED'), new StorageSilent('The store does not answer.')];
  let refusals = [...passing];
  const ask: Ask = async (_uid, { kind }, schema) => {
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    return schema.parse(kind === 'catalog' ? [] : undefined);
  };
  Object.assign(services.jobs, { ask });
  const jobId = await makeJob(jobs, '', withPattern);
  const status = async () => (await detailOf(jobs, jobId)).job.currTaskStatus;
  await expect.poll(status).toBe('RUNNING');
  expect(refusals).toEqual([]);
  const stored = () => findJob(services.database, jobId);
  /** A replay and a deletion have what the job keeps removed first. */
  const isRefused = async (call: string) => {
    await jobs.data(jobCalls.stopJob, { jobId });
    await expect.poll(status).toBe('STOP');
    refusals = [...passing];
    await jobs.data(call, { jobId, autoStart: true });
    for (const _ of passing) {
      await expect.poll(async () => (await stored())?.next_try_at).toBe(services.now() + 10_000);
      expect(await stored()).toMatchObject({ fault: null, failures: 0 });
      expect((await detailOf(jobs, jobId)).events.filter(({ level }) => level === 'error')).toEqual([]);
      jobs.backend.pass(10_000);
      jobs.supervisor.look();
    }
  };
  await isRefused(jobCalls.replayJob);
  await expect.poll(status).toBe('RUNNING');
  await isRefused(jobCalls.deleteJob);
  await expect.poll(stored).toBeUndefined();
});

describe('many jobs', () => {
  let folder: string;
  let jobs: TestJobs;

  /** Opens a console and creates jobs whose processes report nothing before they get a signal. */
  async function makeMuteJobs(number: number, beginsMs: number): Promise<number[]> {
    folder = mkdtempSync(join(tmpdir(), 'millrace-mute-'));
    jobs = await openTestJobs({ jobs: { ...standIn, childEnv: { MUTE_FOLDER: folder } }, beginsMs });
    onTestFinished(async () => {
      await jobs.close();
      rmSync(folder, { recursive: true });
    });
    const ids: number[] = [];
    for (let at = 0; at < number; at++) ids.push(await makeJob(jobs, 'mute', { dataJobDesc: `mute ${at}` }));
    return ids;
  }
  /** Process ids. */
  const begun = () => readdirSync(folder).map(Number);
  const status = async (jobId: number) => (await detailOf(jobs, jobId)).job.currTaskStatus;

  test('start only a few at a time', async () => {
    const ids = await makeMuteJobs(mostBeginning + 3, 600_000);
    await expect.poll(() => begun().length).toBe(mostBeginning);
    const waiting = async () => {
      const statuses = await Promise.all(ids.map(status));
      return ids.filter((_, at) => statuses[at] === 'WAIT_START');
    };
    // The last ones may still be being created.
    await expect.poll(waiting).toHaveLength(3);
    // Stopped at the supervisor's next look, which starts no other one.
    const [last = 0] = await waiting();
    await jobs.data(jobCalls.stopJob, { jobId: last });
    await expect.poll(() => status(last)).toBe('STOP');
    const [first = 0, second = 0] = begun();
    expect(begun()).toHaveLength(mostBeginning);
    process.kill(first, 'SIGUSR2');
    await expect.poll(() => begun().length).toBe(mostBeginning + 1);
    process.kill(second, 'SIGKILL');
    await expect.poll(() => begun().length).toBe(mostBeginning + 2);
  });

  test('wait only for a while for those that report nothing', async () => {
    const ids = await makeMuteJobs(mostBeginning + 1, 100);
    await expect.poll(() => begun().length).toBe(ids.length);
  });
});
