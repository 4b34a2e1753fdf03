import { describe, expect, test } from 'vitest';
import { markdownLines, toldOf } from '../../testing/normalised.ts';

/** The converted MDX, without empty lines and surrounding spaces. */
const made = (source: string) => markdownLines(source, true).map((line) => line.trim());

test.each([
  ['<CodeBlock language="sql" title="T">SELECT 1;</CodeBlock>', ['````sql title="T"', 'SELECT 1;', '````']],
  ['<CodeBlock className="language-js">\n{`a\n\n  {b}`}\n</CodeBlock>\nc', ['````js', 'a', '  {b}', '````', 'c']],
  ['<CodeBlock\n  language="js">\n  {`a`}\n</CodeBlock>', ['````js', 'a', '````']],
  ["<CodeBlock>{'a'}</CodeBlock>", ['````', 'a', '````']],
])('literal code becomes a code block: %s', (source, lines) => {
  expect(markdownLines(source, true)).toEqual(lines);
  expect(toldOf(source, true)).toEqual([]);
});

test('markdown in single-line table cells is parsed', () => {
  expect(made('<tr><td>**a** <br/> b</td><td class="c">d</td></tr>')).toEqual([
    ...['<tr>', '<td>', '**a** <br> b', '</td>', '<td class="c">', 'd', '</td>', '</tr>'],
  ]);
  expect(made('<tr><td>a</td></tr>')).toEqual(['<tr><td>a</td></tr>']);
  expect(made('| `<td>` | *a* |')).toEqual(['| `<td>` | *a* |']);
});

test.each(['<CodeBlock>{a}</CodeBlock>', `<CodeBlock>{\`\${a}\`}</CodeBlock>`, '<CodeBlock>\na'])(
  'code that is not a literal is reported: %s',
  (source) => expect(toldOf(source, true).join()).toContain('<CodeBlock> is not supported'),
);

describe('statements', () => {
  test.each([
    ["import './a.css'"],
    ["import A, { b } from 'a'"],
    ["import A from\n  'a'"],
    ["import * as A from 'a'"],
    ["import {\n  a,\n} from 'a'"],
    ['export const a = {\n  b: "{",\n  c: `[`,\n  d: \'(\',\n};'],
    ["export const a = '\\'{';"],
    ['export const a = "{ [";'],
    ['export const a = `{ [`;'],
    ['export const a = \n  1'],
    ['export const a = "\\"{";'],
    ['export const a =\n  1'],
    ['export const a = (b) =>\n  b'],
    ['export default function A() {\n  return (\n    [1]\n  );\n}'],
    ['export const a = `one\ntwo {b}\n\n\n~~~js\nthree\n~~~\n`;'],
    ['export const a = 1; /* one\n\ntwo */ export const b = `\n`'],
    ['export const a = 1\n  + 2'],
    ['export const A = ({ b }) => (\n  <p title="}">\n    {b} isn\'t {`one\n\ntwo`}\n  </p>\n);'],
    ["import A from 'a'\nexport const b = `\n\n`\nexport { b as c }"],
    ['export const a: Type = {\n  b: 1,\n};'],
    ['export const a: Type = `{ [`;'],
    ['export { a }'],
  ])('%s', (statement) => {
    expect(made(`${statement}\nText it's\n\nMore\n\n\`\`\`\n{code}\n\`\`\``)).toEqual([
      ...["Text it's", 'More', '```', '{code}', '```'],
    ]);
  });

  test('later lines keep their numbers, and an unterminated statement ends with its brackets', () => {
    const source = 'export const a = `one\n{two}\n\nthree`;\n\n{b}\n\nexport const c = `open {\n\n}\n\n{d}\n';
    const told = (code: string) => `{${code}} is not evaluated: its output is missing.`;
    expect(toldOf(source, true)).toEqual([`6:1 ${told('b')}`, `12:1 ${told('d')}`]);
    expect(made(source)).toEqual([]);
  });

  test.each(['\n\n', '\n'])('100,000 invalid statements separated by %j are read in reasonable time', (between) => {
    const statements = Array.from({ length: 100_000 }, (_, at) => `export { a${at} }`);
    expect(made(statements.join(between))).toEqual([]);
  });

  test('an unterminated statement is not tried with each of 200,000 paragraphs after it', () => {
    const text = Array.from({ length: 200_000 }, () => 'Text');
    expect(made(`export const a = \`\n\n${text.join('\n\n')}`)).toEqual(text);
  });

  test.each(['imports are fine', 'export it', '```\nimport A from "a"\n```', ' import A from "a"'])(
    'do not include %j',
    (text) => {
      expect(markdownLines(text, true)).toEqual(text.split('\n'));
    },
  );
});

describe('expressions', () => {
  test.each([
    ['{"a}b"} c', 'a}b c'],
    ["{'}'} {`}`} {\"'}'\"}", "} } '}'"],
    ['{"a\\"}b"} c', 'a\\"}b c'],
    ['{12} {""} {\'<b> {x}\'}', '12  \\<b> \\{x}'],
    ['{/* a */ /* b */}{// c\n}d', 'd'],
    ['A {open', 'A {open'],
    ['{`two words`} {/* see more */}', 'two words'],
    ['A ## {/* x */}', 'A ##'],
    ['{/*  more */}', '<!-- more -->'],
    ['\\{a\\} \\<b> ``a ` {b}`` `{c}` `open {1}', '\\{a\\} \\<b> ``a ` {b}`` `{c}` `open 1'],
    ['a < b {1} <3 {2}', 'a < b 1 <3 2'],
    ['\\<Tip> {"<Tip>"}', '\\<Tip> \\<Tip>'],
    ['<!-- <Foo /> {a} --> {1} <!-- {b}', '<!-- <Foo /> {a} --> 1 <!-- {b}'],
    ['A {/* more */}', 'A <!-- more -->'],
    ['> ## T {/* x */}', '> ## T {#x}'],
    ['## T {/* x */} more', '## T  more'],
    ['T {/* x */}', 'T'],
  ])('%s', (source, text) => {
    expect(made(source)).toEqual([text]);
    expect(toldOf(source, true)).toEqual([]);
  });

  test('unclosed inline code ends with its paragraph, not with its line', () => {
    expect(made('a `x\n\ny` {1}')).toEqual(['a `x', 'y` 1']);
    expect(made('a `x\n<Tip>` {1}')).toEqual(['a `x', '<Tip>` 1']);
  });

  test('are reported at their position, shortened, and remove no lines', () => {
    const source =
      '{it\'s} {1.5}\n{a\n   b}\n\n{`$c`} {{d: 1}.d} {callWith(many, arguments, that, go, on)}\nText {"a\nb} c';
    const told = (code: string) => `{${code}} is not evaluated: its output is missing.`;
    expect(toldOf(source, true)).toEqual([
      `1:1 ${told("it's")}`,
      `1:8 ${told('1.5')}`,
      `2:1 ${told('a b')}`,
      `5:1 ${told('`$c`')}`,
      `5:8 ${told('{d: 1}.d')}`,
      `5:19 ${told('callWith(many, arguments, that, go, on)')}`,
      `6:6 ${told('"a b')}`,
    ]);
    expect(made(source)).toEqual(['Text', 'c']);
    expect(toldOf("{it's} {that's}", true)).toEqual([`1:1 ${told("it's")}`, `1:8 ${told("that's")}`]);
    expect(toldOf("{'a' + b} {`c`.d}", true)).toEqual([`1:1 ${told("'a' + b")}`, `1:11 ${told('`c`.d')}`]);
    expect(toldOf('{callWith(many, arguments, that, go, on, and, on)}', true)).toEqual([
      `1:1 ${told('callWith(many, arguments, that, go, on, …')}`,
    ]);
  });
});

describe('components', () => {
  test.each([
    ['<Tooltip tip="T">a</Tooltip>', '<abbr title="T">a</abbr>'],
    ['<Tooltip id="i" title="T">a</Tooltip>', '<abbr title="T">a</abbr>'],
    ['<Tooltip content="T">a</Tooltip>', '<abbr title="T">a</abbr>'],
    ['<Tooltip id="i">a</Tooltip>', '<abbr id="i">a</abbr>'],
    ['<Details title="S">a</Details>', '<details title="S"><summary>S</summary>a</details>'],
    ['<Accordion summary="S">a</Accordion>', '<details summary="S"><summary>S</summary>a</details>'],
    ['<Details>a</Details>', '<details>a</details>'],
    ['<details title="S">a</details>', '<details title="S">a</details>'],
    ['<Card description="D" />', 'D'],
    ['<Card text="T" />', '**T**'],
    ['<Card label="L" to="/x" />', '[L](</x>)'],
    ['<Card title="T" description="D" />', '**T** D'],
    ['<Card title="T" href="/x">Text</Card>', '[T](</x>) Text'],
    ['See <ULink label="L" to="/x" />, or', 'See [L](</x>), or'],
    ['<Card />', undefined],
    ['<ParamField query="q" default="3" />', '**`q`** default `3`'],
    [
      '<ResponseField name="n" type="int" required default="1">x</ResponseField>',
      '**`n`** `int`, required, default `1`x',
    ],
    ['<Property type="t" />', '`t`'],
    ['<ParamField body="b" /><ParamField header="h" />', '**`b`** **`h`**'],
    ['<Steps><Fragment>a</Fragment><>b</></Steps>', 'ab'],
    ['<br/><hr /><div/><Image src="a.png" />', '<br><hr><div></div><img src="a.png">'],
    ['<td colSpan="2" rowSpan={3}>b</td><Link to="/a">c</Link>', '<td colspan="2">b</td><a href="/a">c</a>'],
    ['<label htmlFor="a" onClick={x} style="b" @c="d" e:f="g">h</label>', '<label for="a">h</label>'],
    [
      "<img {...props} src=a.png alt={'A'} title={true} width={w} data-x='y \"z\"'/>",
      '<img src="a.png" alt="A" data-x="y &quot;z&quot;">',
    ],
    ['<Foo\n a="b"\n/>c', 'c'],
    ['<img  {...props} src="a.png">', '<img src="a.png">'],
    ["<div mylabel={'a'} altered={'b'} id={'c'} label={'d'}>", '<div label="d">'],
    ['<img src="a.png" alt="b\nc" />', '<img src="a.png" alt="b c">'],
  ])('%s', (source, text) => {
    expect(made(source)).toEqual(text === undefined ? [] : [text]);
  });

  test('admonitions take their kind from the type attribute, or else from their name', () => {
    const kinds = ['<Admonition type="warning" title="T">', '<Callout>', '<Warning type="other">', '<Note title="a">'];
    expect(made(kinds.join('\n'))).toEqual([
      '<md-admonition kind="warning" title="T">',
      '<md-admonition kind="note">',
      '<md-admonition kind="warning">',
      '<md-admonition kind="note" title="a">',
    ]);
  });

  test('tabs inside a tab have their own labels', () => {
    const source =
      '<Tabs items={["a", "b"]}><Tab><Tabs items={["c"]}><Tab/></Tabs></Tab><Tab/><Tab/></Tabs><Tab name="d"/><Tab/>';
    expect(made(source).filter((line) => line.startsWith('<md-tab'))).toEqual([
      ...['<md-tabs>', '<md-tab label="a">', '<md-tabs>', '<md-tab label="c">'],
      ...['<md-tab label="b">', '<md-tab>', '<md-tab label="d">', '<md-tab>'],
    ]);
  });

  test('a tab label comes from the group, by value or position, or from the tab itself', () => {
    const row = '<Tabs values={[{label: "L", value: "v"}]}>';
    expect(made(`${row}<Tab value="w"/></Tabs>`)).toContain('<md-tab label="w">');
    const labels = (source: string) => made(source).flatMap((line) => /^<md-tab label="(.*)">/.exec(line)?.[1] ?? []);
    expect(labels(`${row}<Tab value="v" label="O"/><Tab value="v"/><Tab value="w"/></Tabs>`)).toEqual(['L', 'L', 'w']);
    expect(labels('<Tabs tabs={[{label: "P"}]}><Tab name="n"/><Tab name="n" value="u"/></Tabs>')).toEqual(['P', 'n']);
    expect(labels('<Tabs items={[a b]}><Tab value="v"/></Tabs>')).toEqual(['v']);
    expect(labels('<Tabs items={[1]}><Tab title="T"/></Tabs><Tabs items={["a"]} /><Tab value="x"/>')).toEqual([
      'T',
      'x',
    ]);
  });

  test('imported files are resolved in addresses only; other addresses are reported', () => {
    const source =
      'import a from "./a.pdf"\nimport b from "./b.txt"\n```\nimport c from "./c.png"\n```\n<Link href={a} id={a}>x</Link>\n<Image src={b} />\n<Image src={c} />';
    const why = '<Image> is not supported: its address is not a literal.';
    expect(made(source).slice(3)).toEqual(['<a href="./a.pdf">x</a>', '<img>', '<img>']);
    expect(toldOf(source, true)).toEqual([`7:1 ${why}`, `8:1 ${why}`]);
  });

  test('unknown components are reported with what is lost', () => {
    const source = '<Other title="T" />\n<Other>x</Other>\ny <Foo.Bar>z</Foo.Bar>';
    expect(made(source)).toEqual(['**T**', 'x', 'y z']);
    expect(toldOf(source, true)).toEqual([
      '1:1 <Other> is not supported: its content is missing.',
      '2:1 <Other> is not supported: only its content is shown.',
      '3:3 <Foo.Bar> is not supported: only its content is shown.',
    ]);
  });
});

test('tags are put on their own lines so that markdown between them is parsed', () => {
  const source =
    '<div>**a**</div>\n<td>_b_</td>\n  <p class="x">c `d`</p>\n1. <p>e</p>\n<md-tab>f</md-tab> g\n<span>**h**</span>';
  expect(markdownLines(source, true)).toEqual([
    ...['<div>', '**a**', '</div>', '<td>', '_b_', '</td>', '  c `d`', '1. e'],
    ...['<md-tab>', 'f', '</md-tab>', 'g', '<span>**h**</span>'],
  ]);
});
