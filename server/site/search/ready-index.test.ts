import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readyIndex, SearchNotReady } from './ready-index.ts';
import { SearchIndex } from './search-index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A promise's state so far. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise.catch((error: unknown) => error), vi.advanceTimersByTimeAsync(0).then(() => 'waits')]);
}

test('a search waits for the index and gets it', async () => {
  const building = Promise.withResolvers<SearchIndex>();
  const asked = readyIndex(building.promise);
  await vi.advanceTimersByTimeAsync(8_999);
  expect(await stateOf(asked)).toBe('waits');
  const index = new SearchIndex();
  building.resolve(index);
  expect(await asked).toBe(index);
  expect(vi.getTimerCount()).toBe(0);
});

test('a search is asked to retry before the browser gives up', async () => {
  const asked = readyIndex(Promise.withResolvers<SearchIndex>().promise).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(9_000);
  const error = await asked;
  expect(error).toBeInstanceOf(SearchNotReady);
  expect(error).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
});

test('an index that cannot be built is an error at once', async () => {
  await expect(readyIndex(Promise.reject(new Error('no memory')))).rejects.toThrow('no memory');
});
