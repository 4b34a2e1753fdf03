import { expect, test } from 'vitest';
import { storedUri, withoutQuery } from './stored-address.ts';

test.each([
  ['/login?TOKEN=a&password=b&eyJhbGciOiJ', '/login'],
  ['/login?utm_source=a&Utm_Source=b&utm_sourcex=c&kw=d+e', '/login?utm_source=a&kw=d+e'],
  ['/why', '/why'],
  ['/why?', '/why'],
  ['/login#token=abc', '/login'],
  ['/login?kw=1#kw=2', '/login?kw=1'],
  ['/login?kw=a?token=b', '/login?kw=a%3Ftoken%3Db'],
])('%s is stored as %s', (uri, written) => expect(storedUri(uri)).toBe(written));

test.each([
  ['https://search.example/find?q=secret#top', 'https://search.example/find'],
  ['https://user:secret@search.example:8443/a', 'https://search.example:8443/a'],
  ['android-app://com.example.reader/?secret', 'android-app://com.example.reader/'],
  ['/no/address?secret', ''],
  ['', ''],
])('the source %s is stored as %s', (src, written) => expect(withoutQuery(src)).toBe(written));
