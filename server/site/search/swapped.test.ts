import { expect, test } from 'vitest';
import { swapped } from './swapped.ts';

test('every pair of neighbouring letters is swapped once', () => {
  expect(swapped('kakfa')).toEqual(['akkfa', 'kkafa', 'kafka', 'kakaf']);
  expect(swapped('aab')).toEqual(['aba']);
  expect(swapped('a')).toEqual([]);
});

test('a letter of two code units stays whole', () => {
  expect(swapped('x𝒴')).toEqual(['𝒴x']);
});
