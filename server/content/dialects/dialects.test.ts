import { describe, expect, test } from 'vitest';
import { normalise } from './normalise.ts';

/** The markdown a source becomes, without empty lines. */
function lines(source: string, isMdx = false): string[] {
  return normalise(source, isMdx)
    .markdown.split('\n')
    .filter((line) => line.trim() !== '');
}

describe('containers', () => {
  test.each([
    ['::: tip Title', ':::tip[Title]'],
    [':::tip Title', ':::tip[Title]'],
    [':::warning[Title]', ':::warning[Title]'],
    ['  :::NOTE', '  :::note'],
    ['::: details More {open}', ':::details[More]'],
    [':::tip a ] b', ':::tip[a \\] b]'],
    ['::: mkdocs.api', '::: mkdocs.api'],
    ['redis:alpine at 10:30am', 'redis:alpine at 10:30am'],
  ])('%s', (source, made) => {
    expect(lines(source)).toEqual([made]);
  });

  test('code stays', () => {
    expect(lines('```\n::: tip Title\n```')).toEqual(['```', '::: tip Title', '```']);
  });
});

describe('mdx', () => {
  test('statements and expressions go, lines keep their number', () => {
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

  test('components: known ones become elements, others leave their children', () => {
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

  test('attributes become HTML', () => {
    const source = '<div className="x" style={{color: "red"}}><img src={require("./a.png").default} /></div>';
    expect(lines(source, true)).toEqual(['<div class="x"><img src="./a.png"></div>']);
  });

  test('a heading keeps its id, the marker of the excerpt stays', () => {
    expect(lines('## A {#b}\n\n{/* truncate */}', true)).toEqual(['## A {#b}', '<!-- truncate -->']);
  });

  test('a .md file with an import is MDX, one with a script element is not', () => {
    expect(lines("import A from 'a'\n\nText {a}")).toEqual(['Text ']);
    expect(lines("<script setup>\nimport A from 'a'\n</script>\n\nText {{ a }}")).toContain('Text {{ a }}');
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

  test('pairs become blocks, a listing is code', () => {
    expect(lines('{{% note %}}\nText\n{{% /note %}}')).toEqual([
      '<md-admonition kind="note">',
      'Text',
      '</md-admonition>',
    ]);
    expect(lines('{{< highlight go >}}\n:::tip x\n{{< /highlight >}}')).toEqual(['````go', ':::tip x', '````']);
  });

  test('what is never closed takes nothing with it', () => {
    expect(lines('{{< code-toggle config=x />}}\nText\n{{< note >}}\nMore')).toEqual(['Text', 'More']);
  });
});

describe('mkdocs', () => {
  test('admonitions and tabs lose their indentation, neighbours share a row', () => {
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

  test('attribute lists and [TOC] go', () => {
    expect(lines('[TOC]\n\n[a](b.md){ .button } c')).toEqual(['[a](b.md) c']);
  });
});

test('definition lists', () => {
  expect(lines('Term\n: One\n: Two\n\n  more\n\nText')).toEqual([
    ...['<dl>', '<dt>', 'Term', '</dt>', '<dd>', 'One', '</dd>', '<dd>', 'Two', 'more', '</dd>', '</dl>', 'Text'],
  ]);
});
