import { expect, test } from 'vitest';
import { CachedResponse } from '../site/response-cache/cached-response.ts';
import { ResponseCache } from '../site/response-cache/response-cache.ts';
import { maxWaiting, toBestBrotli, toBrotli } from './compress.ts';

function page(bytes: number): CachedResponse {
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  return new CachedResponse({ status: 200, route: '/', headers, body: Buffer.alloc(bytes, 'text '), lastModified: 0 });
}

/** The tag of the brotli form after all earlier compressions. */
async function tagInTheEnd(answer: CachedResponse): Promise<string> {
  await answer.variant('br');
  await toBestBrotli(Buffer.from('last in the queue'));
  return (await answer.variant('br')).tags[0] ?? '';
}

test('only cached responses get the best compression', async () => {
  const cache = new ResponseCache(200_000);
  expect(await tagInTheEnd(await cache.load('kept', async () => page(2000)))).toMatch(/-br"$/);
  expect(await tagInTheEnd(await cache.load('too large to keep', async () => page(100_000)))).toMatch(/-br5"$/);
  expect(await tagInTheEnd(page(2000))).toMatch(/-br5"$/);
});

test('a visitor who waits gets the quick compression', async () => {
  const body = Buffer.from(Array.from({ length: 2000 }, (_, index) => `row ${index * index}`).join('\n'));
  const best = await toBestBrotli(body);
  expect((await toBrotli(body, 5)).length).toBeGreaterThan(best?.length ?? 0);
});

test('when too many wait for the best compression, the rest do without', async () => {
  const wishes = Array.from({ length: maxWaiting + 5 }, (_, index) => toBestBrotli(Buffer.from(`body ${index}`)));
  const made = await Promise.all(wishes);
  expect(made.filter((best) => best === undefined)).toHaveLength(5);
  expect(made[0]).toBeDefined();
  expect(await toBestBrotli(Buffer.from('later'))).toBeDefined();
});
