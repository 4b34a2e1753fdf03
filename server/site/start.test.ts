import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import request from 'supertest';
import { expect, onTestFinished, test } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { readSiteConfig } from '../config/site.ts';
import { startUpstream } from '../testing/upstream.ts';
import { start, stopTimes } from './start.ts';

// The built site in this process; `npm test` builds before.

async function startSite(times: Partial<typeof stopTimes>, host = '127.0.0.1') {
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-start-'));
  const upstream = await startUpstream();
  onTestFinished(async () => {
    await upstream.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const config = readSiteConfig({ DATA_DIR: dataDir, API_BASE_URL: upstream.url, HOST: host, PORT: '0' });
  const logged: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (text: string) => logged.push(JSON.parse(text)) });
  const site = await start(config, log, { ...stopTimes, announceMs: 0, ...times });
  return { site, upstream, logged };
}

test('a stop fits into the 10 s that container platforms allow', () => {
  const { announceMs, acceptMs, lastCallMs, cutOffMs, closeMs } = stopTimes;
  expect(announceMs + acceptMs).toBeLessThan(lastCallMs);
  expect(lastCallMs).toBeLessThan(cutOffMs);
  // The log may need the last second.
  expect(cutOffMs + closeMs).toBeLessThan(9_000);
});

// A container may lack IPv6.
const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === '::1'));

test.each([
  ['0.0.0.0', /^http:\/\/localhost:\d+$/],
  ...(hasIpv6 ? [['::1', /^http:\/\/\[::1\]:\d+$/] as const] : []),
] as const)('the address that is logged for %s can be opened', async (host, address) => {
  const { site, logged } = await startSite({ cutOffMs: 600_000 }, host);
  expect(site.address).toMatch(address);
  expect((await fetch(`${site.address}/readyz`)).status).toBe(200);
  expect(logged).toContainEqual(
    expect.objectContaining({ msg: 'listening', address: site.address, ms: expect.any(Number) }),
  );
  expect(await site.stop(false)).toBe('finished');
});

test('a waiting call gets its last answer before connections are cut', async () => {
  const { site, upstream } = await startSite({ lastCallMs: 1, cutOffMs: 60_000 });
  const arrived = upstream.next();
  const call = request(site.address)
    .post(calls.login)
    .send({ fault: 'silent' })
    .then((answer) => answer);
  await arrived;
  const outcome = site.stop(true);
  const { status, body } = await call;
  expect([status, body.code]).toEqual([503, 'RESTARTING']);
  expect(await outcome).toBe('finished');
});

test('requests that never end are cut off', async () => {
  const { site, upstream } = await startSite({ lastCallMs: 60_000, cutOffMs: 100 });
  const arrived = upstream.next();
  const { port } = new URL(site.address);
  const socket = connect(Number(port), '127.0.0.1');
  const body = '{"fault":"silent"}';
  const head = `POST ${calls.login} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json`;
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await arrived;
  const gone = once(socket, 'close');
  expect(await site.stop(false)).toBe('cut off');
  await gone;
});
