import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askUntilClosed } from '../../server/testing/ask-until-closed.ts';
import { bareEnv } from '../../server/testing/bare-env.ts';
import { startUpstream, type Upstream } from '../../server/testing/upstream.ts';
import { startSite } from './site.ts';

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

test('SIGTERM under load leaves no started request without its answer', { timeout: 240_000 }, async () => {
  for (let round = 0; round < 5; round += 1) {
    const site = await startSite({ dataDir, env: { API_BASE_URL: upstream.url } });
    const port = Number(new URL(site.url).port);
    const arrived = upstream.next();
    const slow = fetch(`${site.url}/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    await arrived;
    const clients = Array.from({ length: 20 }, (_, index) => askUntilClosed(port, index % 2 ? '/why' : '/nowhere'));
    // The signal must meet work under way.
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

test('a signal during the start ends the process in order', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'millrace-signal-'));
  // The cache of compiled content is made early in the start; watched for from now on, since the start is quick.
  const watching = new AbortController();
  const made = watch(empty, { signal: watching.signal })[Symbol.asyncIterator]().next();
  const child = spawn(process.execPath, ['server/main.ts'], {
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
  // A process that the signal ended by itself has no code.
  expect(await ended).toEqual([0, null]);
  expect(output).toContain('"signal":"SIGTERM"');
  await rm(empty, { recursive: true, force: true });
});

test('a port in use is one clear sentence', async () => {
  const port = new URL(upstream.url).port;
  await expect(startSite({ dataDir, env: { PORT: port } })).rejects.toThrow(
    `Port ${port} is in use by another program`,
  );
});
