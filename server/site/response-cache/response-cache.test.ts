import { describe, expect, test } from 'vitest';
import { CachedResponse } from './cached-response.ts';
import { ResponseCache } from './response-cache.ts';

function response(bytes: number): CachedResponse {
  return new CachedResponse({ status: 200, route: '/', headers: {}, body: Buffer.alloc(bytes), lastModified: 0 });
}

describe('the response cache', () => {
  test('stays below its limit and evicts the least recently used', async () => {
    const cache = new ResponseCache(200_000);
    for (const key of ['a', 'b', 'c', 'd', 'e']) await cache.load(key, async () => response(10_000));
    cache.get('a');
    for (let index = 0; index < 6; index += 1) await cache.load(`more${index}`, async () => response(10_000));
    expect(cache.bytes).toBeLessThanOrEqual(200_000);
    expect(cache.get('a')).toBeDefined();
    expect(cache.get('b')).toBeUndefined();
  });

  test('does not let one body push out everything else', async () => {
    const cache = new ResponseCache(200_000);
    await cache.load('small', async () => response(10));
    await cache.load('large', async () => response(100_000));
    expect(cache.get('large')).toBeUndefined();
    expect(cache.get('small')).toBeDefined();
  });

  test('retries what has failed', async () => {
    const cache = new ResponseCache(200_000);
    await expect(cache.load('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache.load('a', async () => response(1))).toBeDefined();
  });

  test('creates a response once for concurrent requests', async () => {
    const cache = new ResponseCache(200_000);
    const held = Promise.withResolvers<CachedResponse>();
    let made = 0;
    const make = () => {
      made += 1;
      return held.promise;
    };
    const waiting = Array.from({ length: 5 }, () => cache.load('a', make));
    const other = await cache.load('b', async () => response(1));
    held.resolve(response(2));
    expect(new Set(await Promise.all(waiting)).size).toBe(1);
    expect(await cache.load('a', make)).toBe(await waiting[0]);
    expect(cache.get('b')).toBe(other);
    expect(made).toBe(1);
  });

  test('reports a failure to all who wait for the response', async () => {
    const cache = new ResponseCache(200_000);
    const held = Promise.withResolvers<CachedResponse>();
    const waiting = [cache.load('a', () => held.promise), cache.load('a', () => held.promise)];
    held.reject(new Error('no'));
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(cache.get('a')).toBeUndefined();
  });

  test('gives waiting requests the response even if it no longer fits', async () => {
    const cache = new ResponseCache(40_000);
    const held = Promise.withResolvers<CachedResponse>();
    const waiting = cache.load('a', () => held.promise);
    for (let index = 0; index < 50; index += 1) await cache.load(`other${index}`, async () => response(10));
    const made = response(10);
    held.resolve(made);
    expect(await waiting).toBe(made);
  });
});

test('cached responses get the best compression later, uncached ones keep the quick one', async () => {
  const cache = new ResponseCache(200_000);
  const page = (bytes: number) =>
    new CachedResponse({
      status: 200,
      route: '/',
      headers: { 'Content-Type': 'text/html' },
      body: Buffer.alloc(bytes, 'Rows that change at the source. '),
      lastModified: 0,
    });
  const large = await cache.load('large', async () => page(100_000));
  const small = await cache.load('small', async () => page(2_000));
  const ofLarge = await large.variant('br');
  const quick = await small.variant('br');
  // One body at a time is recompressed: when it is this one's turn, the large one would have had its own.
  await expect.poll(async () => (await small.variant('br')).tags[0]).not.toBe(quick.tags[0]);
  const best = await small.variant('br');
  expect(best.tags).toEqual([quick.tags[0]?.replace('-br5', '-br'), quick.tags[0]]);
  expect(quick.tags).toEqual(best.tags.toReversed());
  expect(best.headers).toContain(best.tags[0]);
  expect(await large.variant('br')).toBe(ofLarge);
});
