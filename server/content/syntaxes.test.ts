import { beforeAll, describe, expect, test } from 'vitest';
import { testBrand } from '../testing/markdown-trees.ts';
import { outline } from '../testing/outline.ts';
import { type Compile, createCompiler } from './compile.ts';

// What dedicated parsers read: definition lists, formulas, Nuxt Content's components.

let compile: Compile;
beforeAll(async () => {
  compile = await createCompiler(testBrand);
});

async function read(source: string): Promise<string[]> {
  const { body } = await compile({ file: 'docs/a.md', kind: 'doc', source });
  return outline(body.tree).trimEnd().split('\n');
}

test('Nuxt Content keys are shown, and an accordion of questions has no faults', async () => {
  expect(await read('Press :kbd{value="meta"}.\n\n:br{a="b"}')).toContain('  kbd "meta"');
  const { facts } = await compile({
    file: 'docs/a.md',
    kind: 'doc',
    source: '::accordion\n  :::accordion-item{label="Q"}\n  A\n  :::\n::',
  });
  expect(facts.faults).toEqual([]);
});

test.each(['figure markdown', 'div class="a" markdown="1"', 'div markdown=block'])(
  'markdown is parsed between tags that ask for it: <%s>',
  async (tag) => {
    const name = tag.split(' ')[0];
    const made = await read(`Text\n\n<${tag}>\n  *A*\n  <small>B</small>\n</${name}>\n\n    <${tag}>\n`);
    expect(made).toContain('    em "A"');
    expect(made.join()).toContain('small "B"');
    expect(made.join()).toContain(`<${name}`);
  },
);

test('footnotes work on a page with Nuxt Content components', async () => {
  const made = await read('::tip\nA\n::\n\nB[^1] [c]{.d}\n\n[^1]: Note');
  expect(made.join()).toContain('section.footnotes');
  expect(made.join()).not.toContain('^1');
});

describe('definition lists', () => {
  test('have terms and definitions of one line or of blocks', async () => {
    expect(await read('Term *a*\n: One\n: Two\n\n  more\n\nText\n')).toEqual([
      'dl',
      '  dt id="term-a"',
      '    "Term "',
      '    em "a"',
      '  dd "One"',
      '  dd',
      '    p "Two"',
      '    p "more"',
      'p "Text"',
    ]);
  });

  test('a colon alone is text', async () => {
    expect(await read(': one\n\nredis:alpine\n\n:smile: two\n')).toEqual([
      'p ": one"',
      'p "redis:alpine"',
      'p "😄 two"',
    ]);
  });
});

describe('formulas', () => {
  const formula = (text: string, indent = '') => [
    `${indent}figure.code dataLanguage="math"`,
    `${indent}  pre tabIndex=0`,
    `${indent}    code translate="no"`,
    `${indent}      span.line ${JSON.stringify(text)}`,
  ];

  test('on their own lines are shown as written, inside a line as code', async () => {
    expect(await read('$$\na_1 \\\\ b_1\n$$\n\n> $$c_1$$\n\nAs $$d*e*f$$ shows.\n')).toEqual([
      ...formula('a_1 \\\\ b_1'),
      'blockquote',
      ...formula('c_1', '  '),
      'p',
      '  "As "',
      '  code translate="no" "d*e*f"',
      '  " shows."',
    ]);
  });

  test('that fill a paragraph keep their position', async () => {
    const source = '::code-group\n$$a$$\n\n$$b$$\n::';
    const { facts } = await compile({ file: 'docs/a.md', kind: 'doc', source });
    expect(facts.faults).toMatchObject([{ rule: 'duplicate-tab', line: 4 }]);
  });

  test('are not changed by the dialects', async () => {
    expect(await read('!!! note\n\n    x\n\n$$\n\\sum_{i=1}^n {a}\n$$\n')).toContain(
      '      span.line "\\\\sum_{i=1}^n {a}"',
    );
    expect(await read('import A from "a"\n\n$$\n\\sum_{i=1}^n {a}\n$$\n')).toEqual(formula('\\sum_{i=1}^n {a}'));
  });

  test('do not begin with a single dollar sign', async () => {
    expect(await read('From $5 to $6, *or* $x_1$.\n\n$$y$$\n')).toEqual([
      'p',
      '  "From $5 to $6, "',
      '  em "or"',
      '  " $x_1$."',
      ...formula('y'),
    ]);
  });

  test.each([
    ['without an end', '$$\nx\n\n*More*\n'],
    ['that starts on the line of its fence', '$$ x +\ny $$\n\n*More*\n'],
    ['in code', '```\n$$\n```\n\n$$\n\n*More*\n'],
  ])('one %s swallows no text', async (_what, source) => {
    expect((await read(source)).slice(-2)).toEqual(['p', '  em "More"']);
  });
});

describe('components of Nuxt Content', () => {
  test('become our elements if they are known', async () => {
    const source = [
      '::tip{title="T"}\nText **b**\n::',
      '::warning[My *label*]\nx\n::',
      ':::note\ny\n:::',
      '::tabs\n  :::tabs-item{label="A"}\n  One\n  :::\n  :::tab\n  Two\n  :::\n::',
      '::code-group\n```sh [npm]\nnpm i\n```\n::',
      '::collapsible{title="More"}\nz\n::',
    ];
    expect(await read(source.join('\n\n'))).toEqual([
      ...[
        'aside.admonition.admonition-tip role="note"',
        '  p.admonition-title "T"',
        '  p',
        '    "Text "',
        '    strong "b"',
      ],
      ...[
        'aside.admonition.admonition-warning role="note"',
        '  p.admonition-title',
        '    "My "',
        '    em "label"',
        '  p "x"',
      ],
      ...['aside.admonition.admonition-note role="note"', '  p.admonition-title "Note"', '  p "y"'],
      'div.tabs dataTabs=""',
      ...['  section.tab dataLabel="A"', '    p.tab-label "A"', '    p "One"'],
      ...['  section.tab dataLabel="Tab"', '    p.tab-label "Tab"', '    p "Two"'],
      'div.tabs dataTabs=""',
      ...['  section.tab dataLabel="npm"', '    p.tab-label "npm"', '    figure.code dataLanguage="sh"'],
      ...[
        '      pre tabIndex=0',
        '        code translate="no"',
        '          span.line',
        '            span.tok-function "npm"',
      ],
      '            " "',
      '            span.tok-string "i"',
      ...['details', '  summary "More"', '  p "z"'],
    ]);
  });

  test('leave their link, slots and children if they are unknown, also in lists', async () => {
    const source = [
      '::card-group\n  :::card{title="C" to="/pricing"}\n  ---\n  icon: x\n  ---\n  Inside\n  :::\n::',
      '::hero\n---\ntitle: Big\n---\n#description\nWords\n::',
      '- ::box\n  In a list\n  ::',
      ':ReadMore{to="/pricing"}',
      ':icon{name="x"}',
    ];
    expect(await read(source.join('\n\n'))).toEqual([
      ...['p', '  a href="/pricing" "C"', 'p "Inside"', 'p', '  strong "Big"', 'p "Words"'],
      ...['ul', '  li "In a list"', 'p', '  a href="/pricing" "/pricing"'],
    ]);
  });

  test('inside a line become a link, words or the written text', async () => {
    const source =
      '::note\nSee :read-more{to="/pricing" title="A"} at 10:30, :badge[new]{color="x"} and [span]{.x}.\n::';
    expect((await read(source)).slice(3)).toEqual([
      '    "See "',
      '    a href="/pricing" "A"',
      '    " at 10:30, "',
      '    "new"',
      '    " and "',
      '    "span"',
      '    "."',
    ]);
    const others = '::note\n:brand and :brand[domain], redis:alpine, :smile:, a :word, {{ x }} and {{ open.\n::';
    const { body } = await compile({ file: 'docs/a.md', kind: 'doc', source: others });
    expect(body.text).toBe('Note\nTestmill and test.example, redis:alpine, 😄, a :word, {{ x }} and {{ open.');
  });

  test('without a closing line are text', async () => {
    expect(await read('::note\nText')).toEqual(['p "::note\\nText"']);
    expect(await read('12:30{x}\n\n```\n::note\n::\n```\n')).toContain('p "12:30{x}"');
  });

  test('may contain properties that are not YAML', async () => {
    expect(await read('::card\n---\ntitle: [\n---\nInside\n::')).toContain('p "Inside"');
  });
});
