import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '../..');
const commands = ['account', 'backup', 'invoice', 'licence', 'order', 'page-views', 'restore', 'usage'];

/** The files that the last stage of the Dockerfile copies from the repository, in a folder of their own. */
async function containerFiles(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'container-'));
  const lastStage =
    readFileSync(join(root, 'Dockerfile'), 'utf8')
      .split(/^FROM /m)
      .at(-1) ?? '';
  for (const [, paths = ''] of lastStage.matchAll(/^COPY (?!--from)(.+)$/gm)) {
    const [target = '', ...sources] = paths.split(' ').reverse();
    for (const source of sources) {
      const into = target.endsWith('/') ? join(target, source) : target;
      cpSync(join(root, source), join(folder, into), { recursive: true, filter: (name) => !name.endsWith('.test.ts') });
    }
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

test("the operator's commands run from the container's files", async () => {
  const folder = await containerFiles();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of commands) {
    const { stderr } = spawnSync(process.execPath, [`scripts/operator/${name}.ts`, 'no-such-word', 'nor-this'], {
      cwd: folder,
      env: { DATA_DIR: join(folder, 'data') },
      encoding: 'utf8',
    });
    expect([name, stderr]).toEqual([name, expect.not.stringContaining('MODULE_NOT_FOUND')]);
  }
});

test("the container's health check asks the server itself, at its address and not through a proxy", async () => {
  const [, line = ''] = /^HEALTHCHECK [^[]+CMD (\[.+\])$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
  const [, ...args] = z.array(z.string()).parse(JSON.parse(line));
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:1' };
  const check = async (env: Record<string, string>) => (await once(spawn(process.execPath, args, { env }), 'exit'))[0];
  for (const HOST of ['', '0.0.0.0', '127.0.0.2']) {
    let status = 200;
    const server = createServer((req, res) => res.writeHead(req.url === '/readyz' ? status : 404).end());
    await once(server.listen(0, HOST || '127.0.0.1'), 'listening');
    const env = { ...proxy, HOST, PORT: String((server.address() as AddressInfo).port) };
    expect(await check(env), HOST).toBe(0);
    status = 503;
    expect(await check(env), HOST).toBe(1);
    await once(server.close(), 'close');
    expect(await check(env), HOST).toBe(1);
  }
});
