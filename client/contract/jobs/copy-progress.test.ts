import { expect, test } from 'vitest';
import { copyProgress } from './copy-progress.ts';

const sample = (copied: number, place = 0) => ({ at: place * 10_000, copied, spanMs: 10_000 });

test('the time left follows the pace of the last minute; copied and blocked tables do not count', () => {
  const tables = [
    { state: 'done', rows: 500, estimate: 400 },
    { state: 'copying', rows: 1_000, estimate: 4_000 },
    // The estimate was too small.
    { state: 'copying', rows: 300, estimate: 200 },
    { state: 'waiting', rows: 0, estimate: 3_000 },
    { state: 'blocked', rows: 10, estimate: 9_000 },
  ] as const;
  const samples = [sample(900_000), ...Array.from({ length: 6 }, (_, place) => sample(1_000, place + 1))];
  expect(copyProgress(tables, samples)).toEqual({ rows: 1_810, all: 7_810, rate: 100, leftMs: 60_000 });
});

test('while nothing is copied, the time left is unknown', () => {
  expect(copyProgress([{ state: 'waiting', rows: 0, estimate: 9 }], [])).toEqual({
    rows: 0,
    all: 9,
    rate: 0,
    leftMs: null,
  });
});
