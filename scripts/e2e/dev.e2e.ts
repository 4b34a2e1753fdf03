import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { freePort } from '../../server/testing/free-port.ts';
import { test as plain } from './browser.ts';
import { eventually, isMarked, mark } from './visitor.ts';

// `npm run dev` with its own content folder: saved changes are shown.

const root = resolve(import.meta.dirname, '../..');
const page1 = '/docs/guide/first';

/** Replaces the production site of the other browser tests. */
const test = plain
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern to know which fixtures are wanted
  .extend('content', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-dev-'));
    onCleanup(() => rm(folder, { recursive: true, force: true }));
    const save = async (file: string, text: string): Promise<void> => {
      const path = join(folder, 'content', file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    };
    await save('docs/guide/first.md', '# First\n\nAs it was.\n');
    return { folder, save };
  })
  .override('siteUrl', { scope: 'file' }, async ({ content }, { onCleanup }) => {
    const port = await freePort();
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, ['scripts/dev.ts'], {
      cwd: root,
      env: {
        ...{ PATH, HOME, HOST: '127.0.0.1', PORT: String(port), CONSOLE_PORT: '0' },
        ...{ CONTENT_DIR: join(content.folder, 'content'), DATA_DIR: join(content.folder, 'data') },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onCleanup(async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    });
    const listening = Promise.withResolvers<void>();
    createInterface(child.stdout).on('line', (line) => line.includes('Development server') && listening.resolve());
    child.once('exit', () => listening.reject(new Error('The development server ended before it listened.')));
    await listening.promise;
    const url = `http://127.0.0.1:${port}`;
    // Vite compiles on the first request, which on a starved machine takes longer than the site's time limit.
    for (let tries = 0; tries < 4 && !(await fetch(url + page1)).ok; tries += 1);
    return url;
  });

test('saved changes and their faults appear in the open page without a reload', async ({ page, content }) => {
  const text = () => page.locator('article').innerText();
  await page.goto(page1, { waitUntil: 'networkidle' });
  await mark(page);
  await content.save('docs/guide/first.md', '# First\n\nAs it is now.\n');
  await eventually(text).toContain('As it is now.');
  await content.save('docs/guide/first.md', '---\ntitle: [open\n---\n\nStill here.\n');
  await eventually(text).toContain('Still here.');
  expect(await text()).toMatch(/To be fixed in docs\/guide\/first\.md\s+2:\d+ /);
  await content.save('docs/guide/first.md', '---\ntitle: Mended\n---\n\nBack again.\n');
  await eventually(text).toContain('Back again.');
  expect(await text()).toContain('Mended');
  expect(await text()).not.toContain('To be fixed');
  await content.save('docs/guide/second.md', '# Second\n');
  await eventually(() => page.locator('.sidebar a[href="/docs/guide/second"]').count()).toBe(1);
  expect(await isMarked(page)).toBe(true);
});

test('a folder that is a link is shown as its new target', async ({ siteUrl, content }) => {
  const text = async () => (await fetch(`${siteUrl}/docs/release/a`)).text();
  const docs = join(content.folder, 'content/docs');
  await content.save('v1/a.md', '# First release\n');
  await content.save('v2/a.md', '# Second release\n');
  await symlink('../v1', join(docs, 'release'));
  await eventually(text).toContain('First release');
  await symlink('../v2', join(docs, 'next'));
  await rename(join(docs, 'next'), join(docs, 'release'));
  await eventually(text).toContain('Second release');
  await content.save('v2/a.md', '# Mended release\n');
  await eventually(text).toContain('Mended release');
});

test('changed server code restarts the server and reloads the open page', async ({ page, content, problems }) => {
  // While it starts, nothing answers.
  problems.allow(/ERR_CONNECTION|ERR_EMPTY_RESPONSE|status (?:of )?503/);
  await page.goto(page1, { waitUntil: 'networkidle' });
  await mark(page);
  await utimes(join(root, 'server/main.ts'), new Date(), new Date());
  await eventually(() => isMarked(page).catch(() => true)).toBe(false);
  await page.waitForLoadState('networkidle');
  // As on the first request, Vite may compile for longer than the site's time limit.
  for (let tries = 0; tries < 4 && (await page.locator('article').count()) === 0; tries += 1)
    await page.reload({ waitUntil: 'networkidle' });
  await content.save('docs/guide/first.md', '# First\n\nAfter the start.\n');
  await eventually(() => page.locator('article').innerText()).toContain('After the start.');
});

test('a port in use ends the process with a clear message', async ({ siteUrl, content }) => {
  const { port } = new URL(siteUrl);
  const { PATH = '', HOME = '' } = process.env;
  for (const [name, ports] of Object.entries({
    PORT: { PORT: port, CONSOLE_PORT: '0' },
    CONSOLE_PORT: { PORT: '0', CONSOLE_PORT: port },
  })) {
    const child = spawn(process.execPath, ['scripts/dev.ts'], {
      cwd: root,
      env: {
        ...{ PATH, HOME, HOST: '127.0.0.1', ...ports },
        ...{ CONTENT_DIR: join(content.folder, 'content'), DATA_DIR: join(content.folder, 'other-data') },
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(told).toMatch(new RegExp(`^Port ${port} is in use by another program: stop it or set ${name} to another`));
    expect(told.trim()).not.toContain('\n');
  }
});
