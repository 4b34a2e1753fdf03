import { expect, test } from 'vitest';
import { normalise } from './normalise.ts';

/** How a text must be parsed. */
const syntaxOf = (source: string) => normalise(source, false).syntax;
/** The lines in which a dialect found its markers. */
const keys = (source: string) =>
  normalise(source, false)
    .markdown.split('\n')
    .map((line) => line.includes('<kbd>'));

test.each([
  ['$$\n++a++\n$$\n++b++', [false, false, false, true]],
  ['$$ \n++a++\n> $$ \n++b++', [false, false, false, true]],
  ['$$++a++$$\n++b++', [false, true]],
  ['$$++a++$$ and ++b++', [true]],
  ['$$++a++$$\n$$\n++b++\n$$\n++c++', [false, false, false, false, true]],
])('every dialect treats formulas as code: %s', (source, changed) => {
  expect(syntaxOf(source)).toEqual({ indentedCode: true, math: true, mdc: false });
  expect(keys(source)).toEqual(changed);
});

test.each([
  ['a $$++b++$$', [true]],
  ['$$\na\n++b++', [false, false, true]],
  ['$$a\n++b++', [false, true]],
  ['$$  $ a\n++b++', [false, true]],
  ['$$ $$ a\n++b++', [false, true]],
  ['$$x$$\n$$a\n++b++', [false, false, true]],
  ['```\n$$\n```\n++b++', [false, false, false, true]],
])('unclosed and inline formula fences are not formulas: %s', (source, changed) => {
  expect(syntaxOf(source).math).toBe(false);
  expect(keys(source)).toEqual(changed);
});

test.each([
  '::card\nText\n::',
  '::card{a="b"}\nText\n::',
  '  ::card[Label]{a=b} \nText\n\n  ::  ',
  'Text\n\n  :icon{name="x"} ',
])('Nuxt Content components are recognised: %s', (source) => {
  expect(normalise(source, false)).toMatchObject({ markdown: source, syntax: { mdc: true, math: false } });
});

test.each([
  '::card\nText',
  '::\nText\n::card',
  'text ::card\n::',
  '::card\ntext ::',
  '::card\n:: text',
  '```\n::card\n::\n```',
  '```\n:icon{name="x"}\n```',
  'text :icon{name="x"}',
  ':icon{name="x"} text',
])('not Nuxt Content components: %s', (source) => expect(syntaxOf(source).mdc).toBe(false));

test('other dialects do not change components, and MDX has no indented code', () => {
  const source = '**a**{.x}\n::card\n::: tip Title\n::';
  expect(normalise(source, false).markdown).toBe(source);
  expect(normalise('Text', true).syntax).toEqual({ indentedCode: false, math: false, mdc: false });
});
