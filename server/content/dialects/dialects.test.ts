import { describe, expect, test } from 'vitest';
import { markdownLines as lines } from '../../testing/normalised.ts';
import { normalise } from './normalise.ts';

describe('containers', () => {
  test.each([
    ['::: tip Title', ':::tip[Title]'],
    [':::tip Title', ':::tip[Title]'],
    [':::warning[Title]', ':::warning[Title]'],
    ['  :::NOTE', '  :::note'],
    ['::: details More {open}', ':::details[More]'],
    [':::tip a ] b', ':::tip[a \\] b]'],
    [':::tip [a] b ] [', ':::tip[\\[a\\] b \\] \\[]'],
    [':::tip a [b] c', ':::tip[a [b] c]'],
    ['::: tip [Title] {.wide}', ':::tip[Title]'],
    [':::warning{title="Data loss"}', ':::warning[Data loss]'],
    ["- ::: warning {#lost .wide title='Use {id} ]'}", '- :::warning[Use {id} \\]]'],
    [':::tab{label=Linux}', ':::tab[Linux]'],
    [':::tip[Title]{title="Other"}', ':::tip[Title]'],
    ['::: details {open .title="no"}', ':::details'],
    ['> - 12) ::::danger', '> - 12) ::::danger'],
    ['> 1. ::: tip Title', '> 1. :::tip[Title]'],
    ['::: other Title', '::: other Title'],
    ['::: tip a [b]', ':::tip[a [b]]'],
    ['redis:alpine at 10:30am', 'redis:alpine at 10:30am'],
  ])('%s', (source, made) => {
    expect(lines(source)).toEqual([made]);
  });

  test('a deeply indented fence does not end a code block', () => {
    const source = '```\n=== "C"\n\n    ``` c\n    int a;\n    ```\n\n::: tip Title\n```';
    expect(normalise(source, false).markdown).toBe(source);
  });

  test('code stays unchanged', () => {
    expect(lines('```\n::: tip Title\n```')).toEqual(['```', '::: tip Title', '```']);
  });
});

describe('mdx', () => {
  test('statements and expressions are removed, and lines keep their numbers', () => {
    const source = [
      "import A from 'a';",
      'export const b = {',
      '  c: 1,',
      '};',
      '',
      'Text {b.c} and {/* note */}`{code}` {"x"}.',
    ].join('\n');
    const made = normalise(source, true);
    expect(made.markdown.split('\n')[5]).toBe('Text  and `{code}` x.');
    expect(made.sourceLine(6)).toBe(6);
  });

  test('known components become elements, others leave their children', () => {
    const source =
      '<Tabs groupId="os">\n  <TabItem value="a" label="A" default>\n    One\n  </TabItem>\n</Tabs>\n<Card title="T">\nTwo\n</Card>\n<Foo a={{b: "}"}} />';
    expect(lines(source, true).map((line) => line.trim())).toEqual([
      '<md-tabs groupId="os">',
      '<md-tab label="A">',
      'One',
      '</md-tab>',
      '</md-tabs>',
      '**T**',
      'Two',
    ]);
  });

  test('tab labels come from the tab or from its group', () => {
    const tabs = (source: string) => lines(source, true).flatMap((line) => /label="([^"]*)"/.exec(line)?.[1] ?? []);
    const docusaurus = '<Tabs values={[{label: "Mac OS", value: "mac"}, {label: "Linux", value: "linux"}]}>';
    expect(tabs(`${docusaurus}<TabItem value="linux">a</TabItem><TabItem value="mac">b</TabItem></Tabs>`)).toEqual([
      ...['Linux', 'Mac OS'],
    ]);
    const nextra = '<Tabs items={["npm", `yarn`]}><Tabs.Tab>a</Tabs.Tab>\n<Tabs.Tab>b</Tabs.Tab></Tabs>';
    expect(tabs(nextra)).toEqual(['npm', 'yarn']);
    expect(tabs('<Tabs><Tab title="One">a</Tab><TabItem value="two">b</TabItem></Tabs>')).toEqual(['One', 'two']);
  });

  test('attributes need no space after a quote or a brace', () => {
    expect(lines('<img src="a.png"alt="A"width={3}title=\'T\'/>', true)).toEqual([
      '<img src="a.png" alt="A" title="T">',
    ]);
  });

  test('parameters and cards show their attributes', () => {
    const source =
      '<ParamField path="id" type="string" required>\nText\n</ParamField>\n<LinkCard title="T" href="/a" description="D" />';
    expect(lines(source, true).map((line) => line.trim())).toEqual([
      '**`id`** `string`, required',
      ...['Text', '[T](</a>) D'],
    ]);
  });

  test('markdown between two tags on one line is parsed', () => {
    expect(lines('<summary>**A** b</summary>\n- <p>[c](d.md) e</p>\n<td>plain</td>', true)).toEqual([
      ...['<summary>', '**A** b', '</summary>', '- [c](d.md) e', '<td>plain</td>'],
    ]);
  });

  test('JSX attributes become HTML attributes', () => {
    const source = '<div className="x" style={{color: "red"}}><img src={require("./a.png").default} /></div>';
    expect(lines(source, true)).toEqual(['<div class="x"><img src="./a.png"></div>']);
  });

  test('heading ids and the excerpt marker stay', () => {
    expect(lines('## A {#b}\n\n{/* truncate */}', true)).toEqual(['## A {#b}', '<!-- truncate -->']);
  });

  test('a comment at the end of a heading is its id, and marks a .md file as MDX', () => {
    const source = '## One {/*first-part*/}\n\n<Intro>\nText {a}\n</Intro>\n\n{/* note */}';
    expect(lines(source).map((line) => line.trim())).toEqual(['## One {#first-part}', 'Text']);
    expect(lines('Write `{/* note */}` and {a}.')).toEqual(['Write `{/* note */}` and {a}.']);
  });

  test('outside MDX, markdown inside unknown elements is parsed', () => {
    const source = '<Intro id="a">\n**Text** {{ a }}\n</Intro>';
    expect(normalise(source, false).markdown).toBe('\n<Intro id="a">\n\n**Text** {{ a }}\n\n</Intro>\n');
  });

  test('known components work outside MDX, too', () => {
    expect(lines('<Tip>\n\nText\n\n</Tip>\n\nNew <Badge text="beta" />, `<Badge />`, Array<Step>')).toEqual([
      ...['<md-admonition kind="tip">', 'Text', '</md-admonition>'],
      'New **beta** , `<Badge />`, Array<Step>',
    ]);
  });

  test('known components work within a line and right after each other', () => {
    expect(lines('<Tip>Text</Tip>')).toEqual(['<md-admonition kind="tip">Text</md-admonition>']);
    expect(lines('<p><Badge text="a" /></p> Map<A, List<Step>>')).toEqual(['<p>**a** </p> Map<A, List<Step>>']);
  });

  test('components that become no element leave no closing tag', () => {
    expect(
      lines('<Steps><ParamField name="n">a</ParamField><Card title="T">b</Card></Steps> <Other>c</Other>'),
    ).toEqual(['**`n`** a**T** b <Other>c</Other>']);
  });

  test('a badge is not part of its heading id', () => {
    expect(lines('## `useData` <Badge type="info" text="new" />\n\n### A <Badge text="b" /> {#c}')).toEqual([
      ...['## `useData` **new**  {#usedata}', '### A **b**  {#c}'],
    ]);
    expect(lines('# One <Badge text="new" />')).toEqual(['# One **new**  {#one}']);
    expect(lines('##  Two words  <Badge text="new" />')).toEqual(['##  Two words  **new**  {#two-words}']);
  });

  test.each(['Write \\<Tip>a\\</Tip> \\<Badge text="a" />', '## The \\<Badge> part', '## The `<Badge>` part'])(
    'a component that is escaped or in code stays as written: %s',
    (source) => expect(lines(source)).toEqual([source]),
  );

  test('a .md file with an import is MDX, one with a script element is not', () => {
    expect(lines("import A from 'a'\n\nText {a}")).toEqual(['Text ']);
    expect(lines('  <Tabs>\nText {a}')).toEqual(['  <md-tabs>', 'Text ']);
    expect(lines("<script setup>\nimport A from 'a'\n</script>\n\nText {{ a }}")).toContain('Text {{ a }}');
  });

  test('a million backticks are read in reasonable time', () => {
    const line = `a ${'`'.repeat(1_000_000)}`;
    expect(lines(line)).toEqual([line]);
  });
});

describe('hugo', () => {
  test.each([
    ['[a]({{< ref "b.md" >}})', '[a](b.md)'],
    ['Text {{< param x >}}.', 'Text .'],
    ['`{{</* note */>}}`', '`{{< note >}}`'],
    ['{{< figure\n src="a.png"\n alt="A" >}}', '![A](<a.png>)'],
  ])('%s', (source, made) => {
    expect(lines(source)).toEqual([made]);
  });

  test('paired shortcodes become blocks, and a listing becomes code', () => {
    expect(lines('{{% note %}}\nText\n{{% /note %}}')).toEqual([
      '<md-admonition kind="note">',
      'Text',
      '</md-admonition>',
    ]);
    expect(lines('{{< highlight go >}}\n:::tip x\n{{< /highlight >}}')).toEqual(['````go', ':::tip x', '````']);
  });

  test('an unclosed shortcode swallows no text', () => {
    expect(lines('{{< code-toggle config=x />}}\nText\n{{< note >}}\nMore')).toEqual(['Text', 'More']);
  });
});

describe('mkdocs', () => {
  test('admonitions and tabs lose their indentation, and adjacent tabs form one group', () => {
    const source = '!!! tip "My title"\n\n    Text\n\n=== "A"\n\n    One\n\n=== "B"\n\n    Two';
    const tab = (label: string, text: string) => ['<md-tab>', '<md-label>', label, '</md-label>', text, '</md-tab>'];
    expect(lines(source)).toEqual([
      '<md-admonition kind="tip">',
      '<md-label>',
      'My title',
      '</md-label>',
      'Text',
      '</md-admonition>',
      '<md-tabs>',
      ...tab('A', 'One'),
      ...tab('B', 'Two'),
      '</md-tabs>',
    ]);
  });

  test('an admonition may consist of its title alone', () => {
    expect(lines('!!! warning "Only this"\n\nText')).toEqual([
      ...['<md-admonition kind="warning">', '<md-label>', 'Only this', '</md-label>', '</md-admonition>', 'Text'],
    ]);
  });

  test('a tab may consist of its label alone, and icons in labels are dropped', () => {
    expect(lines('=== ":octicons-file-code-16: One"\n\n=== "Two"\n')).toEqual([
      ...['<md-tabs>', '<md-tab>', '<md-label>', 'One', '</md-label>', '</md-tab>'],
      ...['<md-tab>', '<md-label>', 'Two', '</md-label>', '</md-tab>', '</md-tabs>'],
    ]);
  });

  test('the name of an API stays, its options are removed', () => {
    expect(lines('A\n\n#### ::: pack.age.Name\n    options:\n      x: 1\n\nC')).toEqual([
      'A',
      '#### `pack.age.Name`',
      'C',
    ]);
  });

  test('options that comments describe are shown', () => {
    expect(lines('<!-- md:option cards.dir -->\n\n:   <!-- md:default `a` --> Text')).toEqual([
      ...['`cards.dir`', ':   Default: `a`. Text'],
    ]);
  });

  test('an unclosed code block ends with its tab', () => {
    expect(lines('=== "A"\n\n    ``` sh\n    ls\n\n=== "B"\n\n    Two').slice(5, 9)).toEqual([
      ...['``` sh', 'ls', '```', '</md-tab>'],
    ]);
  });

  test('the line below a heading sets its id, and icons are dropped', () => {
    expect(lines('## 1.0\n{: .x #v1 }\n\n-   :material-check: yes `:material-check:`')).toEqual([
      '## 1.0 {#v1}',
      '-   yes `:material-check:`',
    ]);
  });

  test('attribute lists and [TOC] are removed', () => {
    expect(lines('[TOC]\n\n[a](b.md){ .button } c')).toEqual(['[a](b.md) c']);
  });
});

describe('liquid', () => {
  test('tags are removed, listings become code, and link addresses stay', () => {
    const source = [
      "[a]({{ '/docs/a/' | relative_url }}) [b]({% link _docs/b.md %}) [c]({% post_url 2020-01-02-c %})",
      '{% include note.html %}',
      '{% highlight ruby %}',
      '{{ code }} {% kept %}',
      '{% endhighlight %}',
      '{% comment %}',
      'hidden',
      '{% endcomment %}',
      'Version {{ site.version }}, [#1]({{ site.repo }}/1) [x]({{ site.baseurl }}/x).',
      '| a |',
      '| - |',
      '{% for a in b %}',
      '| c |',
    ];
    expect(lines(source.join('\n'))).toEqual([
      '[a](/docs/a/) [b](/docs/b.md) [c](/blog/2020-01-02-c)',
      ...['````ruby', '{{ code }} {% kept %}', '````', 'Version , #1 [x](/x).', '| a |', '| - |', '| c |'],
    ]);
  });

  test('a tag leaves no empty line in a table', () => {
    expect(normalise('| a |\n| - |\n{% for a in b %}\n| c |', false).markdown).toBe('| a |\n| - |\n| c |');
  });

  test('raw text stays, inside and outside code', () => {
    const source =
      '{% raw %}\n{% if a %}\n{% endraw %}\n\n```\n{% raw %}{{ b }}{% endraw %}\n```\n\n{% raw %}`{{ c }}`{% endraw %}';
    expect(lines(source)).toEqual(['{% if a %}', '```', '{{ b }}', '```', '`{{ c }}`']);
    expect(lines('A {% raw %}{{ b }}{% endraw %} {{ site.c }}')).toEqual(['A {{ b }} ']);
  });

  test('text that only mentions Liquid stays', () => {
    const source = 'Use `{% raw %}` and {{ name }}.\n\n```\n{% raw %}\n```';
    expect(normalise(source, false).markdown).toBe(source);
  });
});

test('each line keeps its line number in the source', () => {
  const { markdown, sourceLine } = normalise('!!! note\n    A\n\nB\n\n=== "T"\n    C\n', false);
  const made = markdown.split('\n');
  expect(['A', 'B', 'C'].map((text) => sourceLine(made.indexOf(text) + 1))).toEqual([2, 4, 7]);
});

test.each([
  ['Press ++ctrl+alt+del++ or ++arrow-up++', 'Press <kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>Del</kbd> or <kbd>↑</kbd>'],
  ['++"<a>"++ ++page-down++ ++f5++', '<kbd>&lt;a></kbd> <kbd>Page Down</kbd> <kbd>F5</kbd>'],
  ["++'a & <b>'++ ++Return+num-lock++", '<kbd>a &amp; &lt;b></kbd> <kbd>Enter</kbd>+<kbd>Num Lock</kbd>'],
  ['++command+windows+escape+insert++', '<kbd>Cmd</kbd>+<kbd>Win</kbd>+<kbd>Esc</kbd>+<kbd>Ins</kbd>'],
  ['++up+down+left+right++', '<kbd>↑</kbd>+<kbd>↓</kbd>+<kbd>←</kbd>+<kbd>→</kbd>'],
  ['i++ + j++, C++/C++11, `++ctrl++`', 'i++ + j++, C++/C++11, `++ctrl++`'],
  ['a++b++ ++c+++ ++d e++', 'a++b++ ++c+++ ++d e++'],
])('keys: %s', (source, made) => {
  expect(lines(source)).toEqual([made]);
});

test.each([
  ['[[Page name]]', '[Page name](<Page name>)'],
  ['[[Page#One two|words]]', '[words](<Page#One%20two>)'],
  ['| [[Page\\|words]] |', '| [words](<Page>) |'],
  ['| [[Page#One two\\|words]] |', '| [words](<Page#One%20two>) |'],
  ['![[a b.png|300]]', '![](<a b.png>)'],
  ['[[#Part]]', '[Part](<#Part>)'],
  ['[[Page#`x`|`y`]]', '[`y`](<Page#%60x%60>)'],
  ['[[words]](b.md) [[words]][ref] [[1, 2]] `[[code]]`', '[[words]](b.md) [[words]][ref] [[1, 2]] `[[code]]`'],
  ['==marked== a==b==c', '<mark>marked</mark> a==b==c'],
  ['==a=', '==a='],
  ['==marked words==', '<mark>marked words</mark>'],
  ['==a b== == c== ==d e', '<mark>a b</mark> == c== ==d e'],
  ['A %%hidden words%%, %%hidden%% 50%%x%%', 'A %%hidden words%%,  50%%x%%'],
  ['![[a.JPEG|alt]] ![[b.svg|100x200]] ![[c.pdf]]', '![alt](<a.JPEG>) ![](<b.svg>) [c.pdf](<c.pdf>)'],
  ['[[a#b#c]] [[a#^block]] [[a#]] [[a| b ]]', '[a > b > c](<a#c>) [a](<a>) [a](<a>) [b](<a>)'],
  ['[[#^block]] [[#^block|words]]', '[^block](<>) [words](<>)'],
  ['[[|x]] [[]] [[ a]]', '[[|x]] [[]] [[ a]]'],
  ['`[[` a ]] [[b]] `c [[d]]`', '`[[` a ]] [b](<b>) `c [[d]]`'],
])('wiki: %s', (source, made) => {
  expect(lines(source)).toEqual([made]);
});
