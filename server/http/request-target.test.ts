import { describe, expect, test } from 'vitest';
import { readTarget } from './request-target.ts';

describe('request targets', () => {
  test.each([
    ['/', '/', ''],
    ['/docs/intro?a=%zz&b', '/docs/intro', '?a=%zz&b'],
    ['/%77hy', '/why', ''],
    ['/caf%C3%A9', '/café', ''],
    ['/a..b/...', '/a..b/...', ''],
    ['//evil.example', '//evil.example', ''],
    ['http://site.example/why?a=1', '/why', '?a=1'],
    ['HTTPS://site.example:3000', '/', ''],
    ['http://[::1]:3000?a=/x', '/', '?a=/x'],
    ['http://site.example//evil.example/', '//evil.example/', ''],
  ])('%s is accepted', (url, path, search) => expect(readTarget(url)).toMatchObject({ path, search }));

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
    'http://',
    'http:///why',
    'http://user@site.example/why',
    'http://site.example:port/why',
    'http://site.example/a/../b',
    'http://site.example/%2e%2e/b',
    'http://site.example#x',
    'ftp://site.example/why',
    'site.example:3000',
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

  test('8 kB are accepted, more is refused with 414', () => {
    expect(readTarget(`/${'a'.repeat(8191)}`).path).toHaveLength(8192);
    expect(() => readTarget(`/${'a'.repeat(8192)}`)).toThrow(expect.objectContaining({ status: 414 }));
  });
});
