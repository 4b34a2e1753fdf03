import { expect, test } from 'vitest';
import { markdownLines, toldOf } from '../../testing/normalised.ts';

test.each<[string, string[]]>([
  ['{% hint style="danger" %}\nText\n{% endhint %}', ['<md-admonition kind="danger">', 'Text', '</md-admonition>']],
  ['{% hint style="success" %}Text{% endhint %}', ['<md-admonition kind="tip">', 'Text', '</md-admonition>']],
  [
    '{% tabs %}\n{% tab title=\'A "b"\' %}\nText\n{% endtab %}\n{% endtabs %}',
    ['<md-tabs>', '<md-tab label="A &quot;b&quot;">', 'Text', '</md-tab>', '</md-tabs>'],
  ],
  ['{% embed url="https://example.com/v" %}', ['[v](<https://example.com/v>)']],
  ['{% embed url="https://example.com/v" %}\nWords\n{% endembed %}', ['[v](<https://example.com/v>)', 'Words']],
  ['{% file src="../a.pdf" %}\nWords\n{% endfile %}', ['[a.pdf](<../a.pdf>)', 'Words']],
  ['{% content-ref url="b.md" %}\n[B](b.md)\n{% endcontent-ref %}', ['[B](b.md)']],
  [
    '{% code title="a.js" lineNumbers="true" %}\n```js\nx\n```\n{% endcode %}\n\n```js\ny\n```',
    ['```js title="a.js" showLineNumbers', 'x', '```', '```js', 'y', '```'],
  ],
  ['- a\n\n  {% hint %}\n  b\n  {% endhint %}', ['- a', '  <md-admonition kind="info">', '  b', '  </md-admonition>']],
  ['{% stepper %}\n{% step %}\n## One\n{% endstep %}\n{% endstepper %}', ['## One']],
  ['Write `{% hint %}` or\n\n```\n{% hint %}\n```', ['Write `{% hint %}` or', '```', '{% hint %}', '```']],
])('%s', (source, made) => {
  expect(markdownLines(source)).toEqual(made);
  expect(toldOf(source)).toEqual([]);
});

test('GitBook blocks without an equivalent are reported like those of Liquid', () => {
  expect(toldOf('{% hint %}\nx\n{% endhint %}\n{% openapi src="a.yml" %}')).toEqual([
    '4:1 {% openapi %} is not evaluated: its output is missing.',
  ]);
});
