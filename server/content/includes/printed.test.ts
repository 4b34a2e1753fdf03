import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, testLoader, writeFiles } from '../../testing/content-folder.ts';
import { outline } from '../../testing/outline.ts';

const folder = testFolder('printed');
const table = (cell: string) => `| Setting | Means |\n| --- | --- |\n| \`a\` | ${cell} |`;
const prints = (cell: string) =>
  new Map([
    ['params one.source', table(cell)],
    ['params two.target', table('of another')],
  ]);
const page = [
  '# A',
  '',
  'Before',
  '::params{of=one.source}',
  'after, and `::params{of=two.target}` in a line.',
  '',
  '> ::params{of=one.source}',
  '',
  '```text',
  '::params{of=one.source}',
  '```',
  '',
].join('\n');

test('a mark becomes the table printed from code, on the page and in its markdown', async () => {
  writeFiles(join(folder, 'shown'), { 'docs/a.md': page });
  const loader = testLoader(folder, 'shown', { prints: prints('first') });
  const content = await loader.load();
  expect(content.faults).toEqual([]);
  await expect(outline(content.body('/docs/a').tree, '')).toMatchFileSnapshot(join(import.meta.dirname, 'printed.txt'));
  expect(await content.source('/docs/a', 'https://site.example')).toContain(`Before\n\n${table('first')}\n\nafter`);
  await loader.close();
});

test('a changed printed table recompiles the pages that show it, and no others', async () => {
  writeFiles(join(folder, 'changes'), { 'docs/a.md': page, 'docs/b.md': '# B\n\nNothing printed.\n' });
  const started = async (cell: string) => {
    const loader = testLoader(folder, 'changes', { prints: prints(cell) });
    const content = await loader.load();
    const { text } = content.body('/docs/a');
    await loader.close();
    return { compiled: content.stats.compiled, text, version: content.version };
  };
  const first = await started('old');
  expect([first.compiled, first.text.includes('old')]).toEqual([2, true]);
  expect(await started('old')).toEqual({ ...first, compiled: 0 });
  const changed = await started('new');
  expect([changed.compiled, changed.text.includes('new'), changed.text.includes('old')]).toEqual([1, true, false]);
  expect(changed.version).not.toBe(first.version);
});

test('a printed table that makes the page too large is reported and not included', async () => {
  writeFiles(join(folder, 'much'), { 'docs/a.md': '# A\n\n::params{of=one.source}\n\n::params{of=one.source}\n' });
  const loader = testLoader(folder, 'much', { prints: prints('x'.repeat(600_000)) });
  const content = await loader.load();
  expect(content.faults.map(({ line, rule, message }) => `${line} ${rule} ${message}`)).toEqual([
    '5 missing-include The output of ::params{of=one.source} is not included: it makes the page too large.',
  ]);
  await loader.close();
});

test('an unknown mark is reported at its position, also in an included file, and shown as written', async () => {
  writeFiles(join(folder, 'faults'), {
    'docs/a.md':
      '# A\n\n::params{of=three.source}\n\n{{#include _part.md}}\n\n::param{of=one.source}\n\n::params{off=one.source}\n\n::note\n',
    'docs/mdc.md': '# B\n\n::card{title="x"}\nText\n::\n',
    'docs/_part.md': 'Part\n\n::params{of=one}\n',
  });
  const loader = testLoader(folder, 'faults', { prints: prints('first') });
  const content = await loader.load();
  const told = content.faults.map(({ file, line, column, rule, message }) => [file, line, column, rule, message]);
  expect(told).toEqual([
    ['docs/_part.md', 3, 1, 'unknown-print', '::params has no table “one”: it has one.source, two.target.'],
    ['docs/a.md', 3, 1, 'unknown-print', '::params has no table “three.source”: it has one.source, two.target.'],
    [
      ...['docs/a.md', 7, 1, 'unknown-print'],
      '::param is unknown and is shown as written. Tables are printed by ::params.',
    ],
    [
      ...['docs/a.md', 9, 1, 'unknown-print'],
      '::params names no table: write ::params{of=…} with one of one.source, two.target.',
    ],
  ]);
  const { text } = content.body('/docs/a');
  for (const mark of ['::params{of=three.source}', '::params{of=one}', '::param{of=one.source}', '::note'])
    expect(text).toContain(mark);
  await loader.close();
});

test("the authors' guide names every kind of mark", async () => {
  const { documentPrints } = await import('../../jobs/printed/document-prints.ts');
  const guide = readFileSync(join(import.meta.dirname, '../../../content/README.md'), 'utf8');
  const missing = [...documentPrints().keys()]
    .map((key) => key.replace(/ .*/, ''))
    .filter((name) => !guide.includes(`::${name}{of=`));
  expect(missing).toEqual([]);
});
