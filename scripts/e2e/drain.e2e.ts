import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../client/contract/calls.ts';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { askUntilClosed } from '../../server/testing/ask-until-closed.ts';
import { bareEnv } from '../../server/testing/bare-env.ts';
import { beginCall } from '../../server/testing/begin-call.ts';
import { testedProgram } from '../../server/testing/tested-program.ts';
import { startUpstream, type Upstream } from '../../server/testing/upstream.ts';
import { newAccount } from './console/account.ts';
import { type RunningSite, startSite } from './site.ts';

let upstream: Upstream;
let dataDir: string;

beforeAll(async () => {
  upstream = await startUpstream();
  dataDir = await mkdtemp(join(tmpdir(), 'millrace-drain-'));
});

afterAll(async () => {
  await upstream.close();
  await rm(dataDir, { recursive: true, force: true });
});

const portOf = (url: string) => Number(new URL(url).port);

test('SIGTERM under load leaves no started request unanswered', async () => {
  for (let round = 0; round < 5; round += 1) {
    const site = await startSite({ dataDir, env: { API_BASE_URL: upstream.url } });
    const port = portOf(site.url);
    const arrived = upstream.next();
    const slow = fetch(`${site.url}/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    await arrived;
    const clients = Array.from({ length: 20 }, (_, index) => askUntilClosed(port, index % 2 ? '/why' : '/nowhere'));
    // The signal must arrive while requests are running.
    await Promise.all(clients.map(({ first }) => first));
    const code = once(site.process, 'exit');
    site.process.kill('SIGTERM');
    const results = await Promise.all(clients.map(({ closed }) => closed));
    expect(results.filter(({ unanswered }) => unanswered)).toEqual([]);
    expect((await slow).status).toBe(200);
    expect((await code)[0]).toBe(0);
    await site.stop();
    expect(site.output()).toContain('"outcome":"finished"');
  }
});

test('a hanging stop exits with an error within the time that container platforms allow', async () => {
  const site = await startSite({ dataDir });
  onTestFinished(async () => void (await site.stop()));
  const backend = /"url":"(http:[^"]+)"/.exec(site.output())?.[1] ?? '';
  // In sequence, site and backend would wait for them longer than that.
  const begun = [await beginCall(portOf(site.url), calls.listCountry)];
  const code = once(site.process, 'exit');
  site.process.kill('SIGTERM');
  // Not before: the backend refuses a call that takes too long, and must still be waiting for it then.
  begun.push(await beginCall(portOf(backend), calls.listCountry));
  expect((await code)[0]).toBe(1);
  await site.stop();
  expect(site.output()).toContain('Stopping took too long.');
  for (const { leave } of begun) leave();
});

test('a signal during the start stops the process cleanly', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'millrace-signal-'));
  // The compiled-content cache is created early in the start; it is watched from now on, since the start is quick.
  const watching = new AbortController();
  const made = watch(empty, { signal: watching.signal })[Symbol.asyncIterator]().next();
  const child = spawn(process.execPath, [testedProgram('main')], {
    env: {
      ...bareEnv(),
      ...{ DATA_DIR: empty, PORT: '0', CONSOLE_PORT: '0', HOST: '127.0.0.1' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  const ended = once(child, 'close');
  await made;
  watching.abort();
  child.kill('SIGTERM');
  // A process killed by the signal itself has no exit code.
  expect(await ended).toEqual([0, null]);
  expect(output).toContain('"signal":"SIGTERM"');
  await rm(empty, { recursive: true, force: true });
});

test('a port in use is reported in one clear sentence', async () => {
  const port = new URL(upstream.url).port;
  await expect(startSite({ dataDir, env: { PORT: port } })).rejects.toThrow(
    `Port ${port} is in use by another program`,
  );
});

const jobDetail = z.object({ job: z.object({ currTaskStatus: z.string() }) });
const countRow = z.object({ n: z.number() });

/** Page views in the store of a stopped site. */
function storedViews({ dataDir }: RunningSite): number {
  const store = new DatabaseSync(join(dataDir, 'console.sqlite'), { readOnly: true });
  try {
    return countRow.parse(store.prepare("SELECT count(*) AS n FROM page_view WHERE uri = '/drained'").get()).n;
  } finally {
    store.close();
  }
}

test('SIGTERM under load, while a job runs, leaves no console call unanswered', async () => {
  const site = await startSite({ dataDir, env: { ALLOW_PLAIN_PASSWORD: 'on' } });
  onTestFinished(async () => void (await site.stop()));
  const account = await newAccount(site, 'ada@site.example');
  const { jobId } = await account.ask(jobCalls.createPractice, z.object({ jobId: z.number() }));
  const status = async () => (await account.ask(jobCalls.jobDetail, jobDetail, { jobId })).job.currTaskStatus;
  await expect.poll(status).toBe('RUNNING');
  const live = await fetch(site.url + jobCalls.jobEvents, { headers: { Authorization: `Bearer ${account.token}` } });
  const events = live.text();
  const port = portOf(site.url);
  const repeat = (path: string, body?: string) => Array.from({ length: 5 }, () => askUntilClosed(port, path, body));
  const pages = [...repeat('/why'), ...repeat('/docs/intro/product_intro')];
  const countries = repeat(calls.listCountry, '{}');
  const views = repeat(calls.addViewLog, '{"uri":"/drained"}');
  const clients = [...pages, ...countries, ...views];
  await Promise.all(clients.map(({ first }) => first));
  const begun = await beginCall(port, calls.listCountry);
  const code = once(site.process, 'exit');
  site.process.kill('SIGTERM');
  const [ofPages, ofCountries, ofViews] = await Promise.all(
    [pages, countries, views].map((some) => Promise.all(some.map(({ closed }) => closed))),
  );
  for (const [results = [], answer] of [
    [ofPages, '200'],
    [ofCountries, '200'],
    [ofViews, '204'],
  ] as const) {
    expect(results.filter(({ unanswered }) => unanswered)).toEqual([]);
    expect(new Set(results.flatMap(({ statuses }) => [...statuses]))).toEqual(new Set([answer]));
  }
  // No new connections are accepted, but the backend is still there.
  expect(await begun.finish()).toMatch(/^HTTP\/1.1 200 .*"success":true/s);
  expect(await events).toMatch(/^event: jobs$/m);
  expect((await code)[0]).toBe(0);
  await site.stop();
  expect(site.output()).toContain('"outcome":"finished"');
  expect(storedViews(site)).toBe(ofViews?.reduce((sum, { answers }) => sum + answers, 0));
});
