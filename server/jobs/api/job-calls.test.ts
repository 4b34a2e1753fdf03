import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import type { ConsoleJob, Job } from '../../../client/contract/jobs/jobs.ts';
import { runDueTasks } from '../../console/tasks/run-tasks.ts';
import { scheduleTask } from '../../console/tasks/schedule-task.ts';
import { addSource, makeJob, newJob, standIn } from '../../testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../../testing/jobs.ts';
import { newcomer } from '../../testing/newcomer.ts';
import { createStoreDatabase } from '../../testing/store-database.ts';
import { jobCallRows } from './job-call-rows.ts';

describe.each(['sqlite', 'postgres'])('job calls, store %s', (store) => {
  let jobs: TestJobs;

  beforeEach(async () => {
    const databaseUrl = store === 'postgres' ? await createStoreDatabase(inject('postgresUrl')) : undefined;
    jobs = await openTestJobs({ databaseUrl, jobs: standIn });
    return () => jobs.close();
  });

  const jobOf = async (jobId: number): Promise<Job> => (await jobs.open(jobCalls.queryJob, { jobId })).body.data;
  const made = (jobId: number) => expect.poll(async () => (await jobOf(jobId)).lifeCycleState).toBe('CREATED');

  test('every call requires a session and an account that may have jobs', async () => {
    const { token } = await newcomer(jobs.backend, 'eve@site.example');
    for (const { path, example } of jobCallRows) {
      expect([path, (await jobs.backend.post(path, example)).status]).toEqual([path, 401]);
      const { body } = await jobs.backend.post(path, example, { token });
      expect([path, body.code]).toEqual([path, 'JOBS_NOT_ALLOWED']);
    }
  });

  test("another account's jobs and data sources look as if they did not exist", async () => {
    const jobId = await makeJob(jobs, 'well', { autoStart: false });
    const { uid, token } = await newcomer(jobs.backend, 'eve@site.example');
    await jobs.backend.services.database.run('INSERT INTO job_admission (uid, admitted_at) VALUES ($1, 0)', [uid]);
    expect((await jobs.open(jobCalls.listJobs, {}, { token })).body.data).toEqual([]);
    expect((await jobs.open(jobCalls.listDataSources, {}, { token })).body.data).toEqual([]);
    const [source] = (await jobs.open(jobCalls.listDataSources)).body.data;
    // By the name that people gave, or otherwise by the server's own.
    const { dataJobDesc, dataJobName, dataTasks } = await jobOf(jobId);
    expect(source.usedBy).toContain(dataJobDesc || dataJobName);
    const [{ dataTaskId: taskId } = { dataTaskId: 0 }] = dataTasks;
    const bodies = {
      jobId,
      dataJobId: jobId,
      dataSourceId: source.id,
      taskId,
      clusterId: 1,
      hostType: 'PRIVATE',
      table: 'a',
    };
    for (const { path, example } of jobCallRows) {
      const text = JSON.stringify(example);
      if (!/"(jobId|dataJobId|dataSourceId|taskId)"/.test(text)) continue;
      const naming = (ids: object) => {
        const body: object = JSON.parse(text, (name, value) => (name in ids ? Reflect.get(ids, name) : value));
        return jobs.open(path, body, { token });
      };
      const { body } = await naming(bodies);
      expect([path, body.code]).toEqual([path, expect.stringMatching(/^NO_(JOB|DATA_SOURCE)$/)]);
      // The answer does not reveal which ids exist.
      const missing = 999_999_999;
      const unknown = await naming({
        ...bodies,
        jobId: missing,
        dataJobId: missing,
        dataSourceId: missing,
        taskId: missing,
      });
      expect([path, { ...unknown.body, requestId: '' }]).toEqual([path, { ...body, requestId: '' }]);
    }
    expect((await jobOf(jobId)).lifeCycleState).not.toBe('DELETING');
    const { consoleJobId } = await jobOf(jobId);
    for (const path of [jobCalls.queryConsoleJob, jobCalls.retryTask]) {
      const { body } = await jobs.open(path, { consoleJobId, consoleTaskId: consoleJobId + 1 }, { token });
      expect([path, body.code]).toEqual([path, 'NO_CONSOLE_JOB']);
    }
  });

  test("no job is created, planned or prechecked with another account's data source", async () => {
    const own = await addSource(jobs, 'a.sqlite');
    const { uid, token } = await newcomer(jobs.backend, 'eve@site.example');
    await jobs.backend.services.database.run('INSERT INTO job_admission (uid, admitted_at) VALUES ($1, 0)', [uid]);
    const about = { type: 'SQLite', instanceDesc: '', settings: { file: 'b.sqlite' } };
    const eves = Number((await jobs.open(jobCalls.addDataSource, about, { token })).body.data);
    for (const path of [jobCalls.createJob, jobCalls.planJob, 'datajob/precheckbasic']) {
      for (const [source, target] of [
        [own, eves],
        [eves, own],
      ] as const) {
        const { body } = await jobs.open(path, newJob(source, target, 'well'), { token });
        expect([path, body.code]).toEqual([path, 'NO_DATA_SOURCE']);
      }
    }
  });

  test('only the owner of the installation can change its workers', async () => {
    const { services } = jobs.backend;
    const { uid, token } = await newcomer(jobs.backend, 'eve@site.example');
    await services.database.run('INSERT INTO job_admission (uid, admitted_at) VALUES ($1, 0)', [uid]);
    const changes = jobCallRows.filter(({ path }) => path.includes('/worker/') && !path.endsWith('/listworkers'));
    expect(changes.length).toBeGreaterThan(2);
    for (const { path, example } of changes) {
      const { body } = await jobs.open(path, example, { token });
      expect([path, body.code]).toEqual([path, 'JOBS_NOT_ALLOWED']);
    }
  });

  test('damaged jobs and data sources are shown as such, and everything else is shown too', async () => {
    const [damaged, well] = [
      await makeJob(jobs, 'well', { autoStart: false }),
      await makeJob(jobs, 'well', { autoStart: false, dataJobDesc: 'second' }),
    ];
    await made(well);
    await made(damaged);
    const { database } = jobs.backend.services;
    const { sourceDsVO } = await jobOf(damaged);
    for (const column of ['request', 'tables', 'sample']) {
      await database.run(`UPDATE data_job SET ${column} = '{' WHERE id = $1`, [damaged]);
    }
    const faults = async () =>
      (await jobs.open(jobCalls.listJobs)).body.data.map((job: Job) => [
        job.dataJobId,
        job.fault?.code,
        job.possible.length > 0,
      ]);
    expect(await faults()).toEqual([
      [damaged, 'JOB_DAMAGED', false],
      [well, undefined, true],
    ]);
    expect((await jobs.open(jobCalls.queryJob, { jobId: damaged })).body).toMatchObject({
      code: 'JOB_DAMAGED',
      msg: 'The stored data of this job cannot be read.',
    });
    await database.run("UPDATE data_source SET settings = '{', labels = '' WHERE id = $1", [sourceDsVO.id]);
    expect((await faults()).length).toBe(2);
    const sources = (await jobs.open(jobCalls.listDataSources)).body.data;
    expect(sources.map(({ tested }: { tested: { sentence: string } | null }) => tested?.sentence)).toContain(
      'The stored data of this data source cannot be read.',
    );
    expect((await jobs.open('datasource/queryds', { dataSourceId: sourceDsVO.id })).body.code).toBe(
      'DATA_SOURCE_DAMAGED',
    );
  });

  test('a job is created in steps, waits without auto-start, and starts when activated', async () => {
    const jobId = await makeJob(jobs, 'well', { autoStart: false });
    await expect.poll(async () => (await jobOf(jobId)).consoleTaskState).toBe('SUCCESS');
    const job = await jobOf(jobId);
    expect(job).toMatchObject({
      currTaskStatus: 'INIT',
      dataTaskState: 'CREATED',
      possible: ['activate', 'start', 'delete'],
    });
    expect(job.dataJobName).toMatch(/^canal[a-z0-9]{11}$/);
    expect(job.gmtCreated).toBe('2026-11-21T12:00:00.001+0000');
    const { body } = await jobs.open(jobCalls.queryConsoleJob, { consoleJobId: job.consoleJobId });
    const consoleJob: ConsoleJob = body.data;
    expect(consoleJob.taskVOList.map(({ executeOrder, taskState }) => [executeOrder, taskState])).toEqual(
      [1, 2, 3, 4].map((step) => [step, 'SUCCESS']),
    );
    await jobs.data(jobCalls.activateJob, { jobId });
    await expect.poll(async () => (await jobOf(jobId)).currTaskStatus).toBe('RUNNING');
  });

  test('the same request within ten minutes returns the first job', async () => {
    const request = newJob(await addSource(jobs, 'a.sqlite'), await addSource(jobs, 'b.sqlite'), 'well', {
      autoStart: false,
    });
    const first = await jobs.data(jobCalls.createJob, request);
    expect(await jobs.data(jobCalls.createJob, { ...request, srcDsId: String(request.srcDsId) })).toBe(first);
    expect(await jobs.data(jobCalls.createJob, { ...request, dataJobDesc: 'other' })).not.toBe(first);
    jobs.backend.pass(600_000);
    expect(await jobs.data(jobCalls.createJob, request)).not.toBe(first);
  });

  test.each([
    ['srcSchema', [{ db: '', tabels: [] }], 'srcSchema.0.tabels'],
    ['srcSchema', [{ db: '', tables: [{ table: 'a', dataFilters: {} }] }], 'srcSchema.0.tables.0.dataFilters'],
    [
      'srcSchema',
      [{ db: '', schemas: [{ schema: 's', tables: [{ table: 'a', columns: [{ column: 'c', inBlacklist: true }] }] }] }],
      'srcSchema.0.schemas.0.tables.0.columns.0.inBlacklist',
    ],
    [
      'srcSchema',
      [{ db: '', tables: [{ table: 'a', dataFilter: { expresion: 'id > 5' } }] }],
      'srcSchema.0.tables.0.dataFilter.expresion',
    ],
    ['srcSchema', [{ db: '', schemas: [{ schema: 's', schemaPattern: 's*' }] }], 'srcSchema.0.schemas.0.schemaPattern'],
    ['srcSchema', [{ db: '', tables: [{ table: 'a', specifiedPks: ['c'] }] }], 'srcSchema.0.tables.0.specifiedPks'],
    ['mappingDef', [{ method: 'TABLE_TABLE', serializeMaping: {} }], 'mappingDef.0.serializeMaping'],
  ])('an unknown field in %s of a new job is named: %j', async (field, value, path) => {
    const request = newJob(1, 2, 'well', { [field]: JSON.stringify(value) });
    for (const call of [jobCalls.createJob, jobCalls.precheck]) {
      const { body } = await jobs.open(call, request);
      expect(body.code).toBe('INVALID_FIELDS');
      expect(JSON.stringify(body)).toContain(path);
    }
  });

  test('fields of the selection that have no meaning here are accepted as clients write them', async () => {
    const table = {
      table: 'well',
      tablePattern: '',
      columns: [],
      actions: ['INSERT', 'UPDATE', 'DELETE'],
      blackActs: [],
    };
    const filter = {
      dataFilter: { type: 'SQL_WHERE', expression: 'id > 5' },
      specifiedPks: [],
      targetAutoCreate: true,
    };
    const srcSchema = [{ db: '', dbPattern: '', targetAutoCreate: true, tables: [{ ...table, ...filter }] }];
    const mappingDef = [
      { method: 'TABLE_TABLE', serializeMapping: {}, serializeAutoGenRules: {}, commonGenRule: 'MIRROR' },
    ];
    await makeJob(jobs, 'well', { srcSchema: JSON.stringify(srcSchema), mappingDef: JSON.stringify(mappingDef) });
  });

  test('a failed creation step says why, and can be retried', async () => {
    // No table is listed and the file does not exist, so the source cannot be asked.
    const jobId = await makeJob(jobs, 'x', { srcSchema: '[{"db":"","tables":[]}]' });
    await expect.poll(async () => (await jobOf(jobId)).consoleTaskState).toBe('FAILED');
    const job = await jobOf(jobId);
    const steps = async (): Promise<ConsoleJob> =>
      (await jobs.open(jobCalls.queryConsoleJob, { consoleJobId: job.consoleJobId })).body.data;
    const [failed, next] = (await steps()).taskVOList;
    expect(failed).toMatchObject({ taskState: 'FAILED', stepName: 'Read the schema' });
    expect(failed?.message).not.toBe('');
    expect(next?.taskState).toBe('WAIT_START');
    const retry = { consoleJobId: job.consoleJobId, consoleTaskId: failed?.id };
    expect(await jobs.data(jobCalls.retryTask, retry)).toBeNull();
    await expect.poll(async () => (await steps()).taskState).toBe('FAILED');
    await jobs.data(jobCalls.deleteJob, { jobId });
    await expect.poll(() => jobs.data(jobCalls.listJobs)).toEqual([]);
  });

  test('an impossible action is refused with the reason and the actions that are possible', async () => {
    const jobId = await makeJob(jobs, 'well');
    await expect.poll(async () => (await jobOf(jobId)).currTaskStatus).toBe('RUNNING');
    const { status, body } = await jobs.open(jobCalls.deleteJob, { jobId });
    expect([status, body.code, body.msg]).toEqual([
      200,
      'NOT_POSSIBLE',
      'The job is running. Only a job that is neither running nor about to run can be deleted. Possible now: stop, restart.',
    ]);
  });

  test('the deletion of a job whose source cannot be reached reports a fault and is retried', async () => {
    const jobId = await makeJob(jobs, 'complete');
    await expect.poll(async () => (await jobOf(jobId)).currTaskStatus).toBe('COMPLETE');
    // Its files never existed.
    await jobs.data(jobCalls.deleteJob, { jobId });
    await expect.poll(async () => (await jobOf(jobId)).fault).not.toBeNull();
    const job = await jobOf(jobId);
    expect(job).toMatchObject({ lifeCycleState: 'DELETING', currTaskStatus: 'DELETE', possible: [] });
    expect(job.fault?.nextTryAt).toBe(jobs.backend.services.now() + 1_000);
  });

  test('jobs are listed by page, also those that carry a table', async () => {
    const [first, second] = [await makeJob(jobs, 'well'), await makeJob(jobs, 'complete')];
    await expect.poll(async () => (await jobOf(second)).lifeCycleState).toBe('CREATED');
    await expect.poll(async () => (await jobOf(first)).lifeCycleState).toBe('CREATED');
    const page = (body: object) => jobs.data('datajob/listbypage', { pageNum: 1, pageSize: 20, ...body });
    expect(await page({ pageNum: 2, pageSize: 1 })).toMatchObject({ allJobCounts: 2, jobVos: [{ dataJobId: first }] });
    expect(await page({ transferObjName: 'WELL' })).toMatchObject({ allJobCounts: 1, jobVos: [{ dataJobId: first }] });
    expect(await page({ transferObjName: 'nothing' })).toMatchObject({ allJobCounts: 0, jobVos: [] });
    expect(await page({ orderType: 'PROCESS', orderAsc: true })).toMatchObject({ allJobCounts: 2 });
  });

  test.each([
    ['datajob/listbypage', { pageNum: 0, pageSize: 20 }, 'pageNum', 'must be at least 1.'],
    ['datajob/listbypage', { pageNum: -1, pageSize: 20 }, 'pageNum', 'must be at least 1.'],
    ['datajob/listbypage', { pageNum: 1.5, pageSize: 20 }, 'pageNum', 'must be a whole number.'],
    ['datajob/listbypage', { pageNum: 'two', pageSize: 20 }, 'pageNum', 'must be a number.'],
    ['datajob/listbypage', { pageNum: 1, pageSize: 21 }, 'pageSize', 'must be at most 20.'],
    ['datajob/listbypage', { pageNum: 1, pageSize: 20, orderType: 'NAME' }, 'orderType', 'GMT_CREATE, PROCESS'],
    ['datajob/listbypage', { pageNum: 1, pageSize: 20, dataTaskStatus: 'UP' }, 'dataTaskStatus', 'RUNNING'],
    ['datajob/list', { dataJobType: 'COPY' }, 'dataJobType', 'STRUCT_MIGRATION, MIGRATION, SYNC'],
    ['datasource/listds', { lifeCycleState: 'GONE' }, 'lifeCycleState', 'CREATED'],
    ['datasource/listds', { hostType: 'VPC' }, 'hostType', 'PRIVATE, PUBLIC'],
  ])('%s refuses %j', async (call, body, field, words) => {
    const { status, body: refused } = await jobs.open(call, body);
    expect([status, refused.code, Object.keys(refused.fields)]).toEqual([400, 'INVALID_FIELDS', [field]]);
    expect(refused.fields[field]).toContain(words);
  });

  test('data sources are listed by the name of their system or its family, and an unknown one is refused', async () => {
    await addSource(jobs, 'a.sqlite');
    const count = async (type: string | null) =>
      z.array(z.unknown()).parse(await jobs.data('datasource/listds', { type }));
    for (const type of ['SQLite', 'sqlite', '', null]) expect([type, (await count(type)).length]).toEqual([type, 1]);
    expect(await count('PostgreSQL')).toEqual([]);
    expect((await jobs.open('datasource/listds', { type: 'Postgres' })).body).toMatchObject({
      code: 'NOT_OFFERED',
      msg: 'Systems of this type are not offered yet. Offered: PostgreSQL, SQLite.',
    });
  });

  test('a stopped job is detached, and runs again when attached', async () => {
    const jobId = await makeJob(jobs, 'well');
    await expect.poll(async () => (await jobOf(jobId)).dataTaskState).toBe('INCRE');
    await jobs.data(jobCalls.stopJob, { jobId });
    await expect.poll(async () => (await jobOf(jobId)).currTaskStatus).toBe('STOP');
    await jobs.data(jobCalls.detachJob, { jobId });
    expect(await jobOf(jobId)).toMatchObject({ lifeCycleState: 'LOCKED', possible: ['attach', 'delete'] });
    await jobs.data(jobCalls.attachJob, { jobId });
    await expect.poll(async () => (await jobOf(jobId)).currTaskStatus).toBe('RUNNING');
  });

  test('a job that would write to another database than its target data source is refused, unless it names it', async () => {
    const add = async (database: string) => {
      const settings = { host: '127.0.0.1', port: 1, database, user: 'ada', password: 'a', tls: 'disable' };
      return Number(await jobs.data(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: database, settings }));
    };
    const srcSchema = JSON.stringify([{ db: 'shop', schemas: [{ schema: 'public', tables: [{ table: 'orders' }] }] }]);
    const request = newJob(await add('shop'), await add('dw'), 'orders', { srcSchema, autoStart: false });
    for (const call of [jobCalls.createJob, jobCalls.precheck, jobCalls.planJob]) {
      const { msg } = (await jobs.open(call, request)).body;
      expect(msg).toContain("would write to shop, as the source's is called; the target data source is dw.");
    }
    for (const database of ['dw', 'shop']) {
      const named = { ...request, dstSchema: JSON.stringify([{ db: database }]) };
      expect((await jobs.open(jobCalls.createJob, named)).body).toMatchObject({ success: true });
    }
  });

  test('passwords are stored encrypted and never returned or logged', async () => {
    const secret = randomBytes(12).toString('hex');
    const settings = { host: '127.0.0.1', port: 1, database: 'shop', user: 'ada', password: secret, tls: 'disable' };
    const id = Number(await jobs.data(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 'Shop', settings }));
    const list = await jobs.data(jobCalls.listDataSources);
    expect(list).toMatchObject([
      { id, family: 'postgresql', privateHost: '127.0.0.1:1', accountName: 'ada', secretsSet: ['password'] },
    ]);
    expect(list).toMatchObject([{ instanceId: expect.stringMatching(/^pg-[a-z0-9]{15}$/) }]);
    // Nothing listens there.
    const named = { clusterId: 0, dataSourceId: id, hostType: 'PRIVATE' };
    const test = await jobs.open(jobCalls.testDataSource, named);
    // It may become a job's source or its target.
    expect(test.body.data[0].sentence).toMatch(/^The server does not accept connections \(code ECONNREFUSED\)\./);
    const config = await jobs.data('datasource/querydsconfig', { dataSourceId: id });
    const stored = await jobs.backend.services.database.all(z.looseObject({}), 'SELECT * FROM data_source');
    const everything = JSON.stringify([
      list,
      test.body,
      config,
      stored,
      jobs.backend.logged,
      await jobs.data(jobCalls.listDataSources),
    ]);
    expect(everything).not.toContain(secret);
  });

  test('a connection URL in the field for the host is refused, so that its password is not stored with the address', async () => {
    const settings = { port: 5432, database: 'shop', user: 'ada', tls: 'disable' };
    const add = async (host: string) => {
      const body = { type: 'PostgreSQL', instanceDesc: 'Shop', settings: { ...settings, host } };
      return (await jobs.open(jobCalls.addDataSource, body)).body;
    };
    const refused = ['postgres://ada:secret@db.example/shop', 'db.example:5432', '[::1]:5432', 'https://db.example/'];
    for (const host of [...refused, 'a.example,b.example', '/run/postgresql/.s.PGSQL.5432'])
      expect(await add(host)).toMatchObject({
        code: 'INVALID_FIELDS',
        fields: { host: expect.stringMatching(/^Give /) },
      });
    const taken = { ' db.example ': 'db.example', '[::1]': '::1', '/run/postgresql': '/run/postgresql' };
    for (const [entered, host] of Object.entries(taken)) {
      const dataSourceId = Number((await add(entered)).data);
      expect(await jobs.data('datasource/queryds', { dataSourceId })).toMatchObject({ settings: { host } });
    }
    const port = { ...settings, host: 'db.example', port: null };
    const { body } = await jobs.open(jobCalls.addDataSource, { type: 'PostgreSQL', settings: port });
    expect(body.fields).toEqual({ port: 'must be a number.' });
    // A wrong field is not a missing body.
    const wrong = await jobs.open(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 5, settings });
    expect(wrong.body.fields).toEqual({ instanceDesc: 'must be text.' });
  });

  test('a password encrypted with another key is requested again, and kept until then', async () => {
    const settings = { host: '127.0.0.1', port: 1, database: 'shop', user: 'ada', password: 'old', tls: 'disable' };
    const id = Number(await jobs.data(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 'Shop', settings }));
    const { database } = jobs.backend.services;
    // What remains of it when a backup is restored without its key.
    const secrets = Buffer.alloc(64, 1).toString('base64url');
    await database.run('UPDATE data_source SET secrets = $1 WHERE id = $2', [secrets, id]);
    const change = (updateConfigs: object) =>
      jobs.open('datasource/upsertdsconfig', { dataSourceId: id, updateConfigs }).then(({ body }) => body);
    expect(await jobs.data(jobCalls.listDataSources)).toMatchObject([{ id, secretsSet: [] }]);
    const refused = { success: false, code: 'SECRETS_UNREADABLE', msg: expect.stringContaining('Enter it again.') };
    expect(await change({ port: 2 })).toMatchObject(refused);
    const named = { clusterId: 0, dataSourceId: id, hostType: 'PRIVATE' };
    expect((await jobs.open(jobCalls.testDataSource, named)).body).toMatchObject(refused);
    const stored = z.object({ secrets: z.string() });
    expect(await database.one(stored, 'SELECT secrets FROM data_source WHERE id = $1', [id])).toEqual({ secrets });
    expect(await change({ port: 2, password: 'new' })).toMatchObject({ success: true });
    expect(await jobs.data(jobCalls.listDataSources)).toMatchObject([{ id, secretsSet: ['password'] }]);
    expect((await jobs.open(jobCalls.testDataSource, named)).body.code).not.toBe('SECRETS_UNREADABLE');
  });

  test('a data source is accepted in the form that clients of the open API send', async () => {
    const data = {
      deployType: 'SELF_MAINTENANCE',
      region: 'home',
      type: 'PostgreSQL',
      hostType: 'PRIVATE',
      privateHost: 'db.example:5433',
      host: 'db.example:5433',
      securityType: 'USER_PASSWD_WITH_TLS',
      account: 'ada',
      password: 'x',
      instanceDesc: 'Shop',
      dbName: 'shop',
    };
    const { body } = await jobs.backend
      .post(jobCalls.addDataSource)
      .set('Authorization', `Bearer ${jobs.token}`)
      .field('dataSourceAddData', JSON.stringify(data));
    expect(body).toEqual({ success: true, data: expect.stringMatching(/^\d+$/) });
    const [source] = (await jobs.open(jobCalls.listDataSources)).body.data;
    expect(source).toMatchObject({
      privateHost: 'db.example:5433',
      region: 'home',
      settings: { host: 'db.example', port: 5433, database: 'shop', user: 'ada', tls: 'require' },
    });
  });

  test('settings without a TLS mode get the default; fields of the open API without a security type mean plain text', async () => {
    const settings = { host: 'db.example', database: 'shop', user: 'ada' };
    await jobs.data(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 'a', settings });
    const fields = { privateHost: 'db.example:5432', account: 'ada', password: 'x', dbName: 'shop' };
    await jobs.data(jobCalls.addDataSource, { type: 'PostgreSQL', instanceDesc: 'b', ...fields });
    const stored = z.array(z.object({ instanceDesc: z.string(), settings: z.object({ tls: z.string() }) }));
    const modes = stored.parse(await jobs.data(jobCalls.listDataSources));
    expect(modes.map(({ instanceDesc, settings: { tls } }) => [instanceDesc, tls]).sort()).toEqual([
      ['a', 'require'],
      ['b', 'disable'],
    ]);
  });

  test('a NUL character in nested JSON or a form is rejected as a client error', async () => {
    const asSession = () => jobs.backend.post(jobCalls.addDataSource).set('Authorization', `Bearer ${jobs.token}`);
    // JSON in a text of JSON: two levels of escapes.
    const inner = String.raw`{\"type\":\"SQLite\",\"dbName\":\"a.sqlite\",\"instanceDesc\":\"a\u005cu0000b\"}`;
    const text = await asSession().set('Content-Type', 'application/json').send(`{"dataSourceAddData":"${inner}"}`);
    expect([text.status, text.body.code]).toEqual([400, 'INVALID_FIELDS']);
    const form = await asSession().field('type', 'SQLite').field('dbName', 'a.sqlite').field('instanceDesc', 'a\0b');
    expect([form.status, form.body.code]).toEqual([400, 'BAD_JSON']);
  });

  test('a data source that a job uses cannot be deleted', async () => {
    const jobId = await makeJob(jobs, 'well', { autoStart: false });
    const { sourceDsVO } = await jobOf(jobId);
    const { body } = await jobs.open(jobCalls.deleteDataSource, { dataSourceId: sourceDsVO.id });
    expect(body.code).toBe('DATA_SOURCE_IN_USE');
    const free = await addSource(jobs, 'free.sqlite');
    expect(await jobs.data(jobCalls.deleteDataSource, { dataSourceId: free })).toBeNull();
  });

  test('pairs, job types and data source types that are not offered are refused', async () => {
    const settings = { host: 'db.example', database: 'shop', user: 'ada' };
    const postgres = Number(
      await jobs.data(jobCalls.addDataSource, { type: 'postgresql', instanceDesc: '', settings }),
    );
    const sqlite = await addSource(jobs, 'a.sqlite');
    const refused = await jobs.open(jobCalls.createJob, newJob(postgres, sqlite, 'a'));
    expect([refused.body.code, refused.body.msg]).toEqual([
      'NOT_OFFERED',
      expect.stringContaining('PostgreSQL to SQLite'),
    ]);
    const check = await jobs.open(jobCalls.createJob, newJob(sqlite, sqlite, 'a', { jobType: 'CHECK' }));
    expect(check.body.code).toBe('NOT_OFFERED');
    expect((await jobs.open(jobCalls.addDataSource, { type: 'Oracle', instanceDesc: '' })).body.code).toBe(
      'NOT_OFFERED',
    );
  });

  test('answers have the types that clients require', async () => {
    const jobId = await makeJob(jobs, 'well', { autoStart: false });
    await made(jobId);
    const kind = async (name: string, body: object) => {
      const data = await jobs.data(name, body);
      return data === null ? 'null' : Array.isArray(data) ? 'list' : typeof data;
    };
    const { consoleJobId } = await jobOf(jobId);
    expect(await kind('datajob/list', {})).toBe('list');
    expect(await kind('datajob/queryjob', { jobId })).toBe('object');
    expect(await kind('datajob/queryjobschemabyid', { jobId })).toBe('object');
    expect(await kind('consolejob/queryconsolejob', { consoleJobId })).toBe('object');
    expect(await kind('constant/listspecs', { dataJobType: 'SYNC' })).toBe('list');
    expect(await kind('cluster/listclusters', {})).toBe('list');
    expect(await kind('worker/listworkers', { clusterId: 1 })).toBe('list');
    expect(await kind('schema/listTransObjsByMeta', {})).toBe('list');
    const [worker] = (await jobs.open('worker/listworkers', { clusterId: 1 })).body.data;
    for (const name of ['id', 'clusterId', 'totalTaskMemMb', 'freeMemMb', 'physicMemMb', 'memOverSoldPercent']) {
      expect([name, Number.isInteger(worker[name])]).toEqual([name, true]);
    }
    expect(worker.physicDiskGb).toBeGreaterThan(0);
    expect(worker.freeDiskGb).toBeLessThanOrEqual(worker.physicDiskGb);
  });

  test('a worker not seen for 30 days is removed', async () => {
    const { services } = jobs.backend;
    const { database, now } = services;
    const names = async () =>
      z
        .array(z.object({ workerName: z.string() }))
        .parse(await jobs.data('worker/listworkers', { clusterId: 1 }))
        .map(({ workerName }) => workerName);
    const seenDaysAgo = (days: number) =>
      database.run(
        'INSERT INTO job_worker (id, name, facts, seen_at) SELECT $1, $2, facts, $3 FROM job_worker LIMIT 1',
        [-days, `container-${days}`, now() - days * 86_400_000],
      );
    await expect.poll(async () => (await names()).length).toBe(1);
    for (const days of [29, 30]) await seenDaysAgo(days);
    await scheduleTask(database, { kind: 'delete-old', key: 'hourly', payload: '', dueAt: now() });
    await runDueTasks(services);
    expect((await names()).filter((name) => name.startsWith('container-'))).toEqual(['container-29']);
  });

  test('samples of 10 seconds are deleted after a day, those of 5 minutes after a month, however many', async () => {
    const jobId = await makeJob(jobs, 'well', { autoStart: false });
    const { services } = jobs.backend;
    const { database, now } = services;
    const add = (spanMs: number, newest: number, count: number) =>
      database.run(
        `INSERT INTO job_sample (job_id, span, at, copied, applied, transactions, bytes, waited_for_source_ms,
           waited_for_target_ms, memory_bytes)
         WITH RECURSIVE one (at) AS (SELECT ${newest} UNION ALL SELECT at - 1 FROM one WHERE at > ${newest - count + 1})
         SELECT ${jobId}, ${spanMs}, at, 0, 0, 0, 0, 0, 0, 0 FROM one`,
      );
    const dayMs = 86_400_000;
    await add(10_000, now() - dayMs + 1, 5_002);
    await add(300_000, now() - 31 * dayMs + 1, 2);
    await scheduleTask(database, { kind: 'delete-old', key: 'hourly', payload: '', dueAt: now() });
    await runDueTasks(services);
    const left = await database.all(z.object({ at: z.number() }), 'SELECT at FROM job_sample ORDER BY at');
    expect(left).toEqual([{ at: now() - 31 * dayMs + 1 }, { at: now() - dayMs + 1 }]);
  });

  test('a request that is nested too deeply or too large is refused', async () => {
    const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`);
    expect((await jobs.open(jobCalls.createJob, { srcSchema: deep })).body.code).toBe('TOO_DEEP');
    const large = await jobs.open('datajob/list', { desc: 'x'.repeat(40_000) });
    expect(large.body).toMatchObject({ code: 'BODY_TOO_LARGE', msg: expect.stringContaining('32768 bytes') });
  });
});

test('with jobs for all, accounts have separate files and cannot reach the networks of the server', async () => {
  const jobs = await openTestJobs({ env: { JOBS_FOR: 'all' } });
  const eve = await newcomer(jobs.backend, 'eve@site.example');
  const folderOf = (uid: string) => join(jobs.backend.services.jobs.filesDir, 'accounts', uid);
  for (const { uid } of [jobs, eve]) mkdirSync(folderOf(uid), { recursive: true });
  new DatabaseSync(join(folderOf(eve.uid), 'a.sqlite')).exec('CREATE TABLE a (id INTEGER PRIMARY KEY)');
  const look = async (token: string, type: string, settings: object) => {
    const added = await jobs.open(jobCalls.addDataSource, { type, instanceDesc: '', settings }, { token });
    const named = { clusterId: 0, dataSourceId: Number(added.body.data), hostType: 'PRIVATE' };
    return (await jobs.open(jobCalls.testDataSource, named, { token })).body;
  };
  expect(await look(eve.token, 'SQLite', { file: 'a.sqlite' })).toMatchObject({ data: [{ result: 'passed' }, {}, {}] });
  for (const file of ['a.sqlite', `../${eve.uid}/a.sqlite`, `accounts/${eve.uid}/a.sqlite`])
    expect([file, (await look(jobs.token, 'SQLite', { file })).success]).toEqual([file, false]);
  const settings = { host: '127.0.0.1', port: 1, database: 'shop', user: 'ada', password: 'x', tls: 'disable' };
  const [refused] = (await look(eve.token, 'PostgreSQL', settings)).data;
  expect(refused.sentence).toContain('This installation does not connect to that network');
  await jobs.close();
});
