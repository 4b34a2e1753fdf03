import { expect, test } from 'vitest';
import type { JobSample } from '../../contract/jobs/jobs.ts';
import { samplesAfter } from './samples.ts';

const sample = (at: number, changes: Partial<JobSample> = {}): JobSample => ({
  at,
  spanMs: 1_000,
  copied: 0,
  applied: 5,
  transactions: 1,
  bytes: 100,
  lagMs: 20,
  waitedForSourceMs: 600,
  waitedForTargetMs: 400,
  position: '0/1',
  retainedBytes: 1,
  memoryBytes: 9,
  ...changes,
});
const stored = (at: number) => sample(at, { spanMs: 10_000, applied: 50 });

test('an hour stays an hour, however long the page is open', () => {
  let samples = Array.from({ length: 360 }, (_, at) => stored((at + 1) * 10_000));
  for (let second = 1; second <= 1_200; second += 1)
    samples = samplesAfter(samples, sample(3_600_000 + second * 1_000));
  expect(samples.length).toBe(360);
  // A stretch is 10 s long, and the current one has a sample per second.
  expect((samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)).toBeGreaterThan(3_480_000);
  expect(samples.at(-1)?.spanMs).toBe(1_000);
  expect(samples.at(-20)).toMatchObject({ spanMs: 10_000, applied: 50, transactions: 10, lagMs: 20 });
});

test("time runs one way: the server's stretch that ends ahead of now gives way to the seconds", () => {
  const samples = samplesAfter([stored(10_000), stored(20_000), stored(30_000)], sample(24_000));
  expect(samples.map(({ at }) => at)).toEqual([10_000, 20_000, 24_000]);
});

test('a joined stretch has the largest lag, and one without followed changes has none', () => {
  const seconds = [sample(21_000, { lagMs: 900 }), sample(22_000, { lagMs: null }), sample(23_000, { lagMs: 50 })];
  expect(samplesAfter(seconds, sample(31_000))[0]?.lagMs).toBe(900);
  const idle = [sample(21_000, { lagMs: null }), sample(22_000, { lagMs: null })];
  expect(samplesAfter(idle, sample(31_000))[0]?.lagMs).toBeNull();
});

test('samples that arrive again change nothing: a stretch that is complete stays so', () => {
  const seconds = Array.from({ length: 14 }, (_, second) => sample(21_000 + second * 1_000));
  const once = seconds.reduce<JobSample[]>(samplesAfter, [stored(20_000)]);
  expect(seconds.reduce(samplesAfter, once)).toEqual(once);
  const answer = [stored(20_000), stored(30_000), stored(40_000)];
  expect(seconds.slice(0, 9).reduce(samplesAfter, answer)).toEqual(answer);
});
