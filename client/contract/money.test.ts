import { expect, test } from 'vitest';
import { figure, money, percent } from './money.ts';

test.each([
  [0, '0.00 USD', '0 USD'],
  [1, '0.01 USD', '0.01 USD'],
  [50, '0.50 USD', '0.50 USD'],
  [21_600, '216.00 USD', '216 USD'],
  [123_456_789, '1,234,567.89 USD', '1,234,567.89 USD'],
  [-5, '-0.05 USD', '-0.05 USD'],
  [-120_000, '-1,200.00 USD', '-1,200 USD'],
  [100_000_000_000_001, '1,000,000,000,000.01 USD', '1,000,000,000,000.01 USD'],
])('%i cents are written as %s, in short as %s', (cents, long, short) => {
  expect([money(cents, 'USD'), money(cents, 'USD', true)]).toEqual([long, short]);
});

test('the currency is shown as its code, even if it has a sign', () => {
  expect(money(100_050, 'EUR')).toBe('1,000.50 EUR');
});

test('rates have at most one decimal, and no zero decimal', () => {
  expect([0, 0.05, 0.125, 0.0725, 0.145, 1].map(percent)).toEqual(['0 %', '5 %', '12.5 %', '7.3 %', '14.5 %', '100 %']);
});

test('figures have separated thousands', () => {
  expect([0, 999, 1_000, -1_234_567, 0.5].map(figure)).toEqual(['0', '999', '1,000', '-1,234,567', '0.5']);
});
