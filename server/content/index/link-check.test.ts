import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { testFolder, testLoader, writeFiles } from '../../testing/content-folder.ts';
import type { ContentLoader } from '../loader.ts';

// After an edit, links are checked again wherever the edit affects their target, even if their own files are unchanged.

const folder = testFolder('link-check');
const root = join(folder, 'site');
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"></svg>';
let loader: ContentLoader;

const files = {
  'docs/a.md': '# A\n\n[part](b.md#part)\n',
  'docs/b.md': '# B\n\n## Part\n',
  'docs/c.md': '# C\n\n[by id](named) [by alias](/old) [by address](/docs/moved)\n',
  'docs/d.md': '---\nid: named\naliases: [/old]\nslug: moved\n---\n# D\n',
  'docs/e.md': '# E\n\n![P](p.svg)\n\n[post](../blog/p.md)\n',
  'docs/p.svg': svg,
  'blog/p.md': '---\ntitle: P\ndate: 2024-01-01\ntags: [t]\nauthors: [desk]\n---\nText\n',
};

beforeAll(async () => {
  writeFiles(root, files);
  loader = testLoader(folder, 'site', { production: false });
  await loader.load();
  return () => loader.close();
});

afterEach(async () => {
  writeFiles(root, files);
  await loader.reload(Object.keys(files));
});

async function faultsAfter(files: Record<string, string | undefined>): Promise<string[]> {
  for (const [file, text] of Object.entries(files)) {
    if (text === undefined) rmSync(join(root, file));
    else writeFiles(root, { [file]: text });
  }
  const { faults } = await loader.reload(Object.keys(files));
  return faults.map(({ file, line, rule }) => `${file}:${line} ${rule}`);
}

test('an edit that affects no link reports nothing', async () => {
  expect(await faultsAfter({ 'docs/b.md': '# B\n\n## Part\n\nMore.\n' })).toEqual([]);
});

test('a link to a removed heading is reported until the heading is restored', async () => {
  expect(await faultsAfter({ 'docs/b.md': '# B\n\n## Renamed\n' })).toEqual(['docs/a.md:3 missing-anchor']);
  expect(await faultsAfter({ 'docs/d.md': '---\nid: named\naliases: [/old]\nslug: moved\n---\n# D2\n' })).toEqual([
    'docs/a.md:3 missing-anchor',
  ]);
  expect(await faultsAfter({ 'docs/b.md': '# B\n\n## Part\n' })).toEqual([]);
});

test('a link to a removed page is reported until the page is restored', async () => {
  expect(await faultsAfter({ 'docs/b.md': undefined })).toEqual(['docs/a.md:3 broken-link']);
  expect(await faultsAfter({ 'docs/b.md': '# B\n\n## Part\n' })).toEqual([]);
});

test.each([
  ['id', '---\naliases: [/old]\nslug: moved\n---\n# D\n'],
  ['alias', '---\nid: named\nslug: moved\n---\n# D\n'],
  ['address', '---\nid: named\naliases: [/old]\nslug: other\n---\n# D\n'],
])('a link to a removed %s is reported until it is restored', async (_what, text) => {
  expect(await faultsAfter({ 'docs/d.md': text })).toEqual(['docs/c.md:3 broken-link']);
  expect(await faultsAfter({ 'docs/d.md': '---\nid: named\naliases: [/old]\nslug: moved\n---\n# D\n' })).toEqual([]);
});

test('a removed picture is reported until it is restored', async () => {
  expect(await faultsAfter({ 'docs/p.svg': undefined })).toEqual(['docs/e.md:3 missing-image']);
  expect(await faultsAfter({ 'docs/p.svg': svg })).toEqual([]);
});

test('a link to a postponed post is reported until the post is published', async () => {
  const post = (date: string) => `---\ntitle: P\ndate: ${date}\ntags: [t]\nauthors: [desk]\n---\nText\n`;
  expect(await faultsAfter({ 'blog/p.md': post('2099-01-01') })).toEqual(['docs/e.md:5 broken-link']);
  expect(await faultsAfter({ 'blog/p.md': post('2024-01-01') })).toEqual([]);
});

test('the fault of a broken link disappears with the link', async () => {
  expect(await faultsAfter({ 'docs/a.md': '# A\n\n[gone](gone.md)\n' })).toEqual(['docs/a.md:3 broken-link']);
  expect(await faultsAfter({ 'docs/a.md': '# A\n' })).toEqual([]);
});
