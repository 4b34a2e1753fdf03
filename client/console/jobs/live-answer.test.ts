import { QueryClient } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { liveAnswer } from './live-answer.ts';

const queryKey = ['a call', { of: 1 }];

/** A cached answer, and calls that the test answers. */
function open() {
  const queries = new QueryClient();
  const answer = liveAnswer<string[]>(queries, queryKey, ({ length }) => length);
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

test('an answer that is older than wanted is asked for again until the call succeeds', async () => {
  vi.useFakeTimers({ now: 10_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { queries, answer, call, add } = open();
  const renewals = vi.spyOn(queries, 'invalidateQueries');
  const first = call();
  answer.renewUntil(2);
  expect(renewals).toHaveBeenCalledTimes(0);
  await first.resolve(['a']);
  expect(renewals).toHaveBeenCalledTimes(1);
  // A change is no answer.
  add('b');
  await call().fail();
  answer.renewIfOlder();
  expect(renewals).toHaveBeenCalledTimes(1);
  vi.setSystemTime(15_000);
  const slow = call();
  answer.renewIfOlder();
  expect(renewals).toHaveBeenCalledTimes(1);
  await slow.fail();
  answer.renewIfOlder();
  expect(renewals).toHaveBeenCalledTimes(2);
  await call().resolve(['a', 'b']);
  vi.setSystemTime(30_000);
  answer.renewIfOlder();
  answer.renewUntil(2);
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
