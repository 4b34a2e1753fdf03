import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

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
