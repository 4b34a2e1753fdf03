import { describe, expect, test } from 'vitest';
import { markdownLines } from '../../testing/normalised.ts';
import { normalise } from './normalise.ts';

/** Expects that no dialect changes the source. */
function unchanged(source: string): void {
  expect(normalise(source, false).markdown).toBe(source);
}

describe('indented code is not changed by any dialect', () => {
  test('lines that look like attribute lists, such as PromQL', () => {
    unchanged('A series:\n\n    {job="api", method="GET"}\n\n    {__name__="requests_total"}\n\nText');
  });

  test.each([
    ['MkDocs', '    !!! note\n\n        Text\n\n    === "Tab"\n\n        One'],
    ['Hugo', '    {{< note >}}\n    {{< /note >}}\n    {{% include "x" %}}'],
    ['Liquid', '    {% if a %}\n    {{ site.title }}'],
    ['wiki links', '    [[Page]] ==a== %%b%%'],
    ['components', '    <Tip>\n    <Badge text="x" />'],
    ['containers', '    ::: tip Title'],
    ['a tab as indentation', '\t{job="api"}\n\t!!! note'],
    ['code below an empty item', '-\n\nText\n\n    {job="api"}'],
    ['code below an item whose text is on its next line', '-\n  item\n\n      {job="api"}\n\n      !!! note'],
    ['code in a list', '- item\n\n      {job="api"}\n\n      !!! note'],
  ])('%s', (_tool, code) => {
    unchanged(`Text\n\n${code}\n\nText`);
  });

  test('the body of a block is not code, but indented code in it is', () => {
    const source = '!!! note\n\n    Text\n\n        {job="api"}\n\nTerm\n\n:   One\n\n    Two\n\n        {job="b"}\n';
    const lines = markdownLines(source);
    expect(lines).toEqual([
      ...['<md-admonition kind="note">', 'Text', '    {job="api"}', '</md-admonition>'],
      ...['Term', ':   One', '    Two', '        {job="b"}'],
    ]);
  });

  test('indented lines of a list, footnote or paragraph are not code', () => {
    const source = '1. item\n\n    [[A]]\n\n[^1]: note\n\n    [[B]]\n\ntext\n    [[C]]\n';
    expect(normalise(source, false).markdown.match(/\[\w\]\(<\w>\)/g)).toEqual(['[A](<A>)', '[B](<B>)', '[C](<C>)']);
  });

  test('in MDX, indented lines are not code', () => {
    expect(normalise('Text\n\n    {1}', true).markdown).toBe('Text\n\n    1');
  });
});

test('a tag right below a list is not part of it, even if the page has indented code', () => {
  const list = '{{< tab "A" >}}\n1. item\n{{< /tab >}}\n\n- item\n\n\t{{< note >}}\n\tText\n\t{{< /note >}}';
  const lines = ['<md-tab label="A">', '1. item', '</md-tab>', '- item'];
  expect(markdownLines(`${list}\n\nText\n\n    code`)).toEqual([
    ...[...lines, '  <md-admonition kind="note">', '\tText', '  </md-admonition>', 'Text', '    code'],
  ]);
});

test('a shortcode opens a block only if it is closed somewhere', () => {
  unchanged('A\n\n    [[B]]\n\n    {{< note >}}');
  expect(normalise('{{< note >}}\n\n    [[A]]\n\n{{</note>}}', false).markdown).toContain('[A](<A>)');
  expect(normalise('{{< note >}}\n\n    [[A]]\n', false).markdown).toContain('    [[A]]');
  expect(normalise('{{< note >}}B{{</note>}}\n\n    [[A]]\n', false).markdown).toContain('    [[A]]');
});

test('nested tags may be indented without turning their content into code', () => {
  const source = [
    '{{< tabs >}}',
    '    {{< tab "A" >}}',
    '    One',
    '',
    '    Two',
    '    {{< /tab >}}',
    '{{< /tabs >}}',
    '',
    '1. item',
    '',
    '   {{< note >}}',
    '   Three',
    '   {{< /note >}}',
  ];
  const lines = markdownLines(source.join('\n'));
  expect(lines).toEqual([
    ...['<md-tabs>', '<md-tab label="A">', 'One', 'Two', '</md-tab>', '</md-tabs>'],
    ...['1. item', '   <md-admonition kind="note">', '   Three', '   </md-admonition>'],
  ]);
});

test('shortcodes of a list item stay in it, however far they and their content are indented', () => {
  expect(markdownLines('1. First\n\n   {{< note >}}\n   Three\n   {{< /note >}}\n\n   Then\n\n2. Second')).toEqual([
    ...['1. First', '   <md-admonition kind="note">', '   Three', '   </md-admonition>', '   Then', '2. Second'],
  ]);
  const nested = [
    ...['1. First', '', '    {{< details "More" >}}', '    {{< note >}}', '    One', '    {{< /note >}}'],
    ...['      {{< tip >}}', '      Two', '      {{< /tip >}}', '    {{< /details >}}', '', '    Then', '2. Second'],
  ];
  expect(markdownLines(nested.join('\n'))).toEqual([
    ...['1. First', '   <details><summary>More</summary>'],
    ...['   <md-admonition kind="note">', '   One', '   </md-admonition>'],
    ...['   <md-admonition kind="tip">', '   Two', '   </md-admonition>'],
    ...['   </details>', '    Then', '2. Second'],
  ]);
});

test('shortcodes in a list of an indented block move with the list', () => {
  const source = [
    ...['{{< tabs >}}', '    {{< tab "A" >}}', '    1. First', '', '       {{< tip >}}', '       {{< note >}}'],
    ...['       Text', '       {{< /note >}}', '       {{< /tip >}}', '    {{< /tab >}}', '{{< /tabs >}}'],
  ];
  expect(markdownLines(source.join('\n'))).toEqual([
    ...['<md-tabs>', '<md-tab label="A">', '1. First', '   <md-admonition kind="tip">'],
    ...['   <md-admonition kind="note">', '   Text', '   </md-admonition>', '   </md-admonition>'],
    ...['</md-tab>', '</md-tabs>'],
  ]);
});

test('tabs of code in a list item stay in it', () => {
  const source = [
    ...['- First', '', '    {{< tabpane lang="sh" >}}', '      {{< tab "A" >}}', '      ls', '        -l'],
    ...['      {{< /tab >}}', '    {{< /tabpane >}}', '', '    Then'],
  ];
  expect(markdownLines(source.join('\n'))).toEqual([
    ...['- First', '  <md-tabs>', '  <md-tab label="A">', '  ````sh', '  ls', '    -l', '  ````'],
    ...['  </md-tab>', '  </md-tabs>', '    Then'],
  ]);
});
