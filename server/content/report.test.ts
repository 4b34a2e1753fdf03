import { expect, test } from 'vitest';
import { mergeFaults, reportFaults } from './report.ts';

test('faults are grouped by file and counted', () => {
  const fault = { line: 3, column: 1, rule: 'broken-link', message: 'Gone.' };
  const report = reportFaults([
    { ...fault, file: 'b.md' },
    { ...fault, file: 'a.md', line: 9 },
    { ...fault, file: 'a.md' },
  ]);
  expect(report.match(/^\S+\.md$/gm)).toEqual(['a.md', 'b.md']);
  expect(report.indexOf('3:1')).toBeLessThan(report.indexOf('9:1'));
  expect(report).toContain('3 warnings');
  expect(reportFaults([])).toBe('');
});

test('faults of several brands are merged, and each is listed once', () => {
  const fault = { file: 'a.md', line: 3, column: 1, rule: 'brand-name', message: 'A' };
  const twin = { ...fault, message: 'B' };
  const other = { ...fault, line: 4 };
  expect(
    mergeFaults([
      [fault, twin],
      [{ ...fault, message: 'C' }, other],
    ]),
  ).toEqual([fault, twin, other]);
});
