import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TableLocks } from './locks.ts';

/** Work that ends on request, and logs when it begins. */
function makeWork(log: string[]) {
  const ends = new Map<string, () => void>();
  return {
    begin: (name: string) => async () => {
      log.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      await promise;
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.();
      await setImmediate();
    },
  };
}

test('chunks of a table share its lock; a batch waits for all of them, and later chunks for the batch', async () => {
  const locks = new TableLocks();
  const log: string[] = [];
  const work = makeWork(log);
  const all = [
    locks.share('a', work.begin('chunk 1')),
    locks.share('a', work.begin('chunk 2')),
    locks.with(['a', 'b'], work.begin('batch')),
    locks.share('a', work.begin('chunk 3')),
    locks.with(['c'], work.begin('other')),
  ];
  await setImmediate();
  expect(log).toEqual(['chunk 1', 'chunk 2', 'other']);
  await work.end('chunk 2');
  expect(log).toHaveLength(3);
  await work.end('chunk 1');
  expect(log.at(-1)).toBe('batch');
  await work.end('batch');
  expect(log.at(-1)).toBe('chunk 3');
  await work.end('chunk 3');
  await work.end('other');
  await Promise.all(all);
});

test('a batch still waits for an older chunk after a newer one has ended', async () => {
  const locks = new TableLocks();
  const log: string[] = [];
  const work = makeWork(log);
  const first = locks.share('a', work.begin('first'));
  const second = locks.share('a', work.begin('second'));
  await setImmediate();
  await work.end('second');
  await second;
  const batch = locks.with(['a'], work.begin('batch'));
  await setImmediate();
  expect(log).toEqual(['first', 'second']);
  await work.end('first');
  await first;
  await work.end('batch');
  await batch;
});
