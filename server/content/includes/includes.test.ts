import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder, writeFiles } from '../../testing/content-folder.ts';
import { expandIncludes } from './expand.ts';
import { createIncludeReader } from './read-include.ts';

// Each tool's own syntax, from its documentation and its source.

const folder = testFolder('includes');
// These tests print no tables from code.
const prints = new Map<string, string>();
const rust = [
  'use std::io;',
  '',
  '// ANCHOR: all',
  'fn main() {',
  '    // ANCHOR: print',
  '    println!("hi");',
  '    // ANCHOR_END: print',
  '}',
  '// ANCHOR_END: all',
];

/** The lines of `docs/a/page.md` after all files are included. */
function expanded(source: string, files: Record<string, string> = {}, file = 'docs/a/page.md') {
  const root = join(folder, String(Math.random()).slice(2));
  mkdirSync(root);
  writeFiles(root, files);
  return expandedIn(root, source, file);
}

function expandedIn(root: string, source: string, file = 'docs/a/page.md', snippetFolders: string[] = []) {
  const made = expandIncludes(source, { file, read: createIncludeReader(root), snippetFolders, prints });
  return {
    text: made?.lines.map(({ text }) => text).join('\n'),
    faults:
      made?.faults.map(
        ({ rule, file: at, line, column, message }) => `${at ?? ''}:${line}:${column} ${rule} ${message}`,
      ) ?? [],
    origins: made?.lines.map(({ file: at, at: line }) => `${at ?? ''}:${line}`),
    looked: [...(made?.looked ?? [])],
  };
}

test('a page without includes is left unchanged', () => {
  expect(expanded('# A\n\n```\ncode\n```\n').text).toBeUndefined();
});

describe('mdBook', () => {
  const files = {
    'listings/main.rs': rust.join('\n'),
    'docs/a/part.md': 'One\n\n{{#include more/two.md}}\n',
    'docs/a/more/two.md': 'Two',
    'docs/a/v.rs': '// ANCHOR: v2\na\n// ANCHOR_END: v2\nb',
  };
  test.each([
    ['```rust\n{{#include ../../listings/main.rs}}\n```', ['```rust', ...rust, '```']],
    ['{{#include ../../listings/main.rs:1}}', ['use std::io;']],
    ['{{#include ../../listings/main.rs:4:6}}', rust.slice(3, 6)],
    ['{{#include ../../listings/main.rs:8:}}', rust.slice(7)],
    ['{{#include ../../listings/main.rs::2}}', rust.slice(0, 2)],
    ['{{#include ../../listings/main.rs:all}}', ['fn main() {', '    println!("hi");', '}']],
    ['{{#rustdoc_include ../../listings/main.rs:print}}', ['    println!("hi");']],
    ['{{#playground ../../listings/main.rs editable}}', ['```rust,editable', ...rust, '```']],
    ['> {{#include part.md}}', ['> One', '> ', '> Two']],
    ['a {{#include more/two.md}} b', ['a Two b']],
    ['a {{#include part.md}}, {{#include more/two.md}} b', ['a One', 'a ', 'a Two, Two b']],
    ['{{#include v.rs:v2}}', ['a']],
    ['{{#include v.rs:3:v2}}', ['// ANCHOR_END: v2', 'b']],
    [
      '{{#playpen v.rs editable  ignore }}',
      ['```rust,editable,ignore', '// ANCHOR: v2', 'a', '// ANCHOR_END: v2', 'b', '```'],
    ],
    ['{{#title Another}}\nText', ['', 'Text']],
    ['`\\{{#include file.rs}}` and\n\\{{#include x}}', ['`{{#include file.rs}}` and', '{{#include x}}']],
  ])('%s', (source, lines) => {
    const made = expanded(source, files);
    expect(made.text?.split('\n')).toEqual(lines);
    expect(made.faults).toEqual([]);
  });

  test('included lines keep their own file and line', () => {
    expect(expanded('Text\n{{#include part.md}}\nEnd', files).origins).toEqual([
      ...[':1', 'docs/a/part.md:1', 'docs/a/part.md:2', 'docs/a/more/two.md:1', ':3'],
    ]);
  });

  test('a missing part is reported at its include', () => {
    expect(expanded('\n  {{#include ../../listings/main.rs:gone}}', files).faults).toEqual([
      ':2:3 missing-include The file ../../listings/main.rs:gone is not included: it has no part of that name.',
    ]);
  });

  test('lines beyond the end of the file are reported, and the existing ones are included', () => {
    const { text, faults } = expanded('{{#include v.rs:4:9}}\n{{#include v.rs:5}}\n{{#include v.rs:4:}}', files);
    expect(text).toBe('b\n\nb');
    expect(faults).toEqual([
      ':1:1 missing-include The file of v.rs:4:9 has 4 lines, but line 9 was requested.',
      ':2:1 missing-include The file of v.rs:5 has 4 lines, but line 5 was requested.',
    ]);
  });
});

describe('VitePress', () => {
  const code =
    '// #region one\n  const a = 1;\n    // #region two\n    const b = `\n    ````\n    `;\n    // #endregion two\n  // #endregion one\n';
  const files = {
    'docs/snippets/a.ts': code,
    'docs/a/b.yaml': 'a: 1',
    'docs/parts/part.md': '---\ntitle: x\n---\n# Part\n\nOne [l](./x.md)\n\n## Usage\n\nTwo\n\n### Deep\n\n## Other\n',
    'docs/parts/ids.md': '## A & B c!\nOne\n## D {#own}\nTwo\n## E {#f} g ##\nThree',
    'docs/a/Makefile': '# region all\n\tgo:\n\n\t\tls\n# endregion all',
    'docs/a/open.md': '+++\ntitle\n',
    'docs/a/toml.md': '+++\nx = 1\n+++ \nText',
  };
  test.each([
    ['<<< ./Makefile', ['```text', '# region all', '\tgo:', '', '\t\tls', '# endregion all', '```']],
    ['<<< ./Makefile#all', ['```text', 'go:', '', '\tls', '```']],
    ['<!--@include: ../parts/ids.md#a-b-c-->', ['## A & B c!', 'One']],
    ['<!--@include: ../parts/ids.md#own-->', ['## D {#own}', 'Two']],
    ['<!--@include: ../parts/ids.md#e-f-g-->', ['## E {#f} g ##', 'Three']],
    ['<!--@include: ../parts/ids.md{2}-->', ['One']],
    ['<!--@include: parts/ids.md{,2}-->', ['## A & B c!', 'One']],
    ['<!--@include: docs/parts/ids.md{3-4}--> end', ['## D {#own}', 'Two end']],
    ['a > <!--@include: @parts/ids.md{1,2}-->', ['a > ## A & B c!', 'One']],
    [' > <!--@include: ../parts/ids.md{1,2}-->', [' > ## A & B c!', ' > One']],
    ['<!--@include: ./toml.md--> <!--@include: ./open.md-->', ['Text +++', 'title']],
    ['<<< @/snippets/a.ts#two{2,4-5} [name]', ['`````ts {2,4-5} [name]', 'const b = `', '````', '`;', '`````']],
    ['   <<< ./b.yaml#gone', ['   ']],
    ['   <<< ./b.yaml{1 yml:line-numbers}', ['   ```yml:line-numbers {1}', '   a: 1', '   ```']],
    [
      '<!--@include: ../parts/part.md-->',
      ['# Part', '', 'One [l](./x.md)', '', '## Usage', '', 'Two', '', '### Deep', '', '## Other'],
    ],
    ['<!-- @include: @/parts/part.md{4,6} -->', ['# Part', '', 'One [l](./x.md)']],
    ['<!-- @include: @/parts/part.md{12,} -->', ['### Deep', '', '## Other']],
    ['<!-- @include: @/parts/part.md#usage -->', ['## Usage', '', 'Two', '', '### Deep', '']],
    ['```\n<<< ./b.yaml\n```', ['```', '<<< ./b.yaml', '```']],
  ])('%s', (source, lines) => {
    expect(expanded(source, files).text?.split('\n')).toEqual(lines);
  });

  test('the markers of inner regions are left out', () => {
    expect(expanded('<<< @/snippets/a.ts#one', files).text?.split('\n')).toEqual([
      ...['`````ts', 'const a = 1;', '  const b = `', '  ````', '  `;', '`````'],
    ]);
  });
});

describe('PyMdown', () => {
  const files = {
    'docs/a/here.md': 'Here',
    'docs/b.md': 'B1\n<!-- --8<-- [start:part] -->\nB2\n<!-- --8<-- [end:part] -->\nB3\n',
    'root.md': 'Root',
    'inc/low.md': 'Low\n--8<-- "root.md"',
  };
  test.each([
    ['--8<-- "root.md"', ['Root']],
    ["    -8<- 'here.md'", ['    Here']],
    ['--8<-- "b.md:part"', ['B2']],
    ['--8<-- "b.md"', ['B1', 'B2', 'B3']],
    ['--8<-- "b.md:3:5"', ['B2', '<!-- --8<-- [end:part] -->', 'B3']],
    ['--8<-- "b.md::1"', ['B1']],
    ['--8<-- "b.md:4"', ['<!-- --8<-- [end:part] -->', 'B3']],
    ['{! root.md !}', ['Root']],
    ['{* root.md *}', ['```md', 'Root', '```']],
    ['- {* root.md *}', ['- {* root.md *}']],
    ['```\n{* root.md *}\n```', ['```', '{* root.md *}', '```']],
    ['```\n--8<-- "low.md"\n```', ['```', 'Low', 'Root', '```']],
    ['--8<--\nroot.md\n\n; b.md\nhere.md\n--8<--\nText', ['Root', '', 'Here', 'Text']],
    [';--8<-- "root.md"', ['--8<-- "root.md"']],
    ['One; two ;--8<-- "root.md"', ['One; two ;--8<-- "root.md"']],
    ['{!root.md!}', ['Root']],
    ['{* docs/b.md ln[1,3:3] hl[2:3] *}', ['```md {2-3}', 'B1', 'B2', '```']],
  ])('%s', (source, lines) => {
    const root = join(folder, `pymdown-${lines.join('').length}-${Math.random()}`);
    writeFiles(root, files);
    expect(expandedIn(root, source, 'docs/a/page.md', ['inc']).text?.split('\n')).toEqual(lines);
  });
});

describe('Hugo and Jekyll', () => {
  const files = {
    'docs/_common/part.md': '---\n# no title\n---\nPart {{< x >}}',
    'docs/a/near.md': 'Near',
    'includes/all.md': 'All',
    'docs/a/conf.yaml': 'a: 1',
    '_includes/note.md': 'Note',
    'docs/a/log.md.txt': '---\nLog\n---\nEnd',
  };
  test.each([
    ['{{% include "/_common/part.md" %}}', ['Part {{< x >}}']],
    ['{{% include "_common/part" %}}', ['Part {{< x >}}']],
    ['- {{< include file="near.md" >}}', ['- Near']],
    ['{{< include "all.md" />}}', ['All']],
    ['{{< readfile file="conf.yaml" code="true" lang="yaml" >}}', ['```yaml', 'a: 1', '```']],
    ['{{< include path=near.md >}}{{% readfile "conf.yaml" code=true %}}', ['Near```text', 'a: 1', '```']],
    ['{{% include "x.md" {{% include "near.md" %}}', ['{{% include "x.md" Near']],
    ['{% include_cached note.md %}', ['Note']],
    ['{% include_relative log.md.txt -%}', ['***', 'Log', '---', 'End']],
    ['{% include note.md %} {% include_relative near.md x=1 %}', ['Note Near']],
    ['```\n{{% include "near.md" %}}\n```', ['```', '{{% include "near.md" %}}', '```']],
  ])('%s', (source, lines) => {
    const made = expanded(source, files);
    expect(made.text?.split('\n')).toEqual(lines);
    expect(made.faults).toEqual([]);
  });

  test('a line belongs to the included file, unless it begins in the page', () => {
    const { origins } = expanded('  {{% include "near.md" %}}\nText {{% include "near.md" %}}', files);
    expect(origins).toEqual(['docs/a/near.md:1', ':2']);
  });

  test('an escaped include stays as written', () => {
    expect(expanded('{{%/* include "near.md" */%}}', files).text).toBeUndefined();
  });

  test("a theme's include is reported", () => {
    expect(expanded('Text {% include note.html x="y" %}', files).faults).toEqual([
      ':1:6 missing-include The file note.html is not included: it is not markdown.',
    ]);
  });
});

describe('MDX', () => {
  const files = {
    'docs/a/_part.mdx':
      '---\nx: y\n---\nimport Deep from "../_deep.md";\n\nHello {props.name}, {other} and `{props.name}`.\n\n```js\n{props.name}\n```\n<Deep />',
    'docs/_deep.md': 'Deep',
    'docs/snippets/s.mdx': 'Snippet {word}',
    'src/code.js': 'let a;',
    'src/Dockerfile': 'FROM a',
    'docs/a/props.mdx': '{a} { props.b } {c} {d}',
  };
  test.each([
    ['import Deep from "../_deep.md";\n\n<Deep />', 'Deep'],
    ["import Deep from '../\\_deep.md';\n\n<Deep />", 'Deep'],
    ['import Deep from "@site/docs/_deep.md";\n\n- <Deep></Deep> here', '- Deep here'],
    ['import S from "/snippets/s.mdx"\n\n<S word="apple" />', 'Snippet apple'],
    [
      'import Code from "!!raw-loader!@site/src/code.js";\n\n<CodeBlock language="jsx" title="c.js">{Code}</CodeBlock>',
      '```jsx title="c.js"\nlet a;\n```',
    ],
    [
      'import C from "../../src/code.js?raw"\nimport Deep from "../_deep.md"\n\n<Deep/> <CodeBlock>{ C }</CodeBlock> <Deep /> <CodeBlock>{D}</CodeBlock>',
      'Deep ```js\nlet a;\n``` Deep <CodeBlock>{D}</CodeBlock>',
    ],
    ['import D from "@site/src/Dockerfile?raw"\n\n<CodeBlock>{D}</CodeBlock>', '```text\nFROM a\n```'],
    ['import Deep from "../_deep.md"\n\n```\n<Deep />\n```', '```\n<Deep />\n```'],
    ['import P from "./props.mdx"\n\n<P a="1" b=\'2\' c={`3`} />', '1 2 3 {d}'],
    ['import Deep from "../_deep.md"\nimport J from "./a.md.json"\n\n<J /> <Deeper />', '<J /> <Deeper />'],
    ['```\nimport Deep from "../_deep.md"\n```\n\n<Deep />', '<Deep />'],
    [
      'import Part, {toc} from "./_part.mdx"\n\n<Part name="Ann" x={1} />',
      'import Deep from "../_deep.md";\n\nHello Ann, {other} and `Ann`.\n\n```js\n{props.name}\n```\nDeep',
    ],
    ['import Tabs from "@theme/Tabs"\nimport Deep from "../_deep.md"\n\n`<Deep />`\n\n<Tabs/>', '`Deep`\n\n<Tabs/>'],
  ])('%s', (source, end) => {
    const made = expanded(source, files);
    expect(made.text?.split('\n\n').slice(1).join('\n\n')).toBe(end);
    expect(made.faults).toEqual([]);
  });

  test('a missing file is reported where it is used', () => {
    expect(expanded('import Gone from "./_gone.md"\n\nText <Gone />', files).faults).toEqual([
      ':3:6 missing-include The file ./_gone.md is not included: it does not exist.',
    ]);
  });
});

describe('front matter of a part', () => {
  const include = (text: string) => {
    const made = expanded('# Page\n{{#include p.md}}', { 'docs/a/p.md': text });
    return { ...made, text: made.text?.replace('# Page\n', '') };
  };

  test.each([
    ['---\ntitle: x\ntags: [a]\n---\nText\n\n---\n\nMore\n', 'Text\n\n---\n\nMore'],
    ['---\ntitle: x\n...\nText\n\n---\n\nMore\n', 'Text\n\n---\n\nMore'],
    ['--- \ntitle: x\n...', ''],
    ['---\n# no title\n---\nText', 'Text'],
    ['+++\ntitle = "x"\n+++\nText', 'Text'],
  ])('%j: its keys are not part of the page', (text, shown) => {
    expect(include(text)).toMatchObject({ text: shown, faults: [] });
  });

  test.each([
    '---\n\n**Stop the job first.**\n\n---\n\nThen continue.',
    '---\n\nStop the job first.\n\n---\n\nThen continue.',
    '---\n\n## Stop the job first\n\n---\n\nThen continue.',
    '---\n\n- Stop\n- Wait\n\n---\n\nThen continue.',
    '---\n\nStop.\n\n...\n\nThen continue.',
    '---\nOne rule',
  ])('%j begins with a rule: nothing is lost', (text) => {
    expect(include(text)).toMatchObject({ text, faults: [] });
  });

  test("a rule of a part does not begin its page's front matter", () => {
    expect(expanded('{{#include p.md}}', { 'docs/a/p.md': '---\nKey: text\n' }).text).toBe('***\nKey: text');
    expect(expanded('---\ntitle: T\n---\n{{#include p.md}}', { 'docs/a/p.md': 'Text' }).text).toMatch(/^---\n/);
  });

  test('is named, and stays, when it cannot be read or never ends', () => {
    const unread = '---\ntitle: x\nnote: a: b\n---\nText';
    const open = '---\ntitle: x\n\nText';
    expect(include(unread)).toMatchObject({ text: unread, faults: [expect.stringContaining('docs/a/p.md:3:7 yaml')] });
    expect(include(open)).toMatchObject({
      text: open,
      faults: [
        'docs/a/p.md:1:1 front-matter The front matter that begins here is never closed: add a line --- below its keys.',
      ],
    });
    const shown = expanded('```\n{{#include p.md}}\n```', { 'docs/a/p.md': unread });
    expect(shown).toMatchObject({ text: `\`\`\`\n${unread}\n\`\`\``, faults: [] });
  });
});

describe('limits of includes', () => {
  test('outside, hidden, binary and oversized files are not included', () => {
    const root = join(folder, 'confined');
    writeFiles(root, { 'docs/a/.env': 'SECRET', '.git/config': 'token', 'docs/in.md': 'In' });
    writeFiles(folder, { 'secret.md': 'Secret' });
    symlinkSync(join(folder, 'secret.md'), join(root, 'docs/a/link.md'));
    symlinkSync('../in.md', join(root, 'docs/a/inside.md'));
    writeFileSync(join(root, 'docs/a/p.bin'), 'a\0b');
    writeFileSync(join(root, 'docs/a/big.md'), 'x'.repeat(1_000_001));
    const marks = [
      '../../../secret.md',
      '/etc/hostname',
      'link.md',
      '.env',
      '../../.git/config',
      'p.bin',
      'big.md',
      '../a',
      'inside.md',
    ];
    const { text, faults } = expandedIn(root, marks.map((path) => `{{#include ${path}}}`).join('\n'));
    expect(text?.trim()).toBe('In');
    expect(faults.map((fault) => fault.replace(/^.*: it /, ''))).toEqual([
      ...['points outside the content folder.', 'does not exist.', 'points outside the content folder.'],
      ...[
        'points to a hidden file.',
        'points to a hidden file.',
        'is not text.',
        'is larger than 1 MB.',
        'is not a file.',
      ],
    ]);
  });

  test('a circle ends with a fault at the include that closes it', () => {
    const { text, faults } = expanded('{{#include x.md}}', {
      'docs/a/x.md': 'X\n{{#include y.md}}',
      'docs/a/y.md': 'Y {{#include x.md}}',
    });
    expect(text).toBe('X\nY ');
    expect(faults).toEqual(['docs/a/y.md:1:3 missing-include The file x.md is not included: it includes itself.']);
  });

  test('the depth of includes and the size of the page are limited', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`docs/a/${n}.md`, `${n} {{#include ${n + 1}.md}}`]),
    );
    const deep = expanded('{{#include 0.md}}', chain);
    expect(deep.text).toBe('0 1 2 3 4 5 6 7 8 9 ');
    expect(deep.faults).toHaveLength(1);
    const fan = Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [`docs/a/${n}.md`, `{{#include ${n + 1}.md}}\n`.repeat(10)]),
    );
    const wide = expanded('{{#include 0.md}}', { ...fan, 'docs/a/8.md': 'x'.repeat(900) });
    expect(wide.text?.length).toBeLessThan(2_000_000);
    expect(wide.faults[0]).toContain('makes the page too large');
    expect(wide.faults.length).toBeLessThan(100);
    const before = `${'x'.repeat(900)} {{#include b.md}}`;
    const multiplied = expanded(before, { 'docs/a/b.md': 'y\n'.repeat(2_000) });
    expect(multiplied.text?.length).toBeLessThan(1_000);
    expect(multiplied.faults).toEqual([
      ':1:902 missing-include The file b.md is not included: it makes the page too large.',
    ]);
    const nested = expanded('{{#include b.md}}', {
      'docs/a/b.md': `${'x'.repeat(950)} {{#include c.md}}`,
      'docs/a/c.md': 'y\n'.repeat(50_000),
    });
    expect([nested.text?.length, nested.faults.length]).toEqual([951, 1]);
    const grown = expanded('{{#include b.md}}{{#include c.md}}', {
      'docs/a/b.md': 'x'.repeat(100_000),
      'docs/a/c.md': 'y\n'.repeat(1_000),
    });
    expect([grown.text?.length, grown.faults.length]).toEqual([100_000, 1]);
    const texts = expanded(`import P from "./p.mdx"\n\n<P a="${'x'.repeat(900)}" />`, {
      'docs/a/p.mdx': '{a}'.repeat(2_000),
    });
    expect([texts.text?.length, texts.faults.length]).toEqual([25, 1]);
    const long = `${'x'.repeat(1_000)} {{#include b.md}}`;
    expect(expanded(long, { 'docs/a/b.md': 'x' })).toMatchObject({ text: long, faults: [] });
    const many = expanded('{{#include b.md}}\n'.repeat(1_001), { 'docs/a/b.md': 'x' });
    expect(many.faults).toEqual([
      ':1001:1 missing-include The file b.md is not included: it makes the page too large.',
    ]);
  });

  test('unterminated includes full of spaces are read in reasonable time', () => {
    const source = `{{< include${' '.repeat(980)}x\n`.repeat(2_000);
    expect(expanded(source)).toMatchObject({ text: source, faults: [] });
  });

  test('every path that was tried is recorded', () => {
    expect(expanded('{{% include "part" %}}', { 'docs/part.md': '' }).looked).toEqual([
      ...['docs/a/part', 'docs/a/part.md', 'docs/a/part/index.md', 'docs/a/part/_index.md'],
      ...['part', 'part.md', 'part/index.md', 'part/_index.md', 'docs/part', 'docs/part.md'],
    ]);
  });
});
