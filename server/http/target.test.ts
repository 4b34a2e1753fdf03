import { describe, expect, test } from 'vitest';
import { readTarget } from './target.ts';

describe('targets', () => {
  test.each([
    ['/', '/', ''],
    ['/docs/intro?a=%zz&b', '/docs/intro', '?a=%zz&b'],
    ['/%77hy', '/why', ''],
    ['/caf%C3%A9', '/café', ''],
    ['/a..b/...', '/a..b/...', ''],
    ['//evil.example', '//evil.example', ''],
  ])('%s is taken', (url, path, search) => expect(readTarget(url)).toMatchObject({ path, search }));

  test.each([
    '/%zz',
    '/%',
    '/%c0%af',
    '/%c0%ae%c0%ae/',
    '/%ff',
    '/a%00b',
    '/a%0d%0aSet-Cookie:x',
    '/a\\b',
    '/a%5cb',
    '/a%2fb',
    '/a%2Fb',
    '/..',
    '/../etc/passwd',
    '/a/../b',
    '/%2e%2e/b',
    '/a/%2E%2e',
    '/./a',
    '/a/.',
    'http://evil.example/',
    'evil',
    '*',
    '',
    '/é',
    '/a b',
    '/a#b',
    '/%ed%a0%80',
    '/%7f',
  ])('%s is refused with 400', (url) => {
    expect(() => readTarget(url)).toThrow(expect.objectContaining({ status: 400 }));
  });

  test('more than 8 kB is refused with 414', () => {
    expect(() => readTarget(`/${'a'.repeat(8192)}`)).toThrow(expect.objectContaining({ status: 414 }));
  });
});
