import { describe, expect, test } from 'vitest';
import { exportedLiteral, literalAt } from './js-literal.ts';

test('the value of a literal expression is read', () => {
  const source = '<Tabs values={[{label: \'A\', "value": 1}, `b`, null]}>';
  expect(literalAt(source, source.indexOf('['))?.value).toEqual([{ label: 'A', value: 1 }, 'b', null]);
});

test('code that would have to run is left out, and its position is reported', () => {
  const source = '({ a: 1, b: read(), c: [x, 2], d() {}, [e]: 3, f: -1, g: /x/ })';
  const found = literalAt(source, 0);
  expect(found?.value).toEqual({ a: 1, c: [2] });
  expect(found?.leftOut).toEqual(['read', 'x, 2', 'd() {', '[e]', '-1', '/x/'].map((part) => source.indexOf(part)));
});

test('every form of literal is read, and nothing else', () => {
  const read = (source: string) => literalAt(source, 0)?.value;
  expect(read('({ a: `b`, "c": (true), 2: null, d: ["e", , "f"], ...{ g: 1 }, ...[3], ...h })')).toEqual({
    ...{ a: 'b', c: true, 2: null, d: ['e', 'f'], g: 1, 0: 3 },
  });
  const source = `[\`\${a}\`, 1n, ...b, ...{ c: 1 }, { get d() { return 1; }, [e]: 1, "f"() {} }, g(), undefined]`;
  expect(read(source)).toEqual([{}]);
  expect(literalAt(source, 0)?.leftOut.map((offset) => source.slice(offset).split(/[,}\]]/)[0])).toEqual([
    ...[source.slice(1, 5), '1n', 'b', 'get d() { return 1; ', '[e', '"f"() {', 'g()', 'undefined'],
  ]);
  expect(read('a.b')).toBeUndefined();
});

test.each(['{a: }', '', '[1,', '('.repeat(100_000)])('%.20j is not a value', (source) => {
  expect(literalAt(source, 0)).toBeUndefined();
});

describe('a module', () => {
  test.each([
    'export default { a: [1] };',
    'module.exports = { a: [1] };',
    '#!/usr/bin/env node\nconst one = 1;\nconst list = [one];\n/** @type {X} */\nconst all = { a: [...list] };\nmodule.exports = all;',
    'const more = { a: [1] };\nexport default { ...more };',
    'module.exports.default = { a: [1] };',
    'let n, { x } = {};\nmodule.exports = { b: 1 };\nother.exports = 2;\nmodule.exports = { a: [1] };',
  ])('%j', (source) => {
    expect(exportedLiteral(source)?.value).toEqual({ a: [1] });
  });

  test('a name defined by itself has no value', () => {
    const found = exportedLiteral('const a = [b];\nconst b = [a];\nexport default { a };');
    expect(found?.value).toEqual({ a: [[]] });
    expect(found?.leftOut).toHaveLength(1);
  });

  test('positions are those of the values', () => {
    const source = "module.exports = { docs: ['a', { items: ['b'] }] };";
    const found = exportedLiteral(source);
    expect(found?.offset(['docs', 1, 'items', 0])).toBe(source.indexOf("'b'"));
    expect(found?.offset(['docs', 1, 'items', 7, 'x'])).toBe(source.indexOf("['b']"));
    expect([found?.offset(['none']), found?.offset([])]).toEqual([source.indexOf('{'), source.indexOf('{')]);
  });

  test('without an exported literal has no value, and invalid JavaScript is an error', () => {
    for (const none of [
      'const a = 1;',
      'export default function f() {}',
      'export default class {}',
      'my.module.exports = 1; f();',
    ])
      expect(exportedLiteral(none)).toBeUndefined();
    expect(() => exportedLiteral('const a = ;')).toThrow(SyntaxError);
  });
});
