import { beforeAll, expect, test } from 'vitest';
import { testBrand } from '../testing/markdown-trees.ts';
import { type Compile, createCompiler } from './compile.ts';
import { textOf } from './plugins/plain-text.ts';

let compile: Compile;
beforeAll(async () => {
  compile = await createCompiler(testBrand);
});

const page = (source: string, file = 'docs/a.md') => compile({ file, kind: 'doc', source });

test('only known names are directives', async () => {
  const source = 'redis:alpine, localhost:8111, 10:30am, :smile:\n\n::foo\n\n:::unknown[Label]\nInside\n:::\n';
  const { body } = await page(source);
  expect(textOf(body.tree)).toBe('redis:alpine, localhost:8111, 10:30am, 😄\n::foo\nLabel\nInside');
});

test('styles, scripts and event handlers are removed; allowed HTML stays', async () => {
  const source =
    '<p style="color:red" onclick="x()">a<br>b<sup>2</sup></p>\n<script>x()</script>\n\n| a |\n|--:|\n| `x`<br>y |\n\n[j](javascript:x)';
  const { body } = await page(source);
  const json = JSON.stringify(body.tree);
  expect(json).not.toMatch(/style|onclick|script|x\(\)/i);
  expect(json).toContain('"tagName":"sup"');
  expect(json).toContain('align-right');
});

test('footnotes link to their notes and back', async () => {
  const { body, facts } = await page('Text[^1].\n\n[^1]: Note.');
  const json = JSON.stringify(body.tree);
  for (const id of ['user-content-fn-1', 'user-content-fnref-1']) {
    expect(json).toContain(`"id":"${id}"`);
    expect(json).toContain(`"href":"#${id}"`);
  }
  expect(facts.ids).toContain('user-content-fn-1');
  expect(facts.references).toEqual([]);
});

test.each(['[a@b.example]', '[https://b.example]', '[WWW.b.example]', '*[a@b.example]*'])(
  'a bare address becomes a link in every block, but not within a link: %s',
  async (written) => {
    const blocks = [
      `Text\n\n## ${written}`,
      `> - ${written}`,
      `| a |\n|---|\n| ${written} |`,
      `b[^1]\n\n[^1]: ${written}`,
      `Term\n: ${written}`,
    ];
    for (const block of ['Nothing', ...blocks]) {
      const { body } = await page(`${block}\n\n[*${written}*](/a)\n`);
      const count = JSON.stringify(body.tree).match(/"href":"(?:mailto|https?):[^"]+"/g)?.length ?? 0;
      expect([block, count]).toEqual([block, block === 'Nothing' ? 0 : 1]);
    }
  },
);

test('positions refer to the file, after front matter and in MDX', async () => {
  const { facts } = await page(
    '---\ntitle: T\n---\nimport A from \'a\'\n\n<Tabs>\n<TabItem label="x">\n\n[a](b.md)\n\n</TabItem>\n</Tabs>\n',
  );
  expect(facts.references).toEqual([{ kind: 'link', href: 'b.md', line: 9, column: 1 }]);
});

test('a hard-coded brand name in front matter is reported at its position', async () => {
  const { facts } = await page('---\nsidebar: false\ntitle: T\ndescription: What Testmill does\n---\n');
  expect(facts.faults).toEqual([expect.objectContaining({ rule: 'brand-name', line: 4, column: 14 })]);
});

test('heading ids are the same for every brand', async () => {
  const { body } = await page('# Title\n\n## What :brand does');
  expect(body.toc).toEqual([{ depth: 2, id: 'what-brand-does', text: 'What Testmill does' }]);
});

test('excessive nesting is reported', async () => {
  const sentence = 'The file docs/a.md nests its blocks too deeply';
  expect((await page('> '.repeat(2000))).broken).toEqual([`${sentence} in line 1.`]);
  expect((await page('<span>'.repeat(20_000))).broken).toEqual([`${sentence}.`]);
});

const opened = (...ends: string[]) => ends.map((end) => `${end} is never closed, so it contains everything after it`);
test.each([
  ['Text\n\n```sql\nselect\n', 3, opened('```')],
  ['- ~~~~\n  a\n  ~~~\n\nText', 1, opened('~~~~')],
  [':::note[A]\nText', 1, opened(':::note')],
  [':::note[A]\nText\n\n:::tip\nText\n:::\n', 4, opened(':::tip')],
  ['::card{title="x"}\nText\n::\n\n::note\nText', 5, opened('::note')],
  ['Text\n\n<!-- hidden\n\n```\ncode\n```', 3, opened('<!--')],
  ['Text\n\n<pre>\nText', 3, opened('<pre>')],
  ['<Tabs>\n<TabItem label="a">\n\nText\n\n</TabItem>\n\nText', 1, ['A tab group begins here and is never closed']],
  ['<Tabs>\n<TabItem label="a">\n\nText\n\n</Tabs>\n', 2, ['A tab begins here and is never closed']],
  ['Text\n\n<details>\n<summary>a</summary>\n\nText', 3, ['A collapsible block begins here and is never closed']],
  ['```sql\na\n```\n\n- ```\n  a\n  ```\n\n> ~~~\n> ~~~\n\n~~~~\n~~~\n~~~~~', 0, []],
  ['::::tabs\n:::tab[A]\nx\n:::\n::::\n\n> :::note\n> a\n> :::\n\n<!-- x --> y\n\n<!--\n\n-->\n', 0, []],
  ['<Tabs>\n<TabItem label="a">\n\n<details>x</details> <Details />\n\n</TabItem>\n</Tabs>', 0, []],
])('%j: an unclosed block is reported where it opens', async (source, line, sentences) => {
  const { facts } = await page(`---\ntitle: T\n---\n${source}`);
  expect(facts.faults.map((fault) => [fault.rule, fault.line, fault.message])).toEqual(
    sentences.map((sentence) => ['unclosed', line + 3, expect.stringContaining(sentence)]),
  );
});
