import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

test('a limited number of tasks runs, a limited number waits, and the rest are refused', async () => {
  const limit = new ConcurrencyLimit({ running: 2, waiting: 1 });
  const release: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const task = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => release.push(resolve));
    running -= 1;
  };
  const accepted = [limit.run(task), limit.run(task), limit.run(task)];
  await expect(limit.run(task)).rejects.toMatchObject({
    code: 'OVERLOADED',
    status: 503,
    headers: { 'Retry-After': '2' },
  });
  release.shift()?.();
  await accepted[0];
  await Promise.resolve();
  expect(release).toHaveLength(2);
  for (const go of release) go();
  await Promise.all(accepted);
  expect(most).toBe(2);
  await expect(limit.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
  await limit.run(async () => undefined);
});

test('without a waiting time limit, waiting tasks are never refused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const limit = new ConcurrencyLimit({ running: 1, waiting: 1 });
  const held = Promise.withResolvers<void>();
  const first = limit.run(() => held.promise);
  const second = limit.run(async () => 'done');
  vi.advanceTimersByTime(3_600_000);
  held.resolve();
  await first;
  expect(await second).toBe('done');
});

test('time in which the process stood still is not counted as waiting', async () => {
  const limit = new ConcurrencyLimit({ running: 1, waiting: 1, waitMs: 500 });
  const first = limit.run(async () => {
    await nextTurn();
    await nextTurn();
  });
  const second = limit.run(async () => 'done');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  await first;
  expect(await second).toBe('done');
});
