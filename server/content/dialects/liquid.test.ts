import { expect, test } from 'vitest';
import { markdownLines, toldOf } from '../../testing/normalised.ts';

test.each([
  ['{%- if a -%}x{% elsif b %}y{% endif %}', ['xy']],
  ['{% for x in y %}a{% break %}{% endfor %}{% endother %}', ['a']],
  ['{%- include_relative a.md -%}\nText', ['Text']],
  ['{% link a.md %} {% link /_x/b.md %} {% post_url c/2020-01-02-d %}', ['/a.md /x/b.md /blog/c/2020-01-02-d']],
  ['{{ site.url }}{{ site.baseurl }}/x {{ "/a" | prepend: site.baseurl }}', ['/x /a']],
  ['{% if a %}{{ \'b\' }} {{ "c" }}', ['b c']],
  ['{% highlight sh linenos %}\nls\n{% endhighlight %}', ['````sh', 'ls', '````']],
  ['{% highlight sh %}\na {% raw %}{{ b }}{% endraw %}\n{% endhighlight %}', ['````sh', 'a {{ b }}', '````']],
  ['  {% highlight %}\n  a\n  {% endhighlight %}\n{% if b %}', ['  ````', '  a', '  ````']],
  ['{% comment %}\n```\nx\n```\n{% endcomment %}\ny', ['y']],
  ['{%  raw %}\n++ctrl++\n{% endraw %}', ['<kbd>Ctrl</kbd>']],
  ['{% raw %}\n```\n{{ x }}\n```\n{% endraw %}', ['```', '{{ x }}', '```']],
  ['```\n{% raw %}\n{% comment %}\n{% endraw %}\n```\n{% if x %}y', ['```', '{% comment %}', '```', 'y']],
  ['{% if a %}`{% raw %}` {% b %}{% endraw %}', ['`{% raw %}` ']],
  ['{% include a.html\nb="c" %}', ['{% include a.html', 'b="c" %}']],
])('%s', (source, made) => expect(markdownLines(source)).toEqual(made));

test.each(['{{{ a }}}', 'Use {{ name }} or {{ a.b }}.', '`{{ site.x }}` and `{% if %}`', '{ %if% }', '{{% a %}}'])(
  'text that is not Liquid is not reported: %s',
  (source) => expect(toldOf(source).filter((told) => told.includes('is not evaluated'))).toEqual([]),
);

test('lost output is reported at its position', () => {
  const source = [
    '{% if a %}',
    '{{ site.x | default: "a" }} `{{ code }}` {{- page.y -}}',
    "a {% data b %} {{ c['d'] }} {{ e.f-g }} {{ site.baseurl_h }}",
    '[a [b] {% c %}]({{ site.x }}/y) [{{ d }}]({{page.url}}#z) [e]({{ site.baseurl }}/f)',
  ];
  const lost = (what: string) => `${what} is not evaluated: its output is missing.`;
  const link = (what: string) => `${what} in the address of this link is not evaluated: only its text is shown.`;
  expect(toldOf(source.join('\n'))).toEqual([
    `2:1 ${lost('{{ site.x | default: "a" }}')}`,
    `2:42 ${lost('{{- page.y -}}')}`,
    `3:3 ${lost('{% data %}')}`,
    `3:16 ${lost("{{ c['d'] }}")}`,
    `3:29 ${lost('{{ e.f-g }}')}`,
    `3:41 ${lost('{{ site.baseurl_h }}')}`,
    `4:8 ${lost('{% c %}')}`,
    `4:1 ${link('{{ site.x }}')}`,
    `4:34 ${lost('{{ d }}')}`,
    `4:33 ${link('{{page.url}}')}`,
  ]);
  expect(markdownLines(source.join('\n'))).toEqual([' `{{ code }}` ', 'a    ', 'a [b]   [e](/f)']);
});

test.each(['{% if x ', '{% hint "', '{% raw %}', '{% tab title='])(
  'many unclosed %s take little more time than few',
  (tag) => {
    expect(markdownLines(`${tag.repeat(20_000)}\n{% if x %}`).length).toBeLessThan(2);
  },
);
