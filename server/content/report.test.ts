import { expect, test } from 'vitest';
import { reportFaults } from './report.ts';

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
