import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, testLoader, writeFiles } from '../testing/content-folder.ts';
import type { Content } from './content.ts';

const folder = testFolder('included-pages');
const places = ({ faults }: Content) =>
  faults.map(({ file, line, column, rule }) => `${file}:${line}:${column} ${rule}`);

test('a page is compiled again when a file that it includes changes: by a reload, and by a start', async () => {
  const root = join(folder, 'changes');
  writeFiles(root, {
    'docs/a.md': '# A\n\n{{#include _b.md}}\n',
    'docs/_b.md': 'Before {{#include ../code/c.txt}}',
    'code/c.txt': 'one',
    'docs/other.md': '# Other\n',
  });
  const loader = testLoader(folder, 'changes', { production: false });
  const shown = (content: Content) => content.body('/docs/a').text;
  const first = await loader.load();
  expect([shown(first), first.stats.compiled]).toEqual(['Before one', 2]);
  writeFiles(root, { 'code/c.txt': 'two' });
  const second = await loader.reload([join(root, 'code/c.txt')]);
  expect([shown(second), second.stats.compiled]).toEqual(['Before two', 1]);
  expect(second.version).not.toBe(first.version);
  rmSync(join(root, 'docs/_b.md'));
  const without = await loader.reload(['docs/_b.md']);
  expect([shown(without), places(without)]).toEqual(['', ['docs/a.md:3:1 missing-include']]);
  writeFiles(root, { 'docs/_b.md': 'Back' });
  const back = await loader.reload(['docs/_b.md']);
  expect([shown(back), places(back)]).toEqual(['Back', []]);
  await loader.close();

  const again = testLoader(folder, 'changes');
  expect((await again.load()).stats.compiled).toBe(0);
  await again.close();
  writeFiles(root, { 'docs/_b.md': 'After' });
  const next = testLoader(folder, 'changes');
  const last = await next.load();
  expect([shown(last), last.stats.compiled]).toEqual(['After', 1]);
  expect(await last.source('/docs/a', 'https://site.example')).toBe('# A\n\nAfter\n');
  await next.close();
});

test('a link that is set in the place of a page since is not followed', async () => {
  const root = join(folder, 'swapped');
  writeFiles(root, { 'docs/a.md': '# A\n' });
  writeFiles(folder, { 'secret.txt': '# Secret\n' });
  const loader = testLoader(folder, 'swapped');
  const content = await loader.load();
  rmSync(join(root, 'docs/a.md'));
  symlinkSync(join(folder, 'secret.txt'), join(root, 'docs/a.md'));
  await expect(content.source('/docs/a', 'https://site.example')).rejects.toThrow('can no longer be read');
  await loader.close();
});

test('parts are no pages, and their faults and links are those of their own files', async () => {
  writeFiles(join(folder, 'parts'), {
    'docs/a/page.mdx': 'import Part from "../_shared/_part.mdx";\n\n# Page\n\n<Part />\n\n[self](other.md)\n',
    'docs/a/other.md': '# Other\n\n{{#include ../_shared/text.md}}\n',
    'docs/_shared/_part.mdx': '## Part\n\n[other](../a/other.md) [gone](gone.md) <Odd />\n',
    'docs/_shared/text.md': '[page](page.mdx) <odd>\n',
    'docs/b/_index.md': '# B\n',
    'blog/_posts/2024-01-02-first.md': '---\ntitle: First\ntags: [t]\nauthors: [desk]\n---\nText',
  });
  const loader = testLoader(folder, 'parts');
  const content = await loader.load();
  expect([...content.docs.keys()]).toEqual(['/docs/a/other', '/docs/a/page', '/docs/b']);
  expect([...content.posts.keys()]).toEqual(['/blog/first']);
  expect(JSON.stringify(content.body('/docs/a/page').tree)).toContain('"href":"/docs/a/other"');
  expect(JSON.stringify(content.body('/docs/a/other').tree)).toContain('"href":"/docs/a/page"');
  expect(places(content)).toEqual([
    'docs/_shared/_part.mdx:3:24 broken-link',
    'docs/_shared/_part.mdx:3:40 unknown-component',
    'docs/_shared/text.md:1:18 unknown-component',
  ]);
  await loader.close();
});

test('what an included file leaves open is told in that file, also where the page has a line that ends it', async () => {
  writeFiles(join(folder, 'open'), {
    'docs/code.md': '# A\n\n{{#include _code.md}}\n\nText\n\n```sql\nselect\n```\n',
    'docs/comment.md': '# B\n\n{{#include _comment.md}}\n\nText\n\n<!-- note -->\n',
    'docs/note.md': '# C\n\n:::tip\n{{#include _note.md}}\n:::\n\n```\n{{#include _whole.md}}\n```\n',
    'docs/_code.md': 'Code\n\n```\nselect\n',
    'docs/_comment.md': '<!-- hidden\n',
    'docs/_note.md': 'Text\n\n:::note\nText\n',
    'docs/_whole.md': 'Text\n',
  });
  const loader = testLoader(folder, 'open');
  expect(places(await loader.load())).toEqual([
    'docs/_code.md:3:1 unclosed',
    'docs/_comment.md:1:1 unclosed',
    'docs/_note.md:3:1 unclosed',
  ]);
  await loader.close();
});
