import { expect, test } from 'vitest';
import { markdownLines, toldOf } from '../../testing/normalised.ts';

const label = (text: string) => ['<md-label>', text, '</md-label>'];
const admonition = (kind: string, ...lines: string[]) => [
  `<md-admonition kind="${kind}">`,
  ...lines,
  '</md-admonition>',
];
const tab = (name: string, ...lines: string[]) => ['<md-tab>', ...label(name), ...lines, '</md-tab>'];
const details = (summary: string, ...lines: string[]) => [
  ...['<details>', '<summary>', summary, '</summary>'],
  ...lines,
  '</details>',
];

test.each([
  ['??? note\n    A\n\n    B\nC', [...details('Note', 'A', 'B'), 'C']],
  ['???+ warning "T"\n\tA', details('T', 'A')],
  ['!!! other\n    A', admonition('note', ...label('Other'), 'A')],
  ['!!! bug inline end\n    A', admonition('danger', ...label('Bug'), 'A')],
  ['??? Quote\n    A', details('Quote', 'A')],
  ["!!! tip inline end 'T'\n    A", admonition('tip', ...label('T'), 'A')],
  ['!!! other danger\n    A', admonition('danger', ...label('Other'), 'A')],
  ['!!! note ""\n    A', admonition('note', 'A')],
  ['!!! note ":material-x: T"\n    A', admonition('note', ...label('T'), 'A')],
  ['- x\n\n    !!! tip\n\n        A\n- y', ['- x', ...admonition('tip', 'A').map((line) => `    ${line}`), '- y']],
])('%s', (source, made) => expect(markdownLines(source)).toEqual(made));

test.each(['!!!\n    A', '=== Tab\n    A', '!!! note\nText', '??? "T"\n    A', '?? note\n    A'])(
  'not a block: %s',
  (source) => expect(markdownLines(source)).toEqual(source.split('\n')),
);

test('adjacent tabs form a group; other text, `===!` or another indentation starts a new one', () => {
  const rows = (source: string) => markdownLines(source).filter((line) => line.trim() === '<md-tabs>').length;
  const one = '=== "A"\n    1\n\n===+ "B"\n    2\n\n\n=== "C"\n    3';
  expect(markdownLines(one)).toEqual(['<md-tabs>', ...tab('A', '1'), ...tab('B', '2'), ...tab('C', '3'), '</md-tabs>']);
  expect(rows('=== "A"\n    1\n\n===! "B"\n    2')).toBe(2);
  expect(rows('=== "A"\n    1\n\nText\n\n=== "B"\n    2')).toBe(2);
  expect(rows('  === "A"\n\n      1\n\n=== "B"\n\n    2')).toBe(2);
});

test.each([
  ['{: .a }\nText\n{ #b .c }\n[[toc]]\n[TOC] x', ['Text', '[TOC] x']],
  ['{ width="3" }\nText', ['Text']],
  ['Term { #t }\n: Meaning', ['Term { #t }', ': Meaning']],
  ['**T**{ .a #t }\n: Meaning', ['**T**{ .a #t }', ': Meaning']],
  ['**T**{ #t }\nA : b', ['**T**', 'A : b']],
  ['`#!python a = 1` `#!/bin/sh` `#!b`', ['`a = 1` `#!/bin/sh` `#!b`']],
  ['# H\n{#a} ', ['# H {#a}']],
  ['* TOC\n{:toc}\n\n1. Contents\n{: toc .x }\nText\n{:toc}', ['Text']],
  ['**b**{: .x} [a](b){target="_blank"} `c`{.d} {.keep} x{.y}', ['**b** [a](b) `c` {.keep} x{.y}']],
  ['`[a](b){.x}` **b**{.y}', ['`[a](b){.x}` **b**']],
  ['# H\n{#a .b}\n## G\n{.a .b #c}\nText\n{#d}', ['# H {#a}', '## G {#c}', 'Text']],
  ['# H\n```\n{#a}\n```', ['# H', '```', '{#a}', '```']],
  [
    '<!-- md:setting a.b --> <!-- md:default none --> <!-- md:flag x -->',
    ['`a.b` Default: `none`. <!-- md:flag x -->'],
  ],
  [
    '```\n::: a.b\n!!! note\n    x\n:material-x: **a**{.x}\n```',
    ['```', '::: a.b', '!!! note', '    x', ':material-x: **a**{.x}', '```'],
  ],
])('attributes and markers: %s', (source, made) => expect(markdownLines(source)).toEqual(made));

test('an unclosed fence ends with its block, whatever its length and indentation', () => {
  expect(markdownLines('!!! note\n    ~~~~ sh\n    ls\n    ~~~\n\nText')).toEqual([
    ...admonition('note', '~~~~ sh', 'ls', '~~~', '~~~~'),
    'Text',
  ]);
  expect(markdownLines('!!! note\n    - a\n\n          ```\n          x\n\nText')).toEqual([
    ...admonition('note', '- a', '      ```', '      x', '      ```'),
    'Text',
  ]);
});

test('API options are removed up to the next text, and the missing text is reported', () => {
  const lost = (name: string) => `The text that ::: ${name} takes from code is missing.`;
  const source = '::: pkg\n    options:\n\n      x: 1\n\nA\n\n  ## ::: a.b\n      y\n     B\n\n::: pkg\nC';
  expect(markdownLines(source)).toEqual(['`pkg`', 'A', '  ## `a.b`', '     B', '::: pkg', 'C']);
  expect(toldOf(source)).toEqual([`1:1 ${lost('pkg')}`, `8:1 ${lost('a.b')}`]);
});
