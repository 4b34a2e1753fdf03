import { expect, test } from 'vitest';
import { positionAt } from './lsn.ts';
import { switchPoint } from './timelines.ts';

const history = `# of an administrator

1\t0/3018C68\tno recovery target specified
3\t1A/40000000\tafter transaction 12 committed\t2026-11-22
`;

test('a timeline ends where the history of a later one says', () => {
  expect(switchPoint(history, 1)).toEqual(positionAt(0x3018c68n));
  expect(switchPoint(history, 3)).toEqual({ order: '0000001a40000000', resume: '1A/40000000' });
  expect(switchPoint(history, 2)).toBeUndefined();
  expect(switchPoint('', 1)).toBeUndefined();
});

test.each([
  'nothing of the kind',
  '1 0/3018C68 without tabs',
  '1\t0/XYZ\tno position',
  '2\t0/1\t\n1\t0/2\tout of order',
  '1\t0/1\t\n1\t0/2\ttwice',
])('text that is not a timeline history is refused: %j', (text) => {
  expect(() => switchPoint(text, 1)).toThrow('the history of a timeline');
});
