import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder, testLoader, writeFiles } from '../testing/content-folder.ts';
import { keptLog } from '../testing/content-log.ts';
import type { Content } from './content.ts';

const folder = testFolder('included-pages');
const places = ({ faults }: Content) =>
  faults.map(({ file, line, column, rule }) => `${file}:${line}:${column} ${rule}`);

test('a changed included file recompiles its page, on a reload and on a start', async () => {
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
  writeFiles(root, { 'docs/a.md': '# A2\n\n{{#include _b.md}}\n', 'docs/_b.md': 'Both' });
  const both = await loader.reload(['docs/a.md', 'docs/_b.md']);
  expect([shown(both), both.stats.compiled]).toEqual(['Both', 1]);
  await loader.close();

  const again = testLoader(folder, 'changes');
  expect((await again.load()).stats.compiled).toBe(0);
  await again.close();
  writeFiles(root, { 'docs/_b.md': 'After' });
  const next = testLoader(folder, 'changes');
  const last = await next.load();
  expect([shown(last), last.stats.compiled]).toEqual(['After', 1]);
  expect(await last.source('/docs/a', 'https://site.example')).toBe('# A2\n\nAfter\n');
  await next.close();
});

test('a fault in a part is listed once, whether it is a page too, is included twice or is indented', async () => {
  const root = join(folder, 'once');
  writeFiles(root, {
    'docs/a.md':
      '# A\n\n--8<-- "docs/part.md"\n\n!!! note\n\n    --8<-- "docs/part.md"\n\n- List\n\n    --8<-- "docs/_part.md"\n',
    'docs/b.md': '# B\n\n> {{#include _part.md}}\n\n[gone](gone.md) [gone](gone.md)\n',
    'docs/part.md': '# Part\n\nWords ![p](gone.png) [^gone]\n',
    'docs/_part.md': 'See [gone](gone.md).\n',
  });
  const loader = testLoader(folder, 'once');
  expect(places(await loader.load())).toEqual([
    'docs/_part.md:1:9 broken-link',
    'docs/b.md:5:1 broken-link',
    'docs/b.md:5:17 broken-link',
    'docs/part.md:3:7 missing-image',
    'docs/part.md:3:22 footnote',
  ]);
  await loader.close();
});

describe('a symbolic link that replaces a page after the start', () => {
  writeFiles(folder, { 'secret.txt': '# Secret\n', 'secrets/b.md': '# Secret\n' });
  const source = (content: Content, path: string) => content.source(path, 'https://site.example');

  test('is not followed out of the content folder: the page counts as deleted, with one warning', async () => {
    const root = join(folder, 'swapped');
    writeFiles(root, { 'docs/a.md': '# A\n', 'docs/b/b.md': '# B\n', 'docs/c.md': '# C\n' });
    const log = keptLog();
    const loader = testLoader(folder, 'swapped', { log });
    const content = await loader.load();
    for (const path of ['docs/a.md', 'docs/b', 'docs/c.md']) rmSync(join(root, path), { recursive: true });
    symlinkSync(join(folder, 'secret.txt'), join(root, 'docs/a.md'));
    symlinkSync(join(folder, 'secrets'), join(root, 'docs/b'));
    for (const path of ['/docs/a', '/docs/a', '/docs/b/b', '/docs/c'])
      await expect(source(content, path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const sentence = (file: string, problem: string) =>
      `content: ${file}:1:1 The file ${file} could not be compiled: it ${problem}. It will be tried again.`;
    expect(log.warnings).toEqual([
      sentence('docs/a.md', 'points outside the content folder'),
      sentence('docs/b/b.md', 'points outside the content folder'),
      sentence('docs/c.md', 'no longer exists'),
    ]);
    await loader.close();
  });

  test('is followed inside the content folder', async () => {
    const root = join(folder, 'moved');
    writeFiles(root, { 'docs/a.md': '# A\n', 'shared/a.md': '# A\n\nMore.\n' });
    symlinkSync('../shared/a.md', join(root, 'docs/there.md'));
    const loader = testLoader(folder, 'moved');
    const content = await loader.load();
    rmSync(join(root, 'docs/a.md'));
    symlinkSync('../shared/a.md', join(root, 'docs/a.md'));
    expect([await source(content, '/docs/a'), await source(content, '/docs/there')]).toEqual([
      ...['# A\n\nMore.\n', '# A\n\nMore.\n'],
    ]);
    await loader.close();
  });

  test('does not bring in outside text in place of an included file', async () => {
    const root = join(folder, 'includes');
    writeFiles(root, { 'docs/a.md': '# A\n\n{{#include _b.md}}\n', 'docs/_b.md': 'Part' });
    const loader = testLoader(folder, 'includes');
    const content = await loader.load();
    rmSync(join(root, 'docs/_b.md'));
    symlinkSync(join(folder, 'secret.txt'), join(root, 'docs/_b.md'));
    expect(await source(content, '/docs/a')).toBe('# A\n\n\n');
    await loader.close();
  });
});

test('the source of a rejected page is served as written, without resolving its links', async () => {
  const text = `# A\n\n[b](b.md)\n\n${']'.repeat(30_000)}\n`;
  writeFiles(join(folder, 'cut'), { 'docs/a.md': text });
  const loader = testLoader(folder, 'cut');
  const content = await loader.load();
  expect(content.docs.get('/docs/a')?.broken).toHaveLength(1);
  expect(await content.source('/docs/a', 'https://site.example')).toBe(text);
  await loader.close();
});

test('a page too large with its includes is rejected, and recompiled when one changes', async () => {
  const root = join(folder, 'large');
  writeFiles(root, {
    'docs/bytes.md': `${'x '.repeat(50_000)}\n{{#include _bytes.md}}\n`,
    'docs/_bytes.md': 'y '.repeat(480_000),
    'docs/draft.md': `---\ndraft: true\n---\n${'x\n'.repeat(2_000)}{{#include _lines.md}}\n`,
    'docs/lines.md': `---\ntitle: L\n---\n${'x\n'.repeat(2_000)}{{#include _lines.md}}\n`,
    'docs/_lines.md': 'y\n'.repeat(19_000),
  });
  const loader = testLoader(folder, 'large');
  const content = await loader.load();
  expect([...content.docs.values()].map(({ broken }) => broken)).toEqual([
    ['The file docs/bytes.md with its included files is 1.1 MB; at most 1 MB is allowed. Split it.'],
    ['The file docs/lines.md with its included files has 21004 lines; at most 20000 are allowed. Split it.'],
  ]);
  expect(content.docs.get('/docs/lines')?.title).toBe('L');
  writeFiles(root, { 'docs/_bytes.md': 'y', 'docs/_lines.md': 'y' });
  const next = await loader.reload(['docs/_bytes.md', 'docs/_lines.md']);
  expect([...next.docs.values()].map(({ broken }) => broken)).toEqual([undefined, undefined]);
  await loader.close();
});

test('included parts are not pages, and their faults and links belong to their own files', async () => {
  writeFiles(join(folder, 'parts'), {
    'docs/a/page.mdx': 'import Part from "../_shared/_part.mdx";\n\n# Page\n\n<Part />\n\n[self](other.md)\n',
    'docs/a/other.md': '# Other\n\n{{#include ../_shared/text.md}}\n',
    'docs/_shared/_part.mdx':
      '## Part\n\n[other](../a/other.md) [gone](gone.md) <Odd />\n\n[from](../a/other.md?from=https://b.example)\n',
    'docs/_shared/text.md': '[page](page.mdx) <odd>\n',
    'docs/b/_index.md': '# B\n',
    'blog/_posts/2024-01-02-first.md': '---\ntitle: First\ntags: [t]\nauthors: [desk]\n---\nText',
  });
  const loader = testLoader(folder, 'parts');
  const content = await loader.load();
  expect([...content.docs.keys()]).toEqual(['/docs/a/other', '/docs/a/page', '/docs/b']);
  expect([...content.posts.keys()]).toEqual(['/blog/first']);
  const page = JSON.stringify(content.body('/docs/a/page').tree);
  expect(page).toContain('"href":"/docs/a/other"');
  expect(page).toContain('"href":"/docs/a/other?from=https://b.example"');
  expect(JSON.stringify(content.body('/docs/a/other').tree)).toContain('"href":"/docs/a/page"');
  expect(places(content)).toEqual([
    'docs/_shared/_part.mdx:3:24 broken-link',
    'docs/_shared/_part.mdx:3:40 unknown-component',
    'docs/_shared/text.md:1:18 unknown-component',
  ]);
  await loader.close();
});

test('the markdown view leads to the same targets as the page', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"></svg>';
  writeFiles(join(folder, 'views'), {
    'docs/a/page.mdx':
      '---\ntitle: Page\n---\n\nimport Part from "../b/_part.mdx";\n\n[own](same.md)\n\n<Part />\n\n[both]\n\n[last](same.md)\n',
    'docs/a/same.md': '# A\n',
    'docs/a/headed.md': '# Headed\n\n<!--@include: ../b/_part.mdx-->\n\n[both]\n',
    'docs/b/_part.mdx':
      '---\ntitle: Part\n---\n[same](same.md "same.md") and [self](same.md?x=1#y)\n\n![p](p.svg) [out](https://b.example/p.svg)\n\n[both]: same.md\n',
    'docs/b/same.md': '# B\n\n## Y\n',
    'docs/b/p.svg': svg,
  });
  const loader = testLoader(folder, 'views');
  const content = await loader.load();
  expect(content.faults).toEqual([]);
  for (const path of ['/docs/a/page', '/docs/a/headed']) {
    const shown = [...JSON.stringify(content.body(path).tree).matchAll(/"(?:href|src)":"([^"]*)"/g)].map(
      ([, address = '']) => new URL(address, 'https://site.example').href,
    );
    const source = await content.source(path, 'https://site.example');
    const written = [...source.matchAll(/(?:\]\(|\]: )([^\s)]+)/g)].map(([, address]) => address);
    expect([path, written.toSorted()]).toEqual([path, shown.toSorted()]);
    expect(source).toContain('[same](https://site.example/docs/b/same "same.md")');
  }
  await loader.close();
});

test('an unclosed block is reported in the included file, even if the page closes it', async () => {
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
