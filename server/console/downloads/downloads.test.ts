import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { calls } from '../../../client/contract/calls.ts';
import { openTestConsole, type TestConsole } from '../../testing/console.ts';
import { newcomer } from '../../testing/newcomer.ts';
import { runDueTasks } from '../tasks/run-tasks.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';

let backend: TestConsole;
let token: string;
const bytes = Buffer.alloc(5000, 'abc');

beforeEach(async () => {
  backend = await openTestConsole();
  ({ token } = await newcomer(backend, 'ada@site.example'));
  return () => backend.close();
});

const list = async () =>
  (await backend.post(calls.listDownloadProduct, { orderProductType: 'ENTERPRISE' }, { token })).body.data;
const put = (folder: string, name: string) => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes);
};

test("the operator's packages are offered, or those of the build if there are none", async () => {
  expect(await list()).toEqual([]);
  put(backend.services.builtDownloads, 'millrace-0.2.0-source-any.tar.gz');
  expect(await list()).toMatchObject([{ productType: 'millrace-0.2.0-source-any', deployTypeName: 'Source' }]);
  const own = join(backend.services.config.dataDir, 'downloads');
  put(own, 'millrace-0.10.0-docker-x64.tar.gz');
  put(own, 'millrace-0.9.0-docker-arm64.tar.gz');
  put(own, 'notes.txt');
  expect((await list()).map(({ version, cpuArchName }: Record<string, string>) => [version, cpuArchName])).toEqual([
    ['0.10.0', 'x86-64'],
    ['0.9.0', 'ARM64'],
  ]);
  await list();
  const told = backend.logged.filter(({ msg }) => String(msg).startsWith('a file is not offered for download'));
  expect(told).toMatchObject([{ path: join(own, 'notes.txt') }]);
});

test('a download address works for an hour, serves the promised bytes and resumes from a range', async () => {
  put(join(backend.services.config.dataDir, 'downloads'), 'millrace-0.2.0-docker-x64.tar.gz');
  const wanted = { productType: 'millrace-0.2.0-docker-x64', productVersionType: 'COMMUNITY_VERSION' };
  const { body } = await backend.post(calls.recordAndReturnDownloadUrl, wanted, { token });
  const address = new URL(body.data.downloadUrl.direct);
  expect(body.data.downloadUrl.curl).toContain(address.href);
  const server = http.createServer(backend.listener);
  const got = await request(server)
    .get(address.pathname + address.search)
    .buffer(true)
    .parse(binary);
  expect(createHash('sha256').update(got.body).digest('hex')).toBe(body.data.sha256);
  const rest = await request(server)
    .get(address.pathname + address.search)
    .set('Range', 'bytes=4000-')
    .buffer(true)
    .parse(binary);
  expect([rest.status, rest.body.length]).toEqual([206, 1000]);
  expect((await request(server).get(`${address.pathname.replace('x64', 'arm64')}${address.search}`)).status).toBe(404);
  const noted = await backend.services.database.all(z.object({ version: z.string() }), 'SELECT version FROM download');
  expect(noted).toEqual([{ version: '0.2.0' }]);
  backend.pass(3_600_001);
  expect((await request(server).get(address.pathname + address.search)).status).toBe(404);
});

test('the record of who got which download is kept for a year', async () => {
  put(backend.services.builtDownloads, 'millrace-0.2.0-source-any.tar.gz');
  const { services } = backend;
  const { database, now } = services;
  const ask = () =>
    backend.post(
      calls.recordAndReturnDownloadUrl,
      { productType: 'millrace-0.2.0-source-any', productVersionType: 'COMMUNITY_VERSION' },
      { token },
    );
  const known = () => database.all(z.object({ at: z.number() }), 'SELECT at FROM download');
  await ask();
  backend.pass(3_600_000);
  const second = now();
  await ask();
  await scheduleTask(database, { kind: 'delete-old', key: 'hourly', payload: '', dueAt: second });
  backend.pass(365 * 86_400_000 - 3_600_001);
  await runDueTasks(services);
  expect(await known()).toHaveLength(2);
  backend.pass(3_600_000);
  await runDueTasks(services);
  expect(await known()).toEqual([{ at: second }]);
});

test('a package that is not offered has no address, and one whose file is removed answers 404', async () => {
  const wanted = { productType: 'millrace-0.2.0-docker-x64', productVersionType: 'ENTERPRISE_VERSION' };
  const ask = () => backend.post(calls.recordAndReturnDownloadUrl, wanted, { token });
  const refused = await ask();
  expect([refused.status, refused.body.code]).toEqual([404, 'NO_PACKAGE']);
  const folder = join(backend.services.config.dataDir, 'downloads');
  put(folder, 'millrace-0.2.0-docker-x64.tar.gz');
  const address = new URL((await ask()).body.data.downloadUrl.direct);
  rmSync(folder, { recursive: true });
  const server = http.createServer(backend.listener);
  expect((await request(server).get(address.pathname + address.search)).status).toBe(404);
  expect((await request(server).post(address.pathname + address.search)).status).toBe(405);
});

function binary(res: request.Response, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  res.on('data', (chunk: Buffer) => chunks.push(chunk));
  res.on('end', () => done(null, Buffer.concat(chunks)));
}
