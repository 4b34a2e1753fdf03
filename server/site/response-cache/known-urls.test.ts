import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { CachedResponse } from './cached-response.ts';
import { KnownUrls } from './known-urls.ts';
import { ResponseCache } from './response-cache.ts';

const cache = new ResponseCache(1_000_000);
const response = new CachedResponse({ status: 200, route: '/', headers: {}, body: Buffer.from('x'), lastModified: 0 });
await cache.load('page', async () => response);

function requestOf(method: string, url: string, headers = {}): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { method, url, headers });
}

test('an address finds its cached response for GET and HEAD only', () => {
  const known = new KnownUrls(cache);
  known.remember(requestOf('GET', '/why?x'), 'page');
  known.remember(requestOf('GET', '/lost'), 'a page that is given up');
  expect(['GET', 'HEAD', 'POST'].map((method) => known.find(requestOf(method, '/why?x')))).toEqual([
    response,
    response,
    undefined,
  ]);
  for (const url of ['/why', '/lost']) expect(known.find(requestOf('GET', url))).toBeUndefined();
});

test('soft navigation is remembered separately', () => {
  const known = new KnownUrls(cache);
  const soft = requestOf('GET', '/why', { 'x-soft-navigation': '1' });
  known.remember(soft, 'page');
  expect(known.find(soft)).toBe(response);
  expect(known.find(requestOf('GET', '/why'))).toBeUndefined();
});

test('long addresses are not remembered, and the least recently used is evicted', () => {
  const known = new KnownUrls(cache);
  const long = `/${'a'.repeat(256)}`;
  known.remember(requestOf('GET', long), 'page');
  expect(known.find(requestOf('GET', long))).toBeUndefined();
  known.remember(requestOf('GET', '/why'), 'page');
  for (let count = 0; count < 8192; count += 1) {
    known.remember(requestOf('GET', `/why?${count}`), 'page');
    if (count === 4000) known.find(requestOf('GET', '/why'));
  }
  expect(known.find(requestOf('GET', '/why'))).toBe(response);
  expect(known.find(requestOf('GET', '/why?0'))).toBeUndefined();
});
