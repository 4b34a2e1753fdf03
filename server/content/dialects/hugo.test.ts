import { describe, expect, test } from 'vitest';
import { testBrand } from '../../testing/markdown-trees.ts';
import { markdownLines, toldOf } from '../../testing/normalised.ts';
import { createCompiler } from '../compile.ts';

test.each([
  ['{{< details "More" >}}\nText\n{{< /details >}}', '<details><summary>More</summary>', '</details>'],
  ['{{< details title=T summary="S" >}}\nText\n{{< /details >}}', '<details><summary>S</summary>', '</details>'],
  ['{{< details title="T" >}}\nText\n{{< /details >}}', '<details><summary>T</summary>', '</details>'],
  ['{{% details %}}\nText\n{{% /details %}}', '<details><summary>Details</summary>', '</details>'],
  ['{{< tip >}}\nText\n{{</tip>}}', '<md-admonition kind="tip">', '</md-admonition>'],
  ['{{% alert color="warning" %}}\nText\n{{% /alert %}}', '<md-admonition kind="warning">', '</md-admonition>'],
  [
    '{{< alert type=danger title=T >}}\nText\n{{< /alert >}}',
    '<md-admonition kind="danger" title="T">',
    '</md-admonition>',
  ],
  ['{{< callout "info" >}}\nText\n{{< /callout >}}', '<md-admonition kind="info">', '</md-admonition>'],
  ['{{< callout `foo` >}}\nText\n{{< /callout >}}', '<md-admonition kind="note">', '</md-admonition>'],
  [
    '{{< note title=`a "b"` >}}\nText\n{{< /note >}}',
    '<md-admonition kind="note" title="a &quot;b&quot;">',
    '</md-admonition>',
  ],
  [
    '{{< note title="Say \\"yes\\" now" color="x" >}}\nText\n{{< /note >}}',
    '<md-admonition kind="note" title="Say &quot;yes&quot; now">',
    '</md-admonition>',
  ],
  ['{{< note title=\\"a b\\" >}}\nText\n{{< /note >}}', '<md-admonition kind="note" title="a b">', '</md-admonition>'],
  [
    '{{< note title=`a \\"b\\"` >}}\nText\n{{< /note >}}',
    '<md-admonition kind="note" title="a \\&quot;b\\&quot;">',
    '</md-admonition>',
  ],
  [
    '{{< note a="title=\\"no\\" title=no" title="T" >}}\nText\n{{< /note >}}',
    '<md-admonition kind="note" title="T">',
    '</md-admonition>',
  ],
  ['{{< highlight >}}\nText\n{{< /highlight >}}', '````', '````'],
  ['{{< highlight go "linenos=table" >}}\nText\n{{< /highlight >}}', '````go', '````'],
  ['{{< code file="src/a.min.js" >}}\nText\n{{< /code >}}', '````js title="src/a.min.js"', '````'],
])('%s', (source, open, close) => {
  expect(markdownLines(source)).toEqual([open, 'Text', close]);
  expect(toldOf(source)).toEqual([]);
});

test('a tab label is its name, header or title parameter, or the first one', () => {
  const tabs = ['name="A"', 'header="B"', 'title="C"', '"D"', ''].map(
    (words) => `{{< tab ${words} >}}\nx\n{{< /tab >}}`,
  );
  const made = markdownLines(`{{< tabs >}}\n${tabs.join('\n')}\n{{< /tabs >}}`);
  expect(made.filter((line) => line.includes('<md-tab'))).toEqual([
    '<md-tabs>',
    ...['A', 'B', 'C', 'D'].map((label) => `<md-tab label="${label}">`),
    '<md-tab>',
  ]);
});

test("Docsy's tabs hold code, or text if they say so, also with several tags on a line", () => {
  const code = [
    ...['{{< tabpane lang="sh" >}}', '{{< tab header="Code:" disabled=true />}}', '{{< tab "npm" >}}', '# a {{x}}', ''],
    ...['{{< /tab >}}', '{{< tab header="B" lang="js" >}}', '1', '{{< /tab >}}', '{{< /tabpane >}}'],
  ];
  expect(markdownLines(code.join('\n'))).toEqual([
    ...['<md-tabs>', '<md-tab label="npm">', '````sh', '# a {{x}}', '````', '</md-tab>'],
    ...['<md-tab label="B">', '````js', '1', '````', '</md-tab>', '</md-tabs>'],
  ]);
  const text = [
    ...['{{< tabpane text=true >}} {{% tab Go %}}', '**Go**', '{{% /tab %}} {{< tab "Java" >}}', '**Java**'],
    ...[
      '{{< /tab >}} {{< /tabpane >}}',
      '{{< tabpane >}}',
      '{{% tab C %}}',
      '**C**',
      '{{% /tab %}}',
      '{{< /tabpane >}}',
    ],
  ];
  expect(markdownLines(text.join('\n'))).toEqual([
    ...['<md-tabs>', '<md-tab label="Go">', '**Go**', '</md-tab>', '<md-tab label="Java">', '**Java**', '</md-tab>'],
    ...['</md-tabs>', '<md-tabs>', '<md-tab label="C">', '**C**', '</md-tab>', '</md-tabs>'],
  ]);
  expect(toldOf(`${code.join('\n')}\n${text.join('\n')}`)).toEqual([]);
});

test.each([
  ['{{< ref path="b.md" >}} {{< relref "c.md" >}}', 'b.md c.md'],
  ['[a]({{% relref d.md %}})', '[a](d.md)'],
  ['{{< img src="a.png" caption="C" >}} {{< figure src=b.png >}}', '![C](<a.png>) ![](<b.png>)'],
  ['{{< figure src="a.png" alt="A" caption="C" >}} x', '![A](<a.png>) x'],
  ['{{< figure src="a.png" alt="A" link="b.md" >}}', '[![A](<a.png>)](<b.md>)'],
  ['{{< figure alt="\\">}} {{< b" src="a\\b.png" >}} c', '![">}} {{< b](<a\\b.png>) c'],
  ['{{< ref "a \\"b\\".md" >}} {{< ref `a\\"b` >}}', 'a "b".md a\\"b'],
  ['{{</* ref "x" */>}} {{%/* y */%}} {{< ref "z" >}}', '{{< ref "x" >}} {{% y %}} z'],
  ['> {{< ref "a.md" >}}', 'a.md'],
  ['a {{<  ref  "a.md" >}}', 'a a.md'],
  [': A {{< ref "b.md" >}}', ': A b.md'],
  ['`{{< ref "a.md" >}}` `b {{< ref "c` d" >}}', '`a.md` `b {{< ref "c` d" >}}'],
])('inside a line: %s', (source, made) => {
  expect(markdownLines(source)).toEqual([made]);
  expect(toldOf(source)).toEqual([]);
});

test('comment content is hidden, and a listing unescapes shortcodes', () => {
  const source =
    '{{< comment >}}\nA {{< b >}}\n\n```\nC\n```\n{{< /comment >}}\n{{< highlight go >}}\n{{</* c */>}}\n{{< /highlight >}}';
  expect(markdownLines(source)).toEqual(['````go', '{{< c >}}', '````']);
  expect(toldOf(source)).toEqual([]);
});

test('a figure shows its title and caption', () => {
  const figure = (caption: string) => [
    '<figure>',
    '![A](<a.png>)',
    '<figcaption>',
    caption,
    '</figcaption>',
    '</figure>',
  ];
  expect(markdownLines('{{< figure src="a.png" alt="A" caption="*C*" >}}')).toEqual(figure('*C*'));
  expect(markdownLines('{{< figure src="a.png" alt="A" title="T" caption="C" >}}')).toEqual(figure('**T** C'));
});

test('in code, shortcodes are only unescaped', () => {
  const source = '```\n{{</* x "a" */>}} {{< y >}} /* z */\n```\n{{< note >}}';
  expect(markdownLines(source)).toEqual(['```', '{{< x "a" >}} {{< y >}} /* z */', '```']);
});

test('escaped shortcodes without an end stay as written, however many there are', () => {
  const line = `{{</* a */>}}${'{{</*'.repeat(500_000)}`;
  expect(markdownLines(line)).toEqual([line.replace('{{</* a */>}}', '{{< a >}}')]);
});

test('a shortcode may span several lines', () => {
  const source = '{{< figure\n src="a.png"\n\n alt="A" >}} and\nText {{< ref\n"b.md" >}}, {{< ref `c\nd` >}}\nMore';
  expect(markdownLines(source)).toEqual(['![A](<a.png>) and', 'Text b.md, c d', 'More']);
  expect(toldOf(source)).toEqual([]);
});

describe('an unterminated shortcode is reported at its position and swallows no text', () => {
  const open = (name: string, end: string) =>
    `The shortcode ${name} is never closed: “${end}” or a quotation mark is missing within 30 lines. It is shown as written.`;

  test.each([
    ['{{< note\nText\n\n{{< ref "a.md" >}} more', ['1:1 note'], ['{{< note', 'Text', 'a.md more']],
    ['A\n\nText {{% note\nB {{% ref "a.md" %}} c', ['3:6 note %}}'], ['A', 'Text {{% note', 'B a.md c']],
    ['A {{<note B {{< ref "a.md" >}} c', ['1:3 note'], ['A {{&lt;note B a.md c']],
    ['{{< note %}}\nText', ['1:1 note'], ['{{< note %}}', 'Text']],
    ['{{< /note\nText', ['1:1 note'], ['{{< /note', 'Text']],
    ['{{< figure src="a.png >}}\nText "b" >}}', ['1:1 figure'], ['{{< figure src="a.png >}}', 'Text "b" >}}']],
    ['{{< note\n```\n>}}\n```', ['1:1 note'], ['{{< note', '```', '>}}', '```']],
    [
      '{{< ref\n"a.md" >}} {{< two\nText {{< three\nMore',
      ['2:12 two', '3:6 three'],
      ['a.md {{< two', 'Text {{< three', 'More'],
    ],
    [`A {{< far\n${'x\n'.repeat(30)}b >}}`, ['1:3 far'], ['A {{< far', ...Array(30).fill('x'), 'b >}}']],
    ['Text {{<two {{</two', ['1:6 two', '1:13 two'], ['Text {{&lt;two {{&lt;/two']],
    ['<pre>\n{{<two {{< ref "a.md" >}}\n</pre>', ['2:1 two'], ['<pre>', '{{&lt;two a.md', '</pre>']],
    ['> {{<two', ['1:3 two'], ['> {{&lt;two']],
    [
      '{{< highlight go >}}\nx := {{<foo {{< bar\n{{< /highlight >}}',
      ['2:6 foo', '2:13 bar'],
      ['````go', 'x := {{<foo {{< bar', '````'],
    ],
  ])('%j', (source, told, made) => {
    expect(toldOf(source)).toEqual(
      told.map((one) => {
        const [place = '', name = '', end = '>}}'] = one.split(' ');
        return `${place} ${open(name, end)}`;
      }),
    );
    expect(markdownLines(source)).toEqual(made);
  });

  test('it is shown as written', async () => {
    const compile = await createCompiler(testBrand);
    const sources = ['A {{</b c', 'A {{% b', 'A {{<b c', '<pre>\nA {{<b c\n</pre>', '<div>\nA {{<b c\n</div>'];
    const listing = '{{< highlight go >}}\nA {{<b c\n{{< /highlight >}}';
    const pages = [...sources, listing].map((source) => compile({ file: 'docs/a.md', kind: 'doc', source }));
    const texts = (await Promise.all(pages)).map(({ body }) => body.text.trim());
    expect(texts).toEqual(['A {{</b c', 'A {{% b', ...Array(4).fill('A {{<b c')]);
  });

  test.each(['Written `{{< note` and `>}}` here', '`{{<note` or `{{</note`', '`{{% a`\n\n%}}', 'A {{< "b" and {{<'])(
    'nothing is reported for %s',
    (source) => {
      expect(toldOf(source)).toEqual([]);
      expect(markdownLines(source)).toEqual(source.split('\n').filter(Boolean));
    },
  );
});

test('unknown shortcodes are reported at their position, with what is lost', () => {
  const source = [
    'A {{< one a="x>}}y" >}}{{< two/three.four >}}',
    '  {{< five >}}',
    '  held {{< five />}}',
    '  {{< /five >}}',
    '{{< figure >}}',
    ':  {{< six >}}',
    ': Meaning',
  ];
  const missing = (name: string) => `The shortcode ${name} is not supported: its output is missing.`;
  expect(toldOf(source.join('\n'))).toEqual([
    `1:3 ${missing('one')}`,
    `1:24 ${missing('two/three.four')}`,
    '2:3 The shortcode five is not supported: only its content is shown.',
    `3:8 ${missing('five')}`,
    `5:1 ${missing('figure')}`,
    `6:4 ${missing('six')}`,
  ]);
  expect(markdownLines(source.join('\n'))).toEqual(['A ', '  held ', ': Meaning']);
});

test('each line is read once, however many shortcodes a page has', () => {
  const lines = Array.from({ length: 30_000 }, (_, at) => `{{< figure src="${at}.png" alt="b c" >}}`);
  expect(markdownLines(lines.join('\n'))).toEqual(lines.map((_, at) => `![b c](<${at}.png>)`));
});

test('a line is read once, however much inline code is between its shortcodes', () => {
  expect(markdownLines('`x`{{< note >}}'.repeat(400_000))).toEqual(['`x`'.repeat(400_000)]);
});

test('a closing tag above its shortcode does not make a block', () => {
  const source = '{{< /note >}}\n{{< note >}}\nText\n{{< tip />}}\nMore\n{{< /tip >}}';
  expect(markdownLines(source)).toEqual(['</md-admonition>', 'Text', 'More', '</md-admonition>']);
});

test('a block may begin and end on the lines of its text', () => {
  const source = [
    ...['{{< alert title="Data loss" color="warning" >}}Back up first.{{< /alert >}}', '{{< tabs >}}'],
    ...['{{< tab "Linux" >}}apt install x{{< /tab >}}', '{{< tab "macOS" >}}brew install x{{< /tab >}}'],
    ...['{{< /tabs >}}', '{{% note %}}Long text', 'continues{{% /note %}} After', 'Before {{< tip >}}`{{< /x >}}`'],
    ...['{{< /tip >}}', '## A {{< details "More" >}}B {{< ref "c.md" >}}{{< /details >}}', 'D {{< gone >}}'],
  ];
  expect(markdownLines(source.join('\n'))).toEqual([
    ...['<md-admonition kind="warning" title="Data loss">', 'Back up first.', '</md-admonition>', '<md-tabs>'],
    ...['<md-tab label="Linux">', 'apt install x', '</md-tab>', '<md-tab label="macOS">', 'brew install x'],
    ...['</md-tab>', '</md-tabs>', '<md-admonition kind="note">', 'Long text', 'continues', '</md-admonition>'],
    ...['After', 'Before ``', '</md-admonition>', '## A', '<details><summary>More</summary>', 'B c.md', '</details>'],
    'D ',
  ]);
  expect(toldOf(source.join('\n'))).toEqual([
    '8:8 The shortcode tip is written within a line: only its content is shown.',
    '11:3 The shortcode gone is not supported: its output is missing.',
  ]);
});

test('a block that begins with a list item, or within one, belongs to it', () => {
  const source = [
    ...['1. Do it: {{< note >}}With care{{< /note >}}', '2. {{< tip >}}Twice{{< /tip >}}', '   Then'],
    ...['3. {{< tip >}}', '   Text', '   {{< /tip >}}', '> {{< note >}}Quoted{{< /note >}}'],
  ];
  expect(markdownLines(source.join('\n'))).toEqual([
    ...['1. Do it:', '   <md-admonition kind="note">', '   With care', '   </md-admonition>'],
    ...['2. <md-admonition kind="tip">', '   Twice', '   </md-admonition>', '   Then'],
    ...['3. <md-admonition kind="tip">', '   Text', '   </md-admonition>'],
    ...['<md-admonition kind="note">', '> Quoted', '</md-admonition>'],
  ]);
  expect(toldOf(source.join('\n'))).toEqual([]);
});

test.each([
  ['A {{< /gone >}}{{< note >}}B{{< /note >}} C', '1:16', 'A B C'],
  ['| {{< note >}}B{{< /note >}}', '1:3', '| B'],
  [': {{< note >}}B{{< /note >}}', '1:3', ': B'],
  ['> - {{< note >}}B{{< /note >}}', '1:5', '> - B'],
])('a block within a line is reported, and its content is shown: %s', (source, place, made) => {
  expect(markdownLines(source)).toEqual([made]);
  expect(toldOf(source)).toEqual([`${place} The shortcode note is written within a line: only its content is shown.`]);
});

test('nested blocks lose the indentation of their tags, and text after them keeps its own', () => {
  const source = [
    '{{< note >}}',
    '  {{< tip >}}',
    '    {{< highlight sh >}}',
    '    ls',
    '    {{< /highlight >}}',
    '  Inner',
    '  {{< /tip >}}',
    '{{< /note >}}',
    '  After',
  ];
  expect(markdownLines(source.join('\n'))).toEqual([
    ...['<md-admonition kind="note">', '<md-admonition kind="tip">', '  ````sh', '  ls', '  ````', 'Inner'],
    ...['</md-admonition>', '</md-admonition>', '  After'],
  ]);
});
