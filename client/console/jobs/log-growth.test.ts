import { expect, test } from 'vitest';
import type { JobSample } from '../../contract/jobs/jobs.ts';
import { logGrowth } from './log-growth.ts';

const minute = 60_000;
const sample = (at: number, retainedBytes: number | null, logRoomBytes?: number | null) =>
  ({ at, spanMs: 10_000, retainedBytes, logRoomBytes }) as JobSample;

test('a growing log lasts as long as its room does at that pace', () => {
  const samples = [sample(0, null), sample(minute, 100), sample(2 * minute, 150), sample(31 * minute, 600, 3_000)];
  expect(logGrowth(samples)).toEqual({ bytesPerHour: 1_000, hoursLeft: 3 });
});

test('without a limit, or while the log does not grow, there is no end to show', () => {
  expect(logGrowth([sample(0, 100), sample(60 * minute, 600, null)])).toEqual({ bytesPerHour: 500, hoursLeft: null });
  expect(logGrowth([sample(0, 600), sample(60 * minute, 100, 3_000)])).toEqual({ bytesPerHour: -500, hoursLeft: null });
});

test('samples of less than a minute give no hourly growth', () => {
  expect(logGrowth([])).toBeUndefined();
  expect(logGrowth([sample(0, 100), sample(minute - 1, 200, 3_000)])).toBeUndefined();
  expect(logGrowth([sample(0, null), sample(60 * minute, null)])).toBeUndefined();
});
