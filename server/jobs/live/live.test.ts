import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import { requireDocumentedEvent } from '../../testing/documented-answers.ts';
import { makeJob, standIn } from '../../testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../../testing/jobs.ts';
import { newcomer } from '../../testing/newcomer.ts';
import { patience } from '../../testing/patience.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { admit, withdrawAdmission } from '../access.ts';
import type { Ask } from '../ask.ts';

const told = z.looseObject({
  jobs: z.array(z.looseObject({ dataJobId: z.number() })).optional(),
  job: z.looseObject({ dataJobId: z.number(), currTaskStatus: z.string() }).optional(),
  dataJobId: z.number().optional(),
});
interface Told extends z.infer<typeof told> {
  kind: string;
}

const sampleText = (at: number) =>
  JSON.stringify({
    at,
    spanMs: 1_000,
    copied: 0,
    applied: 1,
    transactions: 1,
    bytes: 1,
    lagMs: 40,
    waitedForSourceMs: 0,
    waitedForTargetMs: 0,
    position: null,
    retainedBytes: null,
    memoryBytes: 1,
  });

describe.each(['sqlite', 'postgres'])('live events, store %s', (store) => {
  let jobs: TestJobs;
  let server: http.Server;

  beforeEach(async () => {
    const databaseUrl = store === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    jobs = await openTestJobs({ databaseUrl, jobs: standIn });
    server = http.createServer(jobs.backend.listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return async () => {
      server.closeAllConnections();
      server.close();
      await jobs.close();
    };
  });

  async function open(token: string, search = ''): Promise<IncomingMessage> {
    const { port } = server.address() as AddressInfo;
    const headers = { Authorization: `Bearer ${token}` };
    const request = http.get({ port, path: jobCalls.jobEvents + search, headers, agent: false });
    const [answer] = await once(request, 'response');
    return answer;
  }

  async function* eventsOf(answer: AsyncIterable<Buffer>): AsyncGenerator<Told> {
    let text = '';
    for await (const chunk of answer) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [, kind = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
        if (kind === '') continue;
        requireDocumentedEvent(kind, JSON.parse(data));
        yield { kind, ...told.parse(JSON.parse(data)) };
      }
    }
  }

  async function until(events: AsyncGenerator<Told>, wanted: (event: Told) => boolean): Promise<Told[]> {
    const seen: Told[] = [];
    for (;;) {
      const next = await events.next();
      if (next.done) throw new Error(`The stream ended after ${seen.map(({ kind }) => kind)}.`);
      seen.push(next.value);
      if (wanted(next.value)) return seen;
    }
  }

  test('the stream starts with all jobs and then sends changes, up to the stop of a job', async () => {
    const jobId = await makeJob(jobs, 'well', { autoStart: false });
    const lifeCycle = async () => (await jobs.open(jobCalls.queryJob, { jobId })).body.data.lifeCycleState;
    await expect.poll(lifeCycle).toBe('CREATED');
    const answer = await open(jobs.token, `?jobId=${jobId}`);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const events = eventsOf(answer);
    const [first] = await until(events, () => true);
    expect(first).toMatchObject({ kind: 'jobs', jobs: [{ dataJobId: jobId }] });
    await jobs.data(jobCalls.startJob, { jobId });
    const kinds = new Set<string>();
    await until(
      events,
      ({ kind }) => kinds.add(kind) && ['job', 'sample', 'tables', 'event'].every((one) => kinds.has(one)),
    );
    await jobs.data(jobCalls.stopJob, { jobId });
    await until(events, ({ job }) => job?.currTaskStatus === 'STOP');
    answer.destroy();
  });

  test.each(['its session ends', 'its key is revoked'])('the stream ends when %s', async (what) => {
    const key = (await jobs.open(jobCalls.createApiKey, { name: 'a' })).body.data;
    const isKey = what === 'its key is revoked';
    const events = eventsOf(await open(isKey ? `${key.accessKey}.${key.secret}` : jobs.token));
    await until(events, () => true);
    if (isKey) await jobs.data(jobCalls.revokeApiKey, { id: key.id });
    else await jobs.backend.post(calls.logout, undefined, { token: jobs.token });
    while (!(await events.next()).done);
  });

  test('the stream ends when its account may no longer have jobs', async () => {
    const { database, now } = jobs.backend.services;
    const { uid, token } = await newcomer(jobs.backend, 'eve@site.example');
    await admit(database, uid, now());
    const events = eventsOf(await open(token));
    await until(events, () => true);
    await withdrawAdmission(database, uid);
    while (!(await events.next()).done);
  });

  test('a key limited to other calls gets no stream, and the use of an allowed key is recorded', async () => {
    const [limited, free] = await Promise.all(
      [['worker'], ['job']].map(
        async (groups) => (await jobs.open(jobCalls.createApiKey, { name: groups[0], groups })).body.data,
      ),
    );
    const refused = await open(`${limited.accessKey}.${limited.secret}`);
    expect(await text(refused)).toContain('This key is not allowed for calls of the group job.');
    const answer = await open(`${free.accessKey}.${free.secret}`);
    await until(eventsOf(answer), () => true);
    answer.destroy();
    const uses = await jobs.backend.services.database.all(
      z.object({ key_id: z.string(), call: z.string() }),
      'SELECT key_id, call FROM api_key_use',
    );
    expect(uses).toEqual([{ key_id: free.id, call: 'job/events' }]);
  });

  test('a sample is sent without the rest of the job unless it clears a fault', async () => {
    const jobId = await makeJob(jobs, 'well', { autoStart: false });
    const { database, jobs: room } = jobs.backend.services;
    const lifeCycle = async () => (await jobs.open(jobCalls.queryJob, { jobId })).body.data.consoleTaskState;
    await expect.poll(lifeCycle).toBe('SUCCESS');
    const events = eventsOf(await open(jobs.token));
    await until(events, () => true);
    let at = 0;
    /** What a child's sample changes in the store. */
    const tell = async () => {
      at += 1_000;
      const set = 'sample = $1, sampled_at = $2, fault = NULL, revision = revision + 1';
      await database.run(`UPDATE data_job SET ${set} WHERE id = $3`, [sampleText(at), at, jobId]);
      room.wake();
    };
    await tell();
    const first = await until(events, ({ kind }) => kind === 'sample');
    expect(first.map(({ kind }) => kind)).toEqual(['job', 'sample'].slice(-first.length));
    await tell();
    expect((await until(events, ({ kind }) => kind === 'sample')).map(({ kind }) => kind)).toEqual(['sample']);
    const fault = JSON.stringify({ code: 'DISK_FULL', sentence: 'a', hint: 'b', retry: 'timed', at: 0 });
    await database.run('UPDATE data_job SET fault = $1, revision = revision + 1 WHERE id = $2', [fault, jobId]);
    room.wake();
    await until(events, ({ kind }) => kind === 'job');
    await tell();
    expect((await until(events, ({ kind }) => kind === 'sample')).map(({ kind }) => kind)).toEqual(['job', 'sample']);
  });

  test('a client of one job is told to begin again when a replay has dropped tables', async () => {
    const jobId = await makeJob(jobs, 'well');
    const job = async () => (await jobs.open(jobCalls.jobDetail, { jobId })).body.data.job;
    await expect.poll(async () => (await job()).tables.live).toBe(1);
    await jobs.data(jobCalls.stopJob, { jobId });
    await expect.poll(async () => (await job()).currTaskStatus).toBe('STOP');
    const { database, jobs: parts } = jobs.backend.services;
    await database.run(
      `INSERT INTO job_table (job_id, id, source, target, state, copied, estimate, skipped, parked, fault, revision)
       SELECT job_id, 'gone', 'main.gone', 'main.gone', state, copied, estimate, skipped, parked, fault, revision
       FROM job_table WHERE job_id = $1`,
      [jobId],
    );
    const ask: Ask = async (_uid, _question, schema) => schema.parse(undefined);
    Object.assign(parts, { ask });
    const answer = await open(jobs.token, `?jobId=${jobId}`);
    const events = eventsOf(answer);
    await until(events, () => true);
    await jobs.data(jobCalls.replayJob, { jobId, autoStart: true });
    const again = (await until(events, ({ kind }) => kind === 'jobs')).at(-1);
    expect(again).toMatchObject({ jobs: [{ dataJobId: jobId }] });
    answer.destroy();
  });

  test('the deletion of a job is reported', async () => {
    const jobId = await makeJob(jobs, 'well', { autoStart: false });
    const events = eventsOf(await open(jobs.token));
    await until(events, () => true);
    await jobs.data(jobCalls.deleteJob, { jobId });
    await until(events, ({ kind, dataJobId }) => kind === 'deleted' && dataJobId === jobId);
  });

  test('an idle stream survives the timeout that ends other connections', async () => {
    server.timeout = 100;
    // With a listener, Node leaves ending to it: a starved machine has all the time to open the stream.
    const silent = new Set<Socket>();
    server.on('timeout', (socket) => silent.add(socket));
    const connection = once(server, 'connection');
    const events = eventsOf(await open(jobs.token));
    await until(events, () => true);
    const [stream]: Socket[] = await connection;
    silent.clear();
    const other = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await expect.poll(() => silent.size, patience).toBeGreaterThan(0);
    expect([...silent]).not.toContain(stream);
    other.destroy();
  });

  test('stopping the server ends the streams', async () => {
    const events = eventsOf(await open(jobs.token));
    await until(events, () => true);
    jobs.backend.services.jobs.stopping.abort();
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  test("an account has a limited number of streams, and does not see other accounts' jobs", async () => {
    const jobId = await makeJob(jobs, 'well', { autoStart: false });
    const answers = await Promise.all(Array.from({ length: 8 }, () => open(jobs.token)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await open(jobs.token)).statusCode).toBe(429);
    const { uid, token } = await newcomer(jobs.backend, 'eve@site.example');
    expect(
      await jobs.backend.services.database.run('INSERT INTO job_admission (uid, admitted_at) VALUES ($1, 0)', [uid]),
    ).toBe(1);
    const [first] = await until(eventsOf(await open(token)), () => true);
    expect(first?.jobs).toEqual([]);
    const other = await open(token, `?jobId=${jobId}`);
    expect(JSON.parse(Buffer.concat(await other.toArray()).toString())).toMatchObject({ code: 'NO_JOB' });
    expect((await open('x'.repeat(43))).statusCode).toBe(401);
    for (const answer of answers) answer.destroy();
  });
});
