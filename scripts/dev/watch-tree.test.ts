import { mkdir, mkdtemp, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as plain } from 'vitest';
import { watchTree } from './watch-tree.ts';

// What a saved file leaves for the development server to read.

const test = plain.extend('folder', async ({ task: _ }, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-watched-'));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'docs'));
  await writeFile(join(folder, 'docs/page.md'), '# Page\n');
  return folder;
});

test('files that editors leave beside a page are not changes', async ({ folder, onTestFinished }) => {
  const tree = watchTree(folder);
  onTestFinished(() => tree.close());
  const docs = (name: string) => join(folder, 'docs', name);
  const names = [
    'page.md~',
    '#page.md#',
    '4913',
    '.page.md.swp',
    'page.md.swp',
    '.goutputstream-ABC',
    'page.md___jb_tmp___',
  ];
  for (const name of names) await writeFile(docs(name), 'Left\n');
  // Emacs' lock is a link to a name.
  await symlink('writer@machine.123:1700000000', docs('.#page.md'));
  expect(tree.changes()).toEqual([]);
  await rm(docs('.#page.md'));
  expect(tree.changes()).toEqual([]);
  for (const name of ['#1.md', '49131.png', 'a~b.md']) await writeFile(docs(name), 'Kept\n');
  await mkdir(docs('old~'));
  await writeFile(docs('old~/b.md'), '# In a folder\n');
  expect(
    tree
      .changes()
      .map(({ file }) => file)
      .toSorted(),
  ).toEqual(['docs/#1.md', 'docs/49131.png', 'docs/a~b.md', 'docs/old~/b.md']);
});

test('a page is one change however its editor writes it', async ({ folder, onTestFinished }) => {
  const tree = watchTree(folder);
  onTestFinished(() => tree.close());
  const page = join(folder, 'docs/page.md');
  const changed = [{ file: 'docs/page.md', isLink: false }];
  await truncate(page);
  await writeFile(page, '# Page\n\nTruncated first.\n');
  expect(tree.changes()).toEqual(changed);
  await rename(page, `${page}~`);
  await writeFile(page, '# Page\n\nMoved away first.\n');
  expect(tree.changes()).toEqual(changed);
  await writeFile(`${page}~`, '# Page\n\nWritten beside it.\n');
  await rename(`${page}~`, page);
  expect(tree.changes()).toEqual(changed);
  await rm(page);
  expect(tree.changes()).toEqual(changed);
  expect(tree.changes()).toEqual([]);
});
