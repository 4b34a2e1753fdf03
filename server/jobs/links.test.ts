import { beforeEach, describe, expect, inject, test } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { Job } from '../../client/contract/jobs/jobs.ts';
import { readApplyCode } from '../console/licensing/apply-code.ts';
import { signAuthCode } from '../console/licensing/auth-code.ts';
import { licencePublicKey, licenceSigningKey } from '../console/licensing/licence-key.ts';
import { openTestConsole, type TestConsole } from '../testing/console.ts';
import { makeJob, newJob, standIn } from '../testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../testing/jobs.ts';
import { signInAgain } from '../testing/newcomer.ts';
import { createStoreDatabase } from '../testing/store-database.ts';

const day = 86_400_000;

describe.each(['sqlite', 'postgres'] as const)('licence links, store %s', (store) => {
  let seller: TestConsole;
  let jobs: TestJobs;
  let token: string;
  let key: string;

  beforeEach(async () => {
    seller = await openTestConsole();
    const databaseUrl = store === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    const env = { LICENCE_PUBLIC_KEY: await licencePublicKey(seller.services) };
    jobs = await openTestJobs({ env, databaseUrl, jobs: standIn });
    token = jobs.token;
    const made = (await jobs.open(jobCalls.createApiKey, { name: 'shell' })).body.data;
    key = `${made.accessKey}.${made.secret}`;
    return async () => {
      await jobs.close();
      await seller.close();
    };
  });

  const call = async (name: string, body: object = {}) => (await jobs.open(name, body, { token })).body;
  const jobOf = async (jobId: number): Promise<Job> => (await call(jobCalls.queryJob, { jobId })).data;
  const becomes = (jobId: number, status: Job['currTaskStatus']) =>
    expect.poll(async () => (await jobOf(jobId)).currTaskStatus).toBe(status);
  /** The job process, once it has reported its number; it may run for a moment before. */
  async function processOf(jobId: number): Promise<number> {
    const told = async () => {
      const { events } = (await call(jobCalls.jobDetail, { jobId })).data;
      const sentences: string[] = events.map(({ sentence }: { sentence: string }) => sentence);
      return Number(sentences.find((sentence) => /^process \d+$/.test(sentence))?.split(' ')[1]);
    };
    await expect.poll(told).toBeGreaterThan(0);
    return await told();
  }
  const installation = async () => (await call(calls.installation)).data;
  const create = async (request: object, by = token) =>
    (await jobs.open(jobCalls.createJob, request, { token: by })).body;

  async function makeJobs(count: number, changes: object = {}): Promise<number[]> {
    const ids: number[] = [];
    for (let number = 0; number < count; number += 1) {
      ids.push(await makeJob(jobs, 'well', { dataJobDesc: `job ${number}`, ...changes }));
    }
    for (const jobId of ids) {
      await expect.poll(async () => (await jobOf(jobId)).lifeCycleState).toBe('CREATED');
    }
    return ids;
  }

  async function request(dataJobDesc: string): Promise<object> {
    const add = async (file: string) => {
      const source = { type: 'SQLite', instanceDesc: '', settings: { file } };
      return Number((await call(jobCalls.addDataSource, source)).data);
    };
    return newJob(await add('a.sqlite'), await add('b.sqlite'), 'well', { dataJobDesc, autoStart: false });
  }

  async function enter(links: number, days: number): Promise<void> {
    const { installation: id } = readApplyCode((await installation()).applyCode);
    const from = jobs.backend.services.now();
    const licence = {
      id: 'l',
      installation: id,
      edition: 'ENTERPRISE',
      links,
      from,
      to: from + days * day,
      replaces: [],
    } as const;
    const authCode = await signAuthCode(licence, await licenceSigningKey(seller.services));
    expect(await call(calls.install, { authCode })).toMatchObject({ success: true, data: { links } });
  }

  test('five jobs are created; a sixth, by session or key, needs a deleted job or an authorization code', async () => {
    const ids = await makeJobs(5, { autoStart: false });
    expect(await installation()).toMatchObject({ links: 5, used: 5 });
    expect(readApplyCode((await installation()).applyCode).used).toBe(5);
    const sixth = await request('sixth');
    const sentence =
      'This installation may have 5 links, and all are taken: a job takes one until it is complete or deleted. Its owner can enter an authorization code in the console under Settings → Licence; or delete a job that is no longer needed.';
    expect(await create(sixth)).toMatchObject({ success: false, code: 'LICENCE_LINKS', msg: sentence });
    expect(await create(sixth, key)).toMatchObject({ success: false, code: '0', msg: sentence, data: null });
    // A repeated request returns its job, which has its link.
    const again = await request('again');
    await jobs.data(jobCalls.deleteJob, { jobId: ids[0] });
    await expect.poll(async () => (await installation()).used).toBe(4);
    const fifth = await create(again, key);
    expect(fifth).toMatchObject({ code: '1' });
    expect(await create(again, key)).toMatchObject({ code: '1', data: fifth.data });
    expect(await create(sixth)).toMatchObject({ code: 'LICENCE_LINKS' });
    await enter(6, 30);
    expect(await create(sixth)).toMatchObject({ success: true });
    expect(await create(await request('seventh'))).toMatchObject({ code: 'LICENCE_LINKS' });
  });

  test('a complete job returns its link, and needs one to run again', async () => {
    const done = await makeJob(jobs, 'complete');
    await becomes(done, 'COMPLETE');
    const ids = await makeJobs(5, { autoStart: false });
    expect(await installation()).toMatchObject({ used: 5 });
    expect(await call(jobCalls.replayJob, { jobId: done })).toMatchObject({ code: 'LICENCE_LINKS' });
    expect((await jobOf(done)).currTaskStatus).toBe('COMPLETE');
    await jobs.data(jobCalls.deleteJob, { jobId: ids[0] });
    expect(await call(jobCalls.replayJob, { jobId: done })).toMatchObject({ success: true });
  });

  test('an expired licence stops no running job, but none starts beyond the remaining links', async () => {
    await enter(7, 30);
    const ids = await makeJobs(7);
    const [first = 0, second = 0, third = 0] = ids;
    for (const jobId of ids) await becomes(jobId, 'RUNNING');
    jobs.backend.pass(31 * day);
    token = await signInAgain(jobs.backend, jobs.uid);
    expect(await installation()).toMatchObject({ edition: 'COMMUNITY', links: 5, used: 7, ended: expect.any(Number) });
    for (const jobId of ids) expect((await jobOf(jobId)).currTaskStatus).toBe('RUNNING');

    // A running job is started again, whatever ended it.
    process.kill(await processOf(first), 'SIGKILL');
    await becomes(first, 'WAIT_RESTART');
    jobs.backend.pass(1_000);
    jobs.supervisor.look();
    await becomes(first, 'RUNNING');
    expect(await call(jobCalls.restartJob, { jobId: first })).toMatchObject({ success: true });
    await becomes(first, 'RUNNING');

    const refused = {
      success: false,
      code: 'LICENCE_LINKS',
      msg: expect.stringContaining('licence ended on 2026-12-21'),
    };
    expect(await create(await request('further'))).toMatchObject(refused);
    await call(jobCalls.stopJob, { jobId: first });
    await becomes(first, 'STOP');
    for (const action of [jobCalls.startJob, jobCalls.restartJob, jobCalls.replayJob]) {
      expect(await call(action, { jobId: first })).toMatchObject({
        ...refused,
        msg: expect.stringMatching(
          /may run 5 links, and that many jobs are running.*Settings → Licence; or stop another job\.$/,
        ),
      });
    }
    await call(jobCalls.detachJob, { jobId: first });
    expect(await call(jobCalls.attachJob, { jobId: first })).toMatchObject(refused);
    // An action that is impossible in any case says so.
    expect(await call(jobCalls.startJob, { jobId: second })).toMatchObject({ code: 'NOT_POSSIBLE' });
    // Within the remaining links, jobs start.
    for (const jobId of [second, third]) {
      await call(jobCalls.stopJob, { jobId });
      await becomes(jobId, 'STOP');
    }
    expect(await call(jobCalls.attachJob, { jobId: first })).toMatchObject({ success: true });
    await becomes(first, 'RUNNING');
    expect(await call(jobCalls.startJob, { jobId: second })).toMatchObject(refused);
  });

  test('concurrent requests create no more jobs than there are links', async () => {
    const requests: object[] = [];
    for (let number = 0; number < 12; number += 1) requests.push(await request(`parallel ${number}`));
    const answers = await Promise.all(requests.map((one) => create(one)));
    expect(answers.filter(({ success }) => success)).toHaveLength(5);
    expect(answers.filter(({ code }) => code === 'LICENCE_LINKS')).toHaveLength(7);
  });

  test('practice pairs take no link', async () => {
    await makeJobs(5, { autoStart: false });
    expect(await call(jobCalls.createPractice)).toMatchObject({ success: true });
    expect(await installation()).toMatchObject({ used: 5 });
  });
});
