import { expect, test } from 'vitest';
import type { JobTable } from '../../contract/jobs/jobs.ts';
import { tablesAfter } from './tables-after.ts';

const table = (id: string, source: string, rows = 0): JobTable => ({
  id,
  source,
  target: source,
  state: 'live',
  rows,
  estimate: 0,
  skipped: false,
  parked: 0,
  fault: null,
});

test('a table that changed keeps its place, and a new one comes last', () => {
  const known = [table('1', 's.a'), table('2', 's.b')];
  const after = [table('1', 's.a', 5), table('2', 's.b'), table('3', 's.c')];
  expect(tablesAfter(known, [table('3', 's.c'), table('1', 's.a', 5)])).toEqual(after);
});

test('a table that leaves its source or comes back to it is listed once', () => {
  const there = [table('1', 's.a'), table('2', 's.b')];
  const gone = [table('2', 's.b'), table('name:s.a', 's.a')];
  expect(tablesAfter(there, [table('name:s.a', 's.a')])).toEqual(gone);
  expect(tablesAfter(gone, [table('7', 's.a')])).toEqual([table('2', 's.b'), table('7', 's.a')]);
});

test('tables that exchange their names are both kept', () => {
  const exchanged = [table('1', 's.b'), table('2', 's.a')];
  expect(tablesAfter([table('1', 's.a'), table('2', 's.b')], exchanged)).toEqual(exchanged);
  // One of them is reported first.
  expect(tablesAfter([table('1', 's.a'), table('2', 's.b')], [table('1', 's.b')])).toEqual([
    table('1', 's.b'),
    table('2', 's.b'),
  ]);
});
