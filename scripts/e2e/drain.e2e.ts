import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, watch } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

/** Asks again and again on one connection; resolves when the server has said that it closes, or went without an answer. */
function askUntilClosed(port: number, path: string) {
  const first = Promise.withResolvers<void>();
  const closed = new Promise<{ answers: number; unanswered: boolean }>((resolve) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let answers = 0;
    let text = '';
    let saidClose = false;
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
      if (end < 0 || text.length < end + 4 + length) return;
      answers += 1;
      first.resolve();
      saidClose = /\r\nconnection: close/i.test(text.slice(0, end));
      text = '';
      if (!saidClose) socket.write(request);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve({ answers, unanswered: !saidClose }));
  });
  return { first: first.promise, closed };
}

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
    env: { PATH: process.env.PATH, DATA_DIR: empty, PORT: '0', HOST: '127.0.0.1', NODE_ENV: 'production' },
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
