import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { addSource, newJob, standIn } from '../../server/testing/job-fixtures.ts';
import { openTestJobs, type TestJobs } from '../../server/testing/jobs.ts';
import { openApiClient } from './api-client.ts';
import { callPatiently } from './call-patiently.ts';

const command = join(import.meta.dirname, '../millrace.ts');
let jobs: TestJobs;
let server: http.Server;
let env: Record<string, string>;

beforeAll(async () => {
  jobs = await openTestJobs({ jobs: standIn });
  server = http.createServer(jobs.backend.listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const { accessKey, secret } = (await jobs.open(jobCalls.createApiKey, { name: 'shell' })).body.data;
  env = { MILLRACE_URL: `http://127.0.0.1:${port}`, MILLRACE_KEY: `${accessKey}.${secret}` };
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await jobs.close();
});

/** What a command prints, and its exit code. */
function run(words: readonly string[], changes: Record<string, string> = {}) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [command, ...words],
      { env: { ...process.env, ...env, ...changes } },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

test('a job from its file to its end, as a shell script does it', async () => {
  const file = join(jobs.backend.services.config.dataDir, 'job.yml');
  const request = newJob(await addSource(jobs, 'a.sqlite'), await addSource(jobs, 'b.sqlite'), 'well', {
    // As people write it in YAML.
    srcSchema: [{ db: '', tables: [{ table: 'well' }] }],
    dataJobDesc: 'orders',
    autoStart: false,
  });
  writeFileSync(file, stringify(request));
  const created = await run(['job', 'create', '-f', file]);
  expect(created).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\n$/) });
  const id = created.out.trim();
  await expect
    .poll(async () => (await jobs.open(jobCalls.queryJob, { jobId: id })).body.data.lifeCycleState)
    .toBe('CREATED');
  expect(await run(['job', 'start', 'orders', '--wait'])).toMatchObject({ code: 0 });
  expect(await run(['job', 'status'])).toMatchObject({ code: 0, out: expect.stringMatching(/orders +RUNNING/) });
  expect(await run(['job', 'stop', id, '--wait'])).toMatchObject({ code: 0 });
  expect((await run(['job', 'logs', id])).out).toMatch(/The job was created\.[\s\S]*The job was stopped\./);
  expect(await run(['job', 'stop', id])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Possible now: start'),
  });
});

test('data sources and the check of a job, as a shell script does it', async () => {
  const { dataDir } = jobs.backend.services.config;
  const file = join(dataDir, 'source.yml');
  writeFileSync(file, stringify({ type: 'SQLite', instanceDesc: 'till', settings: { file: 'till.sqlite' } }));
  const added = await run(['source', 'add', '-f', file]);
  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\n$/) });
  const id = Number(added.out);
  expect(await run(['source', 'list'])).toMatchObject({ code: 0, out: expect.stringMatching(/till +SQLite/) });
  expect(await run(['source', 'test', 'till'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The file .*\n$/),
  });
  mkdirSync(join(dataDir, 'files'), { recursive: true });
  new DatabaseSync(join(dataDir, 'files', 'till.sqlite')).exec('CREATE TABLE well (id INTEGER PRIMARY KEY)');
  expect(await run(['source', 'test', 'till'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^passed +source/),
  });
  const job = join(dataDir, 'check.yml');
  const check = async (table: string) => {
    writeFileSync(job, stringify(newJob(id, await addSource(jobs, 'copy.sqlite'), table)));
    return run(['job', 'check', job]);
  };
  expect(await check('nowhere')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^fault +source +main\.nowhere/m),
  });
  expect(await check('well')).toMatchObject({ code: 0, out: expect.stringMatching(/^passed/m) });
  expect(await run(['source', 'delete', 'copy.sqlite'])).toMatchObject({
    code: 1,
    err: '2 data sources are called “copy.sqlite”: use the number of one.\n',
  });
  expect(await run(['source', 'delete', 'till'])).toEqual({ code: 0, out: '', err: '' });
  expect(await run(['source', 'test', 'till'])).toMatchObject({ code: 1, err: 'There is no data source “till”.\n' });
});

test('a deletion that is waited for ends when the job is gone, and names what is in its way otherwise', async () => {
  const request = newJob(await addSource(jobs, 'g.sqlite'), await addSource(jobs, 'h.sqlite'), 'well', {
    dataJobDesc: 'old',
    autoStart: false,
  });
  await jobs.open(jobCalls.createJob, request);
  const listed = async () => (await jobs.open(jobCalls.listJobs, { desc: 'old' })).body.data;
  await expect.poll(async () => (await listed())[0]?.lifeCycleState).toBe('CREATED');
  expect(await run(['job', 'delete', 'old', '--wait'])).toEqual({ code: 0, out: '', err: '' });
  expect(await listed()).toEqual([]);
  expect(await run(['job', 'delete', 'old', '--wait'])).toMatchObject({ code: 1, err: 'There is no job “old”.\n' });
  await jobs.open(jobCalls.createJob, { ...request, dataJobDesc: 'busy', autoStart: true });
  await expect.poll(async () => (await run(['job', 'status', 'busy'])).out).toMatch(/busy +RUNNING/);
  expect(await run(['job', 'delete', 'busy', '--wait'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Possible now: stop, restart.'),
  });
});

test('status says how many tables are blocked, and of one job why', async () => {
  const request = newJob(await addSource(jobs, 'c.sqlite'), await addSource(jobs, 'd.sqlite'), 'blocks', {
    dataJobDesc: 'kept',
  });
  await jobs.open(jobCalls.createJob, request);
  const blocked = /kept +RUNNING +INCRE.* 0\/1 +1 of its tables blocked/;
  await expect.poll(async () => (await run(['job', 'status'])).out).toMatch(blocked);
  expect(await run(['job', 'status', 'kept'])).toMatchObject({
    code: 4,
    out: expect.stringMatching(/main\.blocks {2}blocked {2}Another table\. {2}Resync it\./),
  });
});

/** A server that gives these answers, one to each call: the data of an accepted one, or what it does instead. */
async function standInServer(answers: (object | null | ((res: http.ServerResponse) => void))[]) {
  const listener = http.createServer((_req, res) => {
    const answer = answers.shift() ?? null;
    if (typeof answer === 'function') answer(res);
    else res.end(JSON.stringify({ code: '1', msg: 'ok', data: answer }));
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const address = listener.address();
  return {
    env: { MILLRACE_URL: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` },
    close() {
      listener.closeAllConnections();
      listener.close();
    },
  };
}

const shownJob = {
  dataJobId: 7,
  dataJobName: 'canal7',
  dataJobDesc: 'brief',
  currTaskStatus: 'STOP',
  dataTaskState: 'INCRE',
  haveException: false,
  lagMs: null,
  seenAt: 1,
  fault: null,
  tables: { total: 1, live: 1, done: 0, blocked: 0 },
};

test('a job whose process fails before it reaches both sides was not started, though it runs for a moment', async () => {
  const running = { ...shownJob, currTaskStatus: 'RUNNING' };
  const fault = { sentence: 'No rule admits this user.', hint: 'Add one.' };
  // As a server answers between the fork of the process and its end.
  const brief = await standInServer([[shownJob], null, [running], [{ ...running, currTaskStatus: 'ABNORMAL', fault }]]);
  expect(await run(['job', 'start', 'brief', '--wait'], brief.env)).toMatchObject({
    code: 1,
    err: 'No rule admits this user. Add one.\n',
  });
  brief.close();
});

/** What a server does instead of answering while it is replaced: its store is silent, or nobody is there. */
const silent = (res: http.ServerResponse) => {
  res.writeHead(503).end(JSON.stringify({ code: 'STORE_SILENT', msg: 'The store does not answer.' }));
};
const away = (res: http.ServerResponse) => res.destroy();
const ofProxy = (res: http.ServerResponse) => res.writeHead(502).end('<h1>Bad Gateway</h1>');
const cut = (res: http.ServerResponse) => {
  res.writeHead(200, { 'Content-Length': 99 }).write('{"code":', () => res.destroy());
};

test('--wait and --follow outlast a server that is replaced meanwhile', async () => {
  const started = await standInServer([
    [shownJob],
    null,
    silent,
    away,
    ofProxy,
    cut,
    [{ ...shownJob, currTaskStatus: 'RUNNING', seenAt: 2 }],
  ]);
  expect(await run(['job', 'start', 'brief', '--wait'], started.env)).toEqual({ code: 0, out: '', err: '' });
  started.close();
  const told = (id: number) => ({ id, at: 0, level: 'info', table: null, sentence: `Event ${id}.` });
  const gone = (res: http.ServerResponse) => {
    res.writeHead(498).end(JSON.stringify({ code: '0', msg: 'The key was revoked.' }));
  };
  const followed = await standInServer([
    [shownJob],
    { events: [told(1)], tables: [] },
    silent,
    away,
    { events: [told(2), told(1)], tables: [] },
    gone,
  ]);
  expect(await run(['job', 'logs', 'brief', '--follow'], followed.env)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^\S+ {2}info {2}Event 1\.\n\S+ {2}info {2}Event 2\.\n$/),
    err: 'The key was revoked.\n',
  });
  followed.close();
});

test('a call that changes something is not repeated if the server does not answer', async () => {
  for (const [answer, code] of [
    [silent, 1],
    [away, 3],
  ] as const) {
    const answering = await standInServer([[shownJob], answer, null]);
    expect((await run(['job', 'start', 'brief', '--wait'], answering.env)).code).toBe(code);
    answering.close();
  }
});

test('a server that stays silent is given up with an exit code of its own', async () => {
  const answering = await standInServer([silent, [shownJob], silent]);
  const client = openApiClient({ ...env, ...answering.env });
  // Two minutes take too long here.
  const within = (ms: number) => callPatiently(client, jobCalls.listJobs, {}, performance.now() + ms);
  expect(await within(15_000)).toEqual([shownJob]);
  await expect(within(0)).rejects.toMatchObject({
    exitCode: 5,
    message: 'Given up after two minutes: The store does not answer.',
  });
  answering.close();
});

test('words and flags that would be ignored are refused: the job that they mean may be another one', async () => {
  expect(await run(['job', 'stop', 'orders', 'archive'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^“archive” is too much: put a name that contains spaces in quotes\./),
  });
  expect(await run(['job', 'create', '-f', 'a.yml', 'b.yml'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^“b/),
  });
  expect(await run(['job', 'start', 'orders', '--follow'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^“job start” has no --follow\./),
  });
  expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('Exit codes:') });
});

test('what goes wrong has an exit code each', async () => {
  expect((await run(['job', 'paint'])).code).toBe(2);
  expect((await run(['source', 'constructor'])).code).toBe(2);
  expect(await run(['job', 'create', '-f', 'not-there.yaml'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('not-there.yaml could not be read'),
  });
  expect((await run(['job', 'status', '--wiat'])).code).toBe(2);
  expect((await run(['job', 'status'], { MILLRACE_KEY: '' })).code).toBe(2);
  expect((await run(['job', 'start', 'nothing'])).code).toBe(1);
  expect(await run(['job', 'status'], { MILLRACE_URL: 'http://127.0.0.1:1' })).toMatchObject({
    code: 3,
    err: expect.stringContaining('MILLRACE_URL is the address of the site.'),
  });
});
