import { expect, test } from 'vitest';
import { z } from 'zod';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import type { JobDetail } from '../../client/contract/jobs/jobs.ts';
import type { Finding } from '../../client/contract/jobs/new-job.ts';
import { newJob } from '../testing/job-fixtures.ts';
import { openSqlitePair } from '../testing/sqlite-pair.ts';

test('a table dropped at the source stays blocked with one event, and is live again once recreated', async () => {
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
    const refused = [
      ['main.item', 'blocked'],
      ['main.other', 'live'],
    ];
    await expect.poll(shown).toEqual(refused);
    const told = async () => (await detail()).events.filter(({ table }) => table === 'main.item');
    const events = await told();
    expect(events).toMatchObject([{ level: 'error', sentence: expect.stringContaining('The table does not exist') }]);
    await stop();
    const { seenAt } = (await detail()).job;
    await jobs.data(jobCalls.startJob, { jobId });
    await expect.poll(async () => (await detail()).job.seenAt).not.toBe(seenAt);
    await expect.poll(shown).toEqual(refused);
    expect(await told()).toEqual(events);
    await stop();
    make('item');
    await jobs.data(jobCalls.startJob, { jobId });
    await expect.poll(shown).toEqual(live);
    await stop();
    source.exec('DROP TABLE item');
    await jobs.data(jobCalls.startJob, { jobId });
    await expect.poll(async () => (await told()).length).toBe(2);
  } finally {
    await close();
  }
});

test('a table blocked at the start joins the running job by resync or resume once its fault is fixed', async () => {
  const { jobs, source, target, from, to, close } = await openSqlitePair();
  try {
    source.exec(`CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'one');
      CREATE TABLE other (id INTEGER PRIMARY KEY); INSERT INTO other VALUES (1)`);
    target.exec('CREATE TABLE item (id INTEGER PRIMARY KEY)');
    const srcSchema = JSON.stringify(['item', 'other', 'late'].map((table) => ({ table })));
    const request = newJob(from, to, '', { jobType: 'SYNC', srcSchema: `[{"db":"","tables":${srcSchema}}]` });
    source.exec('CREATE TABLE late (id INTEGER PRIMARY KEY)');
    const jobId = Number(await jobs.data(jobCalls.createJob, { ...request, autoStart: false }));
    const detail = async (): Promise<JobDetail> => (await jobs.open(jobCalls.jobDetail, { jobId })).body.data;
    await expect.poll(async () => (await detail()).job.lifeCycleState).toBe('CREATED');
    source.exec('DROP TABLE late');
    await jobs.data(jobCalls.startJob, { jobId });
    const shown = async () => {
      const { tables } = await detail();
      return Object.fromEntries(tables.map(({ source: name, state, fault }) => [name, fault?.code ?? state]));
    };
    const ask = async (call: string, name: string) => {
      const found = (await detail()).tables.find((table) => table.source === name);
      await jobs.data(call, { jobId, table: found?.id });
    };
    const before = { 'main.item': 'COLUMN_MISSING', 'main.late': 'TABLE_MISSING', 'main.other': 'live' };
    await expect.poll(shown).toEqual(before);

    // As long as it cannot, it keeps waiting.
    await ask(jobCalls.resyncTable, 'main.item');
    const commands = () => jobs.backend.services.database.all(z.object({ id: z.number() }), 'SELECT id FROM job_order');
    await expect.poll(commands).toEqual([]);
    await expect.poll(shown).toEqual(before);

    target.exec('ALTER TABLE item ADD COLUMN name TEXT');
    await ask(jobCalls.resyncTable, 'main.item');
    await expect.poll(shown).toEqual({ ...before, 'main.item': 'live' });
    expect(target.prepare('SELECT * FROM item').all()).toEqual([{ id: 1, name: 'one' }]);

    source.exec('CREATE TABLE late (id INTEGER PRIMARY KEY); INSERT INTO late VALUES (7)');
    await ask(jobCalls.resumeTable, 'main.late');
    await expect.poll(shown).toEqual({ 'main.item': 'live', 'main.late': 'live', 'main.other': 'live' });
    expect(target.prepare('SELECT * FROM late').all()).toEqual([{ id: 7 }]);
  } finally {
    await close();
  }
});

test('a table that another job writes to is refused by precheck and start until that job is deleted', async () => {
  const { jobs, source, target, from, to, close } = await openSqlitePair();
  try {
    for (const table of ['item', 'other'])
      source.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY); INSERT INTO ${table} VALUES (1)`);
    target.exec('CREATE TABLE item (id INTEGER PRIMARY KEY); INSERT INTO item VALUES (99)');
    const srcSchema = JSON.stringify([{ db: '', tables: [{ table: 'item' }, { table: 'other' }] }]);
    const request = newJob(from, to, '', { srcSchema });
    const detail = async (jobId: number): Promise<JobDetail> =>
      (await jobs.open(jobCalls.jobDetail, { jobId })).body.data;
    const shown = async (jobId: number) =>
      (await detail(jobId)).tables.map(({ source: name, state, fault }) => [name, state, fault?.sentence]);
    const stop = async (jobId: number) => {
      await jobs.data(jobCalls.stopJob, { jobId });
      await expect.poll(async () => (await detail(jobId)).job.currTaskStatus).toBe('STOP');
    };

    const first = Number(await jobs.data(jobCalls.createJob, newJob(from, to, 'item')));
    await expect.poll(() => shown(first)).toEqual([['main.item', 'live', undefined]]);
    // A stopped job writes again once it is started.
    await stop(first);
    const { dataJobName } = (await detail(first)).job;
    const taken = `Another job writes to the table (at the target, table main.item, job ${dataJobName}).`;
    const checked: Finding[] = (await jobs.open(jobCalls.precheck, request)).body.data;
    expect(checked.filter(({ success }) => !success)).toMatchObject([
      { table: 'main.item', sentence: expect.stringContaining(taken) },
    ]);

    const second = Number(await jobs.data(jobCalls.createJob, request));
    await expect
      .poll(() => shown(second))
      .toEqual([
        ['main.item', 'blocked', taken],
        ['main.other', 'live', undefined],
      ]);
    await stop(second);
    await jobs.data(jobCalls.deleteJob, { jobId: first });
    await expect.poll(() => jobs.data(jobCalls.listJobs)).toMatchObject([{ dataJobId: second }]);
    await jobs.data(jobCalls.startJob, { jobId: second });
    await expect
      .poll(() => shown(second))
      .toEqual([
        ['main.item', 'live', undefined],
        ['main.other', 'live', undefined],
      ]);
    // It begins as at a first start, which keeps existing rows.
    expect(target.prepare('SELECT id FROM item ORDER BY id').all()).toMatchObject([{ id: 1 }, { id: 99 }]);
  } finally {
    await close();
  }
});

test('the precheck reports a table without a key once, as a fault for SYNC and a warning for MIGRATION', async () => {
  const { jobs, source, from, to, close } = await openSqlitePair();
  try {
    source.exec('CREATE TABLE keyless (v)');
    const ofTable = async (jobType: 'SYNC' | 'MIGRATION') => {
      const request = newJob(from, to, '', { jobType, srcSchema: '[{"db":"","tables":[{"table":"keyless"}]}]' });
      const findings: Finding[] = (await jobs.open(jobCalls.precheck, request)).body.data;
      return findings.filter(({ table }) => table === 'main.keyless');
    };
    const sentence = expect.stringContaining('Give it a primary key, or a unique index on NOT NULL columns.');
    expect(await ofTable('SYNC')).toMatchObject([{ preCheckType: 'STRUCT_TABLE_PK', result: 'fault', sentence }]);
    expect(await ofTable('MIGRATION')).toMatchObject([{ result: 'warning', sentence }]);
  } finally {
    await close();
  }
});
