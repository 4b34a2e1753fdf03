import { describe, expect, test } from 'vitest';
import { exportedLiteral, literalAt } from './js-literal.ts';

test('what is written out in an expression is its value', () => {
  const source = '<Tabs values={[{label: \'A\', "value": 1}, `b`, null]}>';
  expect(literalAt(source, source.indexOf('['))?.value).toEqual([{ label: 'A', value: 1 }, 'b', null]);
});

test('what would have to be run is left out, and told where', () => {
  const source = '({ a: 1, b: read(), c: [x, 2], d() {}, [e]: 3, f: -1, g: /x/ })';
  const found = literalAt(source, 0);
  expect(found?.value).toEqual({ a: 1, c: [2] });
  expect(found?.leftOut).toEqual(['read', 'x, 2', 'd() {', '[e]', '-1', '/x/'].map((part) => source.indexOf(part)));
});

test.each(['{a: }', '', '[1,', '('.repeat(100_000)])('%.20j is no value', (source) => {
  expect(literalAt(source, 0)).toBeUndefined();
});

describe('a module', () => {
  test.each([
    'export default { a: [1] };',
    'module.exports = { a: [1] };',
    '#!/usr/bin/env node\nconst one = 1;\nconst list = [one];\n/** @type {X} */\nconst all = { a: [...list] };\nmodule.exports = all;',
    'const more = { a: [1] };\nexport default { ...more };',
  ])('%j', (source) => {
    expect(exportedLiteral(source)?.value).toEqual({ a: [1] });
  });

  test('a name that stands for itself has no value', () => {
    const found = exportedLiteral('const a = [b];\nconst b = [a];\nexport default { a };');
    expect(found?.value).toEqual({ a: [[]] });
    expect(found?.leftOut).toHaveLength(1);
  });

  test('places are those of the values', () => {
    const source = "module.exports = { docs: ['a', { items: ['b'] }] };";
    const found = exportedLiteral(source);
    expect(found?.offset(['docs', 1, 'items', 0])).toBe(source.indexOf("'b'"));
    expect(found?.offset(['docs', 1, 'items', 7, 'x'])).toBe(source.indexOf("['b']"));
  });

  test('nothing is exported, or it is not JavaScript', () => {
    expect(exportedLiteral('const a = 1;')).toBeUndefined();
    expect(() => exportedLiteral('const a = ;')).toThrow(SyntaxError);
  });
});
