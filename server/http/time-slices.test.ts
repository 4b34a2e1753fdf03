import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TimeSlices } from './time-slices.ts';

/** Slices of 2 ms on a clock that each task advances by 1 ms. */
function slicesOfTwo(waiting: number) {
  let now = 0;
  const done: string[] = [];
  const slices = new TimeSlices({ sliceMs: 2, waiting, newcomersMs: 10 }, () => now);
  const run = (name: string) =>
    slices.run(() => {
      now += 1;
      done.push(name);
    });
  const later = (ms: number) => {
    now += ms;
  };
  return { slices, run, done, later };
}

test('tasks that do not fit into this turn wait for the next ones, in order', async () => {
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

test('each turn has a new slice', async () => {
  const { run, done } = slicesOfTwo(10);
  for (const name of ['a', 'b']) run(name);
  await nextTurn();
  run('c');
  expect(done).toEqual(['a', 'b', 'c']);
});

test('tasks above the waiting limit are refused', async () => {
  const { run, done } = slicesOfTwo(1);
  expect(['a', 'b', 'c', 'd'].map(run)).toEqual([true, true, true, false]);
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'c']);
  expect(run('e')).toBe(true);
});

test('tasks wait while new connections arrive, and keep their order', async () => {
  const { slices, run, done } = slicesOfTwo(10);
  slices.newcomer();
  run('a');
  await nextTurn();
  slices.newcomer();
  run('b');
  await nextTurn();
  expect(done).toEqual([]);
  await nextTurn();
  expect(done).toEqual(['a', 'b']);
});

test('an endless stream of new connections delays tasks no longer than the limit', async () => {
  const { slices, run, done, later } = slicesOfTwo(10);
  const turnWithNewcomer = async () => {
    slices.newcomer();
    await nextTurn();
  };
  slices.newcomer();
  for (const name of ['a', 'b', 'c']) run(name);
  later(9);
  await turnWithNewcomer();
  expect(done).toEqual([]);
  later(1);
  await turnWithNewcomer();
  expect(done).toEqual(['a', 'b']);
  await turnWithNewcomer();
  expect(done).toEqual(['a', 'b', 'c']);
});
