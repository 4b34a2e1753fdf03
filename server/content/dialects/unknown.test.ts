import { expect, test } from 'vitest';
import { normalise } from './normalise.ts';

/** What is reported for a source, as `line:column rule: what`. */
function told(source: string, isMdx = false): string[] {
  return normalise(source, isMdx).faults.map(
    ({ line, column, rule, message }) => `${line}:${column} ${rule}: ${message.replace(/ (?:is|are) .*/, '')}`,
  );
}

test('unknown MDX components and expressions are reported', () => {
  const source = [
    "import Chart from './chart';",
    '',
    'Text <Chart data={[1]} /> and {props.name}',
    '  <Wrap.Up>',
    'inside {/* note */} {" "} {3}',
    '  </Wrap.Up>',
    '<Tabs><TabItem label="A">x</TabItem></Tabs> <img src={picture} /> `<Chart />` {',
  ];
  expect(told(source.join('\n'), true)).toEqual([
    ...['3:6 unknown-component: <Chart>', '3:31 unknown-expression: {props.name}'],
    ...['4:3 unknown-component: <Wrap.Up>', '7:45 unknown-component: <img>'],
  ]);
});

test('an imported picture in MDX is resolved', () => {
  const { markdown, faults } = normalise("import logo from './logo.png';\n\n<img src={logo} alt='L' />", true);
  expect(faults).toEqual([]);
  expect(markdown).toContain('<img alt="L" src="./logo.png">');
});

test('unknown Hugo shortcodes are reported', () => {
  const source = [
    'Text {{< param version >}} [a]({{< ref "b.md" >}})',
    '',
    '{{< gallery dir="x" />}}',
    '{{% card %}}',
    'held',
    '{{% /card %}}',
    '{{% note %}}',
    'Text',
    '{{% /note %}}',
    '```',
    '{{< param x >}}',
    '```',
    '`{{</* param x */>}}`',
  ];
  expect(told(source.join('\n'))).toEqual([
    '1:6 unknown-shortcode: The shortcode param',
    '3:1 unknown-shortcode: The shortcode gallery',
    '4:1 unknown-shortcode: The shortcode card',
  ]);
});

test('Liquid tags and values are reported', () => {
  const source = [
    '{% if page.x %}',
    'Text {{ site.version }} [a]({{ "/b" | relative_url }}) [c]({{ site.baseurl }}/d)',
    '{% endif %}',
    '- {% data reusables.x %} and {% raw %}{{ kept }}{% endraw %} `{{ code }}`',
    '[#1]({{ site.repo }}/1)',
  ];
  expect(told(source.join('\n'))).toEqual([
    '2:6 unknown-shortcode: {{ site.version }}',
    '4:3 unknown-shortcode: {% data %}',
    '5:1 unknown-shortcode: {{ site.repo }} in the address of this link',
  ]);
});

test('MkDocs texts taken from code are reported', () => {
  expect(told('# A\n\n::: pack.age.Name\n    options: x')).toEqual([
    '3:1 unknown-shortcode: The text that ::: pack.age.Name takes from code',
  ]);
});

test('unclosed blocks are reported where they begin, and an inline listing is resolved', () => {
  const hugo = '{{< highlight sql >}}\nselect\n\n{{% note %}}\nText\n\nA {{< highlight go >}}x{{< /highlight >}} b';
  expect(told(hugo)).toEqual(['1:1 unclosed: The shortcode highlight', '4:1 unclosed: The shortcode note']);
  expect(normalise(hugo, false).markdown).toContain('A `x` b');
  expect(told('Text\n\n{% comment %}\nText')).toEqual(['3:1 unclosed: {% comment %}']);
  const listing = normalise('{% highlight sql %}\nselect', false);
  expect(listing.faults).toEqual([expect.objectContaining({ line: 1, column: 1, rule: 'unclosed' })]);
  expect(listing.markdown).toBe('````sql\nselect\n````');
  expect(told('Text\n\nexport const a = {\n\nText', true)).toEqual(['3:1 unclosed: This statement']);
});
