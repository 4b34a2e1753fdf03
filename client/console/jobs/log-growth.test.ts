import { expect, test } from 'vitest';
import type { JobSample } from '../../contract/jobs/jobs.ts';
import { logGrowth } from './log-growth.ts';

const minute = 60_000;
const sample = (at: number, retainedBytes: number | null, logRoomBytes?: number | null) =>
  ({ at, spanMs: 10_000, retainedBytes, logRoomBytes }) as JobSample;

test('a log that grows lasts as long as its room at that pace', () => {
  const samples = [sample(0, null), sample(minute, 100), sample(2 * minute, 150), sample(31 * minute, 600, 3_000)];
  expect(logGrowth(samples)).toEqual({ bytesPerHour: 1_000, hoursLeft: 3 });
});

test('without a limit, or while it does not grow, nothing ends', () => {
  expect(logGrowth([sample(0, 100), sample(60 * minute, 600, null)])).toEqual({ bytesPerHour: 500, hoursLeft: null });
  expect(logGrowth([sample(0, 600), sample(60 * minute, 100, 3_000)])).toEqual({ bytesPerHour: -500, hoursLeft: null });
});

test('a moment says nothing of an hour', () => {
  expect(logGrowth([])).toBeUndefined();
  expect(logGrowth([sample(0, 100), sample(minute - 1, 200, 3_000)])).toBeUndefined();
  expect(logGrowth([sample(0, null), sample(60 * minute, null)])).toBeUndefined();
});
