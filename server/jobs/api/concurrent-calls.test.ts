import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import type { JobDetail } from '../../../client/contract/jobs/jobs.ts';
import { addSource, makeJob, newJob, standIn } from '../../testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../../testing/jobs.ts';
import { newcomer } from '../../testing/newcomer.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import type { Ask } from '../ask.ts';

const configs = z.array(z.object({ configName: z.string(), configValue: z.string() }));
const listed = z.array(z.object({ dataJobId: z.number() }));

describe.each(['sqlite', 'postgres'])('concurrent calls, store %s', (store) => {
  let jobs: TestJobs;
  beforeEach(async () => {
    const databaseUrl = store === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    jobs = await openTestJobs({ databaseUrl, jobs: standIn });
    return () => jobs.close();
  });

  async function valuesOf(call: string, body: object) {
    const all = configs.parse(await jobs.data(call, body));
    return Object.fromEntries(all.map(({ configName, configValue }) => [configName, configValue]));
  }

  test('changes to different settings of a data source are all kept, and so is its password', async () => {
    const settings = { host: 'a', port: 1, database: 'a', user: 'a', password: 'a-secret' };
    const id = Number(await jobs.data(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 'a', settings }));
    for (let round = 1; round <= 5; round += 1) {
      const changed = { host: `h${round}`, port: `${round}`, database: `d${round}`, user: `u${round}` };
      await Promise.all(
        Object.entries(changed).map(([name, value]) =>
          jobs.data('datasource/upsertdsconfig', { dataSourceId: id, updateConfigs: { [name]: value } }),
        ),
      );
      expect(await valuesOf('datasource/querydsconfig', { dataSourceId: id })).toMatchObject(changed);
    }
    const [{ needCreated } = { needCreated: true }] = z
      .array(z.looseObject({ configName: z.string(), needCreated: z.boolean() }))
      .parse(await jobs.data('datasource/querydsconfig', { dataSourceId: id }))
      .filter(({ configName }) => configName === 'password');
    expect(needCreated).toBe(false);
  });

  test('changes to different parameters of a job are all kept', async () => {
    const dataJobId = await makeJob(jobs, 'well', { autoStart: false });
    for (let round = 1; round <= 5; round += 1) {
      const changed = {
        parallel: String(round),
        ddl: round % 2 ? 'stop' : 'safe',
        keyConflictStrategy: round % 2 ? 'REPLACE' : 'IGNORE',
      };
      await Promise.all(
        Object.entries(changed).map(([configName, configValue]) =>
          jobs.data('datajob/upsertkvconfigs', [{ dataJobId, configName, configValue }]),
        ),
      );
      expect(await valuesOf('datajob/listkvconfigsbyjobid', { dataJobId })).toMatchObject(changed);
    }
  });

  test('identical requests create one job', async () => {
    const request = newJob(await addSource(jobs, 'a.sqlite'), await addSource(jobs, 'b.sqlite'), 'well', {
      autoStart: false,
    });
    const ids = await Promise.all(Array.from({ length: 8 }, () => jobs.data(jobCalls.createJob, request)));
    expect(new Set(ids).size).toBe(1);
    expect(listed.parse(await jobs.data(jobCalls.listJobs))).toHaveLength(1);
  });

  test('no more keys and practice pairs are created than an account may have', async () => {
    const codesOf = async (call: string, body: object, times: number) => {
      const answers = await Promise.all(Array.from({ length: times }, () => jobs.open(call, body)));
      return answers.map(({ body: { success, code } }) => (success ? 'made' : code)).toSorted();
    };
    const refused = (times: number) => Array.from({ length: times }, () => 'TOO_MANY');
    const made = (times: number) => Array.from({ length: times }, () => 'made');
    for (let count = 0; count < 98; count += 1) await jobs.data(jobCalls.createApiKey, { name: 'a' });
    expect(await codesOf(jobCalls.createApiKey, { name: 'a' }, 5)).toEqual([...refused(3), ...made(2)]);
    expect(await codesOf(jobCalls.createPractice, {}, 5)).toEqual([...refused(2), ...made(3)]);
  });

  test('deleting a data source and creating a job that uses it cannot both succeed', async () => {
    const outcomes = [
      [true, 'DATA_SOURCE_IN_USE'],
      ['NO_DATA_SOURCE', true],
    ];
    for (let round = 1; round <= 10; round += 1) {
      const dataSourceId = await addSource(jobs, 'a.sqlite');
      const request = newJob(dataSourceId, await addSource(jobs, 'b.sqlite'), `t${round}`, { autoStart: false });
      const answers = await Promise.all([
        jobs.open(jobCalls.createJob, request),
        jobs.open('datasource/deleteds', { dataSourceId }),
      ]);
      expect(outcomes).toContainEqual(answers.map(({ body: { success, code } }) => success || code));
    }
  });

  test('settings that change while a data source is tested are not shown as tested', async () => {
    const dataSourceId = await addSource(jobs, 'a.sqlite');
    const test = () => jobs.open('datasource/connectds', { clusterId: 1, dataSourceId, hostType: 'PRIVATE' });
    const tested = async () => (await jobs.open('datasource/queryds', { dataSourceId })).body.data.tested;
    await test();
    expect(await tested()).toMatchObject({ success: false });
    const parts = jobs.backend.services.jobs;
    const { ask } = parts;
    const change = { dataSourceId, updateConfigs: { file: 'b.sqlite' } };
    const askMeanwhile: Ask = async (...asked) => {
      await jobs.data('datasource/upsertdsconfig', change);
      return ask(...asked);
    };
    Object.assign(parts, { ask: askMeanwhile });
    await test();
    expect(await tested()).toBeNull();
  });

  test('no more data sources are created than an account may have', async () => {
    await addSource(jobs, 'a.sqlite');
    await jobs.backend.services.database.run(
      `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1997)
       INSERT INTO data_source (id, uid, instance_id, family, description, settings, labels, created_at)
       SELECT 1000000 + n, uid, 'sl-' || n, family, description, settings, labels, created_at FROM counted, data_source`,
    );
    const asked = { type: 'SQLite', settings: { file: 'a.sqlite' } };
    const answers = await Promise.all(Array.from({ length: 5 }, () => jobs.open(jobCalls.addDataSource, asked)));
    const codes = answers.map(({ body: { success, code } }) => (success ? 'made' : code)).toSorted();
    expect(codes).toEqual(['TOO_MANY', 'TOO_MANY', 'TOO_MANY', 'made', 'made']);
    expect((await jobs.open(jobCalls.createPractice)).body.code).toBe('TOO_MANY');
  });
});

/** A server that never answers, and who has asked it. */
async function openMute() {
  const asked = new Set<Socket>();
  const mute = createServer((socket) => asked.add(socket)).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const { port } = z.object({ port: z.number() }).parse(mute.address());
  onTestFinished(() => void mute.close());
  return {
    asked,
    settings: { host: '127.0.0.1', port, database: 'a', user: 'a' },
    hangUp() {
      for (const socket of asked) socket.destroy();
      mute.on('connection', (socket) => socket.destroy());
    },
  };
}

test('an account that tests unresponsive systems does not block other accounts', async () => {
  const jobs = await openTestJobs({ env: { JOBS_FOR: 'all', JOB_NETWORKS: '127.0.0.0/8' }, jobs: standIn });
  onTestFinished(() => jobs.close());
  const { asked, settings, hangUp } = await openMute();
  const { token } = await newcomer(jobs.backend, 'eve@site.example');
  const added = await jobs.open(jobCalls.addDataSource, { type: 'PostgreSQL', settings }, { token });
  const body = { clusterId: 1, dataSourceId: Number(added.body.data), hostType: 'PRIVATE' };
  const questions = Array.from({ length: 40 }, () => jobs.open(jobCalls.testDataSource, body, { token }).then());
  await expect.poll(() => asked.size).toBeGreaterThan(2);
  const own = { clusterId: 1, dataSourceId: await addSource(jobs, 'a.sqlite'), hostType: 'PRIVATE' };
  const answer = await jobs.open(jobCalls.testDataSource, own);
  expect(answer.body).toMatchObject({ msg: expect.stringContaining('The file does not exist') });
  hangUp();
  await Promise.all(questions);
});

test('deleting jobs whose source does not answer leaves the account its questions, and blames no job', async () => {
  const jobs = await openTestJobs({ jobs: standIn });
  onTestFinished(() => jobs.close());
  const { asked, settings, hangUp } = await openMute();
  const source = Number(await jobs.data(jobCalls.addDataSource, { type: 'PostgreSQL', settings }));
  const target = Number(await jobs.data(jobCalls.addDataSource, { type: 'PostgreSQL', settings }));
  const jobOf = async (jobId: number): Promise<JobDetail['job']> =>
    (await jobs.open(jobCalls.jobDetail, { jobId })).body.data.job;
  const ids: number[] = [];
  const srcSchema = JSON.stringify([{ db: 'a', schemas: [{ schema: 'public', tables: [{ table: 'well' }] }] }]);
  for (let at = 0; at < 6; at++) {
    const request = newJob(source, target, 'well', { srcSchema, dataJobDesc: `job ${at}` });
    ids.push(Number(await jobs.data(jobCalls.createJob, request)));
  }
  for (const jobId of ids) {
    await expect.poll(async () => (await jobOf(jobId)).currTaskStatus).toBe('RUNNING');
    await jobs.data(jobCalls.stopJob, { jobId });
    await expect.poll(async () => (await jobOf(jobId)).currTaskStatus).toBe('STOP');
  }
  for (const jobId of ids) await jobs.data(jobCalls.deleteJob, { jobId });
  await expect.poll(() => asked.size).toBeGreaterThan(0);
  const own = { clusterId: 1, dataSourceId: await addSource(jobs, 'a.sqlite'), hostType: 'PRIVATE' };
  const answer = await jobs.open(jobCalls.testDataSource, own);
  expect(answer.body).toMatchObject({ msg: expect.stringContaining('The file does not exist') });
  // Longer than a visitor waits for a turn.
  await delay(5_000);
  const told = await Promise.all(ids.map(jobOf));
  expect(told.map(({ fault }) => fault?.sentence).filter((sentence) => sentence?.includes('could not be'))).toEqual([]);
  hangUp();
});
