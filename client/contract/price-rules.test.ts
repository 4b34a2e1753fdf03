import { expect, test } from 'vitest';
import { cloudPrice, hoursOf, ladderRate, licencePrice } from './price-rules.ts';
import type { Pricing } from './pricing.ts';

const pricing: Pricing = {
  currency: 'USD',
  linkHourCents: 30,
  newAccountCredits: 300,
  cloud: [
    { id: 'full', label: 'Full load', unit: 'million rows', unitSize: 1_000_000, cents: 1 },
    { id: 'increment', label: 'Change sync', unit: 'million rows', unitSize: 1_000_000, cents: 1000 },
  ],
  ladder: [
    { minLinks: 1, rate: 0 },
    { minLinks: 5, rate: 0.05 },
    { minLinks: 50, rate: 0.2 },
  ],
  periods: [{ num: 1, unit: 'YEAR' }],
  plans: [],
  table: [],
  questions: [],
};

test('a month ends on the same day, clamped to its last', () => {
  expect(hoursOf({ num: 1, unit: 'MONTH' }, new Date(2026, 0, 31))).toBe(28 * 24);
  expect(hoursOf({ num: 1, unit: 'MONTH' }, new Date(2026, 2, 15))).toBe(31 * 24);
  expect(hoursOf({ num: 1, unit: 'YEAR' }, new Date(2027, 5, 1))).toBe(366 * 24);
  expect(hoursOf({ num: 7, unit: 'DAY' }, new Date(2026, 0, 31))).toBe(7 * 24);
});

test('without a first day a month has 30 days and a year 365', () => {
  expect(licencePrice(1, hoursOf({ num: 1, unit: 'MONTH' }), pricing).total).toBe(21_600);
  expect(licencePrice(1, hoursOf({ num: 1, unit: 'YEAR' }), pricing).total).toBe(262_800);
});

test('the whole order gets the rate of its step', () => {
  expect([1, 4, 5, 49, 50].map((links) => ladderRate(links, pricing.ladder))).toEqual([0, 0, 0.05, 0.05, 0.2]);
  expect(licencePrice(50, 24, pricing)).toMatchObject({ subtotal: 36_000, total: 28_800 });
});

test('300 USD pay for 30 million rows of change sync', () => {
  expect(cloudPrice({ increment: 30_000_000 }, pricing)).toBe(30_000);
  expect(cloudPrice({ full: 400_000 }, pricing)).toBe(0);
});
