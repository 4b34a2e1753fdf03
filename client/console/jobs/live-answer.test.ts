import { QueryClient } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { liveAnswer } from './live-answer.ts';

const queryKey = ['a call', { of: 1 }];

/** A cached answer, and calls that the test answers. */
function open() {
  const queries = new QueryClient();
  const answer = liveAnswer<string[]>(queries, queryKey);
  onTestFinished(answer.end);
  const call = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const done = queries.fetchQuery({ queryKey, queryFn: () => promise, retry: false }).catch(() => undefined);
    const end = (how: () => void) => {
      how();
      return done;
    };
    return { resolve: (data: string[]) => end(() => resolve(data)), fail: () => end(() => reject(new Error('no'))) };
  };
  const add = (text: string) => answer.change((known) => known && [...new Set([...known, text])]);
  return { queries, answer, call, add, known: () => queries.getQueryData(queryKey) };
}

test('an answer that was under way gets what arrived meanwhile, the first one too', async () => {
  const { call, add, known } = open();
  const first = call();
  add('early');
  await first.resolve(['a']);
  expect(known()).toEqual(['a', 'early']);
  const second = call();
  add('late');
  expect(known()).toEqual(['a', 'early', 'late']);
  await second.resolve(['a', 'early']);
  expect(known()).toEqual(['a', 'early', 'late']);
});

test('a change is not applied to the answer of a later call', async () => {
  const { call, add, known } = open();
  const failing = call();
  add('of the failed call');
  await failing.fail();
  await call().resolve(['a']);
  expect(known()).toEqual(['a']);
  add('between');
  await call().resolve(['b']);
  expect(known()).toEqual(['b']);
});

test('what is kept during a call is bounded, and the newest stay', async () => {
  const { call, add, known } = open();
  const long = call();
  for (let at = 0; at < 5_000; at += 1) add(String(at));
  await long.resolve([]);
  expect(known()).toHaveLength(2_000);
  expect(known()).toContain('4999');
});

test('an answer from before a moment is asked for again until the call succeeds', async () => {
  vi.useFakeTimers({ now: 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { queries, answer, call } = open();
  const renewals = vi.spyOn(queries, 'invalidateQueries');
  answer.renewIfBefore(500);
  await call().resolve(['a']);
  answer.renewIfBefore(1_000);
  expect(renewals).toHaveBeenCalledTimes(0);
  vi.setSystemTime(2_000);
  // A change is no answer.
  answer.change(() => ['a', 'b']);
  answer.renewIfBefore(2_000);
  expect(renewals).toHaveBeenCalledTimes(1);
  await call().fail();
  answer.renewIfBefore(2_000);
  vi.setSystemTime(7_000);
  const slow = call();
  answer.renewIfBefore(2_000);
  expect(renewals).toHaveBeenCalledTimes(1);
  await slow.fail();
  answer.renewIfBefore(2_000);
  expect(renewals).toHaveBeenCalledTimes(2);
  await call().resolve(['c']);
  answer.renewIfBefore(2_000);
  expect(renewals).toHaveBeenCalledTimes(2);
});

test('nothing is changed after the end', async () => {
  const { call, add, answer, known } = open();
  const last = call();
  add('x');
  answer.end();
  await last.resolve(['a']);
  expect(known()).toEqual(['a']);
});
