import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, testLoader, writeFiles } from '../testing/content-folder.ts';
import { textOf } from './plugins/plain-text.ts';

const folder = testFolder('author-mistakes');

/** Every fault of `docs/a.md` beside other files, as `line:column rule`, with the messages. */
async function faultsOf(name: string, text: string, others: Record<string, string> = {}) {
  writeFiles(join(folder, name), { 'docs/a.md': text, ...others });
  const loader = testLoader(folder, name);
  const content = await loader.load();
  await loader.close();
  return {
    places: content.faults.map(({ file, line, column, rule }) => `${file}:${line}:${column} ${rule}`),
    messages: content.faults.map(({ message }) => message),
  };
}

test('what a table leaves out is reported, and so is what only looks like one', async () => {
  const text = [
    ...['---', 'title: T', '---', ''],
    ...['| a | b |', '|---|---|', '| 1 | 2 | 3 |', '| `x | y` | z |', '| 1 |', ''],
    ...['| a | b | c |', '|---|---|', '', '```', '| a | b |', '|---|', '```', '', 'a | b', '', '---'],
  ];
  const { places, messages } = await faultsOf('tables', text.join('\r\n'));
  expect(places).toEqual(['docs/a.md:7:9 table', 'docs/a.md:8:11 table', 'docs/a.md:12:1 table']);
  expect(messages[0]).toMatch(/^This row has 3 cells, but the table has 2 columns/);
});

test('footnotes without text, without a reference and defined twice are reported', async () => {
  const text =
    'A[^1] b[^gone] `[^code]` \\[^no].\n\n[^1]: One\n[^unused]: Text\n[^1]: Two\n\n- In a list[^gone too]\n  and[^far]\n';
  const { places, messages } = await faultsOf('footnotes', text);
  expect(places).toEqual(
    ['docs/a.md:1:8', 'docs/a.md:4:1', 'docs/a.md:5:1', 'docs/a.md:8:6'].map((at) => `${at} footnote`),
  );
  expect(messages[0]).toBe('There is no footnote gone: add a line [^gone]: with its text.');
});

test('a footnote to which only footnotes refer that are not shown is reported', async () => {
  const text = [
    ...['A[^1]', '', '[^src]: Source: manual.', 'The limit is 100 rows, see the source.[^src]', '', '[^1]: See[^2]'],
    ...['', '[^2]: Two[^1]', '', '[^a]: See[^b]', '', '[^b]: See[^a]'],
  ];
  const { places, messages } = await faultsOf('footnote-chains', text.join('\n'));
  expect(places).toEqual([3, 10, 12].map((line) => `docs/a.md:${line}:1 footnote`));
  expect(messages[0]).toBe('No text refers to this footnote by [^src], so it is not shown.');
});

test('links that are not read as links, and links that lead nowhere by their scheme, are reported', async () => {
  const text = [
    'See [the file](my file.md), ![a picture](my picture.png#x) and [a note](a.md "title").',
    '`[code](my file.md)` [words](and other words) [right](<my file.md>)',
    '[typo](htp://example.com) [call](tel:+491234) <a href="localhost:3000/x">x</a> ![in](data:image/png;base64,AAAA)',
  ];
  const { places, messages } = await faultsOf('links', text.join('\n'), { 'docs/my file.md': '# My file\n' });
  expect(places).toEqual([
    ...['docs/a.md:1:5 mistaken-text', 'docs/a.md:1:29 mistaken-text', 'docs/a.md:3:1 broken-link'],
    ...['docs/a.md:3:47 broken-link', 'docs/a.md:3:80 missing-image'],
  ]);
  expect(messages[2]).toBe('The link begins with htp:, which is not allowed: only its text is shown.');
});

test('links whose label no line defines are reported, and brackets that are text are not', async () => {
  const text = [
    'See [the guide][guide], [`code`][gone] and [here][there], `[some words][no]`, [other\nwords][lost].',
    '',
    '| a | **[In a cell][cell]** |\n|---|---|\n| b[i][j] | \\[not this][guide] |\n\n## Heading [picture][]',
    '',
    '[there]: https://example.com',
  ];
  const prose =
    'The value list[index][name], [a][b], [0][1], [words](https://example.com)[next] and [^1][^1].\n\n[^1]: Note\n';
  const { places, messages } = await faultsOf('labels', text.join('\n'), {
    'docs/prose.md': `${prose}\n[string][] and [two words][label]\n`,
  });
  expect(places).toEqual(
    ['a.md:1:5', 'a.md:1:25', 'a.md:1:79', 'a.md:4:9', 'a.md:8:12', 'prose.md:5:16'].map(
      (at) => `docs/${at} mistaken-text`,
    ),
  );
  expect(messages[1]).toBe('This is not read as a link: no line defines it. Add [gone]: and its address.');
});

test('a heading without a space after its marks is reported', async () => {
  const text = '##Set up\n\nText\n> ###2. 中文\n\n## Right\n\n#tag ##\n\n```\n##code\n```\n\n`##code`\n';
  const { places, messages } = await faultsOf('crowded-headings', text);
  expect(places).toEqual([1, 4].map((line) => `docs/a.md:${line}:1 mistaken-text`));
  expect(messages[1]).toBe('This is not read as a heading: write a space after ###.');
});

test('markers with a no-break space, and other formats, are reported', async () => {
  const text = '#\u00A0Title\n\n-\u00A0item\n\n1.\u00A0item\n\na -\u00A0b\n\n!!! note\nText\n\n.. note::\n';
  const { places } = await faultsOf('blanks', text, {
    'docs/b.md': '= Title\n\nText\n',
    'docs/c.adoc': '= Title\n',
    'docs/_part.rst': 'part\n',
    'blog/2024/_index.md': '---\ntitle: 2024\n---\n',
  });
  expect(places).toEqual([
    'blog/2024/_index.md:1:1 left-out',
    ...[1, 3, 5, 9, 12].map((line) => `docs/a.md:${line}:1 mistaken-text`),
    ...['docs/b.md:1:1 mistaken-text', 'docs/c.adoc:1:1 left-out'],
  ]);
});

test('blocks of MkDocs in a quotation are reported', async () => {
  const text = [
    ...[
      '> !!! note "T"',
      '>     text',
      '',
      '- > > ??? warning',
      '',
      '> === "Linux"',
      '',
      '> !!! wow',
      '> ??? really?',
      '',
    ],
    ...['> ```', '> !!! note', '> ```', '', '    > !!! note', '', 'a > !!! note'],
  ];
  const { places, messages } = await faultsOf('quoted', text.join('\n'));
  expect(places).toEqual([1, 4, 6].map((line) => `docs/a.md:${line}:1 mistaken-text`));
  expect(messages[0]).toBe('A block with !!! is not read in a quotation: remove the > before it and its text.');
});

test('marks of a merge conflict, and bold text that is not read beside punctuation, are reported', async () => {
  const text = [
    ...['# A', '', '<<<<<<< HEAD', 'one', '=======', 'two', '>>>>>>> branch', '', '```', '<<<<<<< HEAD', '```', ''],
    ...[
      '文字**强调（括号）**后面，**粗体**。',
      '',
      '2 ** 3 ** 4, src/**/a/**, **b** 和 \\*\\*一（二）\\*\\*三 `**（a）**b`',
    ],
  ];
  const { places, messages } = await faultsOf('conflict', text.join('\n'));
  expect(places).toEqual([3, 7, 13].map((line) => `docs/a.md:${line}:${line === 13 ? 3 : 1} mistaken-text`));
  expect(messages[0]).toBe('This is a mark of a merge conflict: choose one of the versions and remove the marks.');
});

test("pictures in GitBook's folder are shown, and other hidden files are not", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2"></svg>';
  const { places } = await faultsOf(
    'gitbook',
    '![a](<.gitbook/assets/a (1).svg>) ![b](.gitbook/b.svg) ![c](.gitbook/assets/.c.svg) ![d](.git/assets/d.svg)\n',
    Object.fromEntries(
      ['.gitbook/assets/a (1).svg', '.gitbook/b.svg', '.gitbook/assets/.c.svg', '.git/assets/d.svg'].map((file) => [
        `docs/${file}`,
        svg,
      ]),
    ),
  );
  expect(places).toEqual([35, 56, 85].map((column) => `docs/a.md:1:${column} missing-image`));
});

test('pictures that browsers cannot show are reported', async () => {
  const text = '![a](empty.png) ![b](words.jpg) ![c](photo.heic) ![d](plain.svg) ![e](table.csv)\n';
  const files = ['empty.png', 'words.jpg', 'photo.heic', 'plain.svg', 'table.csv'];
  const { places, messages } = await faultsOf(
    'pictures',
    text,
    Object.fromEntries(
      files.map((file) => [`docs/${file}`, file === 'empty.png' ? '' : '<svg xmlns="http://www.w3.org/2000/svg"/>']),
    ),
  );
  expect(places).toEqual([1, 17, 33].map((column) => `docs/a.md:1:${column} missing-image`));
  expect(messages[2]).toBe(
    'Browsers do not show the picture photo.heic: save it as SVG, PNG, JPEG, WebP, AVIF or GIF.',
  );
});

test("broken pictures and links of a page's title are reported", async () => {
  const { places } = await faultsOf('titles', '# <img src="nope.png" alt="Logo"> Product\n', {
    'docs/b.md': '# [Product](nope.md)\n',
    'docs/c.md': '# [![Product](nope.png)](nope.md)\n',
  });
  expect(places).toEqual([
    ...['docs/a.md:1:3 missing-image', 'docs/b.md:1:3 broken-link'],
    ...['docs/c.md:1:3 broken-link', 'docs/c.md:1:4 missing-image'],
  ]);
});

test('lines of Rust that rustdoc and mdBook hide are not shown, unless they are text', async () => {
  const rust = [
    '```rust,editable',
    '# use std::io;',
    '#[test]',
    'let a = r#"',
    '# kept',
    '"#;',
    '  #',
    '## one',
    '```',
  ];
  const text = `${rust.join('\n')}\n\n\`\`\`python\n# a comment\n\`\`\`\n`;
  writeFiles(join(folder, 'rust'), { 'docs/a.md': text });
  const loader = testLoader(folder, 'rust');
  const { tree } = (await loader.load()).body('/docs/a');
  await loader.close();
  expect(textOf(tree)).toBe('#[test]\nlet a = r#"\n# kept\n"#;\n# one\n# a comment');
});

test('markdown right below an HTML tag is reported, and what only looks like it is not', async () => {
  const text = [
    ...[
      '<details><summary>A</summary>',
      '```sh',
      '# comment',
      '<pre>',
      '```',
      '</details>',
      ':::warning',
      'Text',
      ':::',
    ],
    ...['', '> <br>', '> - item', '> - other', '', '</p>', '| a | b |', '|---|---|', '', '- <div>', '  ## Heading', ''],
    ...['<div>', '1. one', '2. two', '</div>', '# Heading', '', '<!-- a', '- b', '-->', '', 'Text<br>', '- item', ''],
  ];
  const { places, messages } = await faultsOf('html', text.join('\n'));
  expect(places).toEqual([2, 7, 12, 16, 20, 23, 26].map((line) => `docs/a.md:${line}:1 mistaken-text`));
  expect(messages[0]).toBe(
    'This is shown as it is written, since HTML lasts up to an empty line: leave an empty line above.',
  );
  const plain = [
    ...[
      '<div><pre>',
      '# a',
      '- b',
      '</pre>',
      '<table><tr><td>',
      '- 5',
      '</td></tr></table>',
      '<code>',
      '# c',
      '</code>',
    ],
    ...[
      '</div>',
      '',
      '<pre>',
      '- d',
      '</pre>',
      '',
      '<tr><td>',
      '1. e',
      '</td></tr>',
      '',
      '<div',
      '- f>',
      '| g',
      '</div>',
    ],
    ...[
      '',
      '<div>',
      '',
      '- item',
      '',
      '</div>',
      '',
      '<!--',
      '## h',
      '-->',
      '',
      '<div>',
      '-1',
      '#tag',
      '2024. i',
      '</div>',
    ],
  ];
  expect((await faultsOf('in-html', plain.join('\n'))).places).toEqual([]);
});
