import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TimeSlices } from './time-slices.ts';

/** Slices of 2 ms on a clock that each task moves on by 1 ms. */
function slicesOfTwo(waiting: number) {
  let now = 0;
  const done: string[] = [];
  const slices = new TimeSlices({ sliceMs: 2, waiting }, () => now);
  const run = (name: string) =>
    slices.run(() => {
      now += 1;
      done.push(name);
    });
  return { run, done };
}

test('what does not fit into this turn waits for the next ones, in order', async () => {
  const { run, done } = slicesOfTwo(10);
  for (const name of ['a', 'b', 'c', 'd', 'e']) expect(run(name)).toBe(true);
  expect(done).toEqual(['a', 'b']);
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'c', 'd']);
  run('f');
  expect(done).not.toContain('f');
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('a new turn is a new slice', async () => {
  const { run, done } = slicesOfTwo(10);
  for (const name of ['a', 'b']) run(name);
  await nextTurn();
  run('c');
  expect(done).toEqual(['a', 'b', 'c']);
});

test('more than may wait is refused', async () => {
  const { run, done } = slicesOfTwo(1);
  expect(['a', 'b', 'c', 'd'].map(run)).toEqual([true, true, true, false]);
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'c']);
  expect(run('e')).toBe(true);
});
