import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pino from 'pino';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { JobDetail } from '../../client/contract/jobs/jobs.ts';
import { beginSession } from '../console/account/sessions.ts';
import type { Database } from '../storage/database.ts';
import { openPostgres } from '../storage/postgres.ts';
import { openSqlite } from '../storage/sqlite.ts';
import { type BackendProcess, startBackendProcess } from '../testing/backend-process.ts';
import { patience, patientStore } from '../testing/patience.ts';
import { createDatabase } from '../testing/postgres.ts';
import { removeDataDir } from '../testing/remove-data-dir.ts';
import { storeAccount } from '../testing/store-account.ts';

const answer = z.object({ success: z.literal(true), data: z.unknown() });
const pair = z.object({ jobId: z.number() });
const count = z.object({ n: z.number().nullable() });

/** Real server processes, which are killed; the practice pair is the job. */
describe.each(['sqlite', 'postgres'])('jobs when their server ends, store %s', (store) => {
  const running: BackendProcess[] = [];
  let dataDir: string;
  let env: Record<string, string>;
  let database: Database;
  let token: string;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'millrace-take-over-'));
    const url = store === 'postgres' ? await createDatabase(inject('postgresUrl')) : undefined;
    env = {
      DATA_DIR: dataDir,
      SECRET_KEY: 'one secret for both of the two servers',
      ...(url && { DATABASE_URL: url }),
    };
    await start();
    database = url
      ? openPostgres(url, pino({ level: 'silent' }), patientStore)
      : openSqlite(join(dataDir, 'console.sqlite'));
    const uid = await storeAccount(database, 'ada@site.example');
    token = (await beginSession(database, { uid, browser: '', now: Date.now() })).token;
    return async () => {
      for (const server of running.splice(0)) await server.kill();
      await database.close();
      await removeDataDir(dataDir);
    };
  });

  async function start(): Promise<BackendProcess> {
    const server = await startBackendProcess(env);
    running.push(server);
    return server;
  }

  async function ask({ url }: BackendProcess, path: string, body: object): Promise<unknown> {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.parse(await response.json()).data;
  }

  const detailOf = async (server: BackendProcess, jobId: number) =>
    (await ask(server, jobCalls.jobDetail, { jobId })) as JobDetail;
  const newestAtTarget = (name: string) => {
    const file = join(dataDir, 'files/practice', name, 'target.sqlite');
    const target = new DatabaseSync(file, { readOnly: true, timeout: 60_000 });
    const { n } = count.parse(target.prepare('SELECT max(id) AS n FROM orders').get());
    target.close();
    return n ?? 0;
  };

  async function practice(server: BackendProcess) {
    const { jobId } = pair.parse(await ask(server, jobCalls.createPractice, {}));
    await expect.poll(async () => (await detailOf(server, jobId)).job.tables.live).toBe(3);
    return { jobId, name: (await detailOf(server, jobId)).job.dataJobName };
  }

  /** Asks until the job runs on a server again, and expects it never to be reported as running without a process. */
  async function untilItRuns(server: BackendProcess, jobId: number): Promise<void> {
    const seen: [status: string, processes: number][] = [];
    await expect
      .poll(async () => {
        const { currTaskStatus } = (await detailOf(server, jobId)).job;
        seen.push([currTaskStatus, server.jobProcesses().length]);
        return currTaskStatus;
      })
      .toBe('RUNNING');
    expect(seen.filter(([status, processes]) => status === 'RUNNING' && processes === 0)).toEqual([]);
  }

  test('after a kill of all processes, a job is reported as running only once it is, and rows flow again', async () => {
    const [server] = running as [BackendProcess];
    const { jobId, name } = await practice(server);
    for (const pid of server.jobProcesses()) process.kill(pid, 'SIGKILL');
    await server.kill();
    const next = await start();
    await untilItRuns(next, jobId);
    const before = newestAtTarget(name);
    await expect.poll(() => newestAtTarget(name)).toBeGreaterThan(before);
  });

  test.runIf(process.platform === 'linux' && store === 'sqlite')(
    'a machine without memory ends a job before its server, and the job says so and continues',
    async () => {
      const [server] = running as [BackendProcess];
      const { jobId, name } = await practice(server);
      const [job = 0] = server.jobProcesses();
      const willingness = (pid: number) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'));
      await expect.poll(() => willingness(job)).toBeGreaterThan(willingness(server.pid));
      process.kill(job, 'SIGKILL');
      const told = async () => (await detailOf(server, jobId)).events.map(({ sentence }) => sentence);
      await expect.poll(told).toContainEqual(expect.stringContaining('a kernel without memory'));
      await untilItRuns(server, jobId);
      const before = newestAtTarget(name);
      await expect.poll(() => newestAtTarget(name)).toBeGreaterThan(before);
    },
  );

  test('SIGTERM ends the server in time and its jobs without a fault, and the next server starts them', async () => {
    const [server] = running as [BackendProcess];
    const { jobId } = await practice(server);
    expect(server.jobProcesses()).toHaveLength(1);
    // It exits with 1 if that takes too long.
    expect(await server.terminate()).toBe(0);
    running.length = 0;
    const next = await start();
    await untilItRuns(next, jobId);
    // A process that must be killed is a fault, and reported.
    const { events } = await detailOf(next, jobId);
    expect(events.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test.runIf(store === 'postgres')(
    'a second server waits for the first one, and takes over when it is killed',
    async () => {
      const [first] = running as [BackendProcess];
      const { jobId, name } = await practice(first);
      const second = await start();
      expect((await detailOf(second, jobId)).job.currTaskStatus).toBe('RUNNING');
      expect([first.jobProcesses().length, second.jobProcesses().length]).toEqual([1, 0]);
      await first.kill();
      await expect.poll(() => second.jobProcesses().length).toBe(1);
      await untilItRuns(second, jobId);
      const before = newestAtTarget(name);
      await expect.poll(() => newestAtTarget(name)).toBeGreaterThan(before);
      // Only the second one carries out what was requested on the way.
      await ask(second, jobCalls.stopJob, { jobId });
      await expect.poll(async () => (await detailOf(second, jobId)).job.currTaskStatus).toBe('STOP');
      expect(second.jobProcesses()).toEqual([]);
    },
  );

  test.runIf(store === 'postgres')(
    'a second server takes over from a frozen one, which runs no jobs once it resumes',
    async () => {
      const [first] = running as [BackendProcess];
      const { jobId, name } = await practice(first);
      const second = await start();
      process.kill(first.pid, 'SIGSTOP');
      await expect.poll(() => second.jobProcesses().length, patience).toBe(1);
      await untilItRuns(second, jobId);
      const before = newestAtTarget(name);
      await expect.poll(() => newestAtTarget(name), patience).toBeGreaterThan(before);
      process.kill(first.pid, 'SIGCONT');
      await expect.poll(() => first.jobProcesses(), patience).toEqual([]);
      await ask(first, jobCalls.stopJob, { jobId });
      await expect.poll(async () => (await detailOf(second, jobId)).job.currTaskStatus, patience).toBe('STOP');
      expect(second.jobProcesses()).toEqual([]);
    },
  );
});
