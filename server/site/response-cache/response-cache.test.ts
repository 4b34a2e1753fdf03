import { describe, expect, test } from 'vitest';
import { CachedResponse } from './cached-response.ts';
import { ResponseCache } from './response-cache.ts';

function answer(bytes: number): CachedResponse {
  return new CachedResponse({ status: 200, route: '/', headers: {}, body: Buffer.alloc(bytes), lastModified: 0 });
}

describe('the cache of answers', () => {
  test('stays below its bound and gives up what was not used for longest', async () => {
    const cache = new ResponseCache(200_000);
    for (const key of ['a', 'b', 'c', 'd', 'e']) await cache.load(key, async () => answer(10_000));
    cache.get('a');
    for (let index = 0; index < 6; index += 1) await cache.load(`more${index}`, async () => answer(10_000));
    expect(cache.bytes).toBeLessThanOrEqual(200_000);
    expect(cache.get('a')).toBeDefined();
    expect(cache.get('b')).toBeUndefined();
  });

  test('one body may not push out everything else', async () => {
    const cache = new ResponseCache(200_000);
    await cache.load('small', async () => answer(10));
    await cache.load('large', async () => answer(100_000));
    expect(cache.get('large')).toBeUndefined();
    expect(cache.get('small')).toBeDefined();
  });

  test('what fails is tried again', async () => {
    const cache = new ResponseCache(200_000);
    await expect(cache.load('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache.load('a', async () => answer(1))).toBeDefined();
  });

  test('what was begun with older content is not kept', async () => {
    const cache = new ResponseCache(200_000);
    cache.keepOnly('1');
    let finish: (made: CachedResponse) => void = () => undefined;
    const old = cache.load('a', () => new Promise((resolve) => (finish = resolve)));
    cache.keepOnly('2');
    finish(answer(1));
    expect(await old).toBeDefined();
    expect(cache.get('a')).toBeUndefined();
  });
});
