import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { cheaperStep, cloudPrice, hoursOf, ladderRate, licencePrice, type Period, periodEnd } from './price-rules.ts';
import type { Pricing } from './pricing.ts';

const pricing: Pricing = {
  currency: 'USD',
  linkHourCents: 30,
  newAccountCredits: 300,
  cloud: [
    { id: 'full', label: 'Full load', unit: 'million rows', unitSize: 1_000_000, cents: 1 },
    { id: 'increment', label: 'Change sync', unit: 'million rows', unitSize: 1_000_000, cents: 1000 },
    { id: 'schema', label: 'Schema migration', unit: '100 tables', unitSize: 100, cents: 10 },
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

test('300 USD pays for 30 million rows of change sync', () => {
  expect(cloudPrice({ increment: 30_000_000 }, pricing)).toBe(30_000);
  expect(cloudPrice({ full: 400_000 }, pricing)).toBe(0);
});

const utc = (...parts: [number, number, number, number?, number?, number?, number?]) => Date.UTC(...parts);

describe('the end of a period', () => {
  test.each<[string, number, Period, number]>([
    ['a day more', utc(2026, 1, 28, 9), { num: 1, unit: 'DAY' }, utc(2026, 2, 1, 9)],
    ['a leap day counts', utc(2028, 1, 28), { num: 2, unit: 'DAY' }, utc(2028, 2, 1)],
    [
      'the time of day stays',
      utc(2026, 4, 7, 23, 59, 59, 999),
      { num: 1, unit: 'MONTH' },
      utc(2026, 5, 7, 23, 59, 59, 999),
    ],
    ['a shorter month ends it', utc(2026, 0, 31, 12), { num: 1, unit: 'MONTH' }, utc(2026, 1, 28, 12)],
    ['in a leap year on the 29th', utc(2028, 0, 31), { num: 1, unit: 'MONTH' }, utc(2028, 1, 29)],
    ['a longer month has its day again', utc(2026, 0, 31), { num: 2, unit: 'MONTH' }, utc(2026, 2, 31)],
    ['over the end of a year', utc(2026, 10, 30), { num: 3, unit: 'MONTH' }, utc(2027, 1, 28)],
    ['a leap day, a year on', utc(2028, 1, 29, 6), { num: 1, unit: 'YEAR' }, utc(2029, 1, 28, 6)],
    ['a leap day, four years on', utc(2028, 1, 29), { num: 4, unit: 'YEAR' }, utc(2032, 1, 29)],
    ['2100 is no leap year', utc(2096, 1, 29), { num: 4, unit: 'YEAR' }, utc(2100, 1, 28)],
  ])('%s', (_what, start, period, end) => {
    expect(new Date(periodEnd(start, period)).toISOString()).toBe(new Date(end).toISOString());
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin'])(
    'a visitor in %s counts the days of the calendar, whatever the clocks do',
    (zone) => {
      vi.stubEnv('TZ', zone);
      onTestFinished(() => void vi.unstubAllEnvs());
      const days = (period: Period, ...start: [number, number, number]) => hoursOf(period, new Date(...start)) / 24;
      // Contains both days on which Berlin changes its clocks.
      expect(days({ num: 1, unit: 'MONTH' }, 2026, 2, 1)).toBe(31);
      expect(days({ num: 1, unit: 'MONTH' }, 2026, 9, 1)).toBe(31);
      expect(days({ num: 1, unit: 'YEAR' }, 2026, 0, 1)).toBe(365);
      expect(days({ num: 1, unit: 'MONTH' }, 2026, 11, 31)).toBe(31);
    },
  );
});

describe('half a cent', () => {
  const at = (linkHourCents: number, rate: number) => ({ linkHourCents, ladder: [{ minLinks: 1, rate }] });

  test('is rounded up, and the discount makes up for it', () => {
    expect(licencePrice(1, 1, at(25, 0.1))).toEqual({ subtotal: 25, rate: 0.1, discount: 2, total: 23 });
    // 46.5 and 2.5, which binary fractions represent as slightly less.
    expect(licencePrice(1, 1, at(50, 0.07))).toMatchObject({ discount: 3, total: 47 });
    expect(licencePrice(1, 1, at(25, 0.9))).toMatchObject({ discount: 22, total: 3 });
    // Less than half still gives nothing.
    expect(licencePrice(1, 1, at(49, 0.01))).toMatchObject({ discount: 0, total: 49 });
  });

  test('from several kinds of work is rounded once, on their total', () => {
    expect(cloudPrice({ full: 700_000, increment: 100, schema: 7 }, pricing)).toBe(2);
    expect(cloudPrice({ full: 400_000, schema: 4 }, pricing)).toBe(1);
    expect(cloudPrice({ full: 499_999 }, pricing)).toBe(0);
  });
});

test('work without a price, and no work at all, cost nothing', () => {
  expect(cloudPrice({ verification: 5_000_000 }, pricing)).toBe(0);
  expect(cloudPrice({}, pricing)).toBe(0);
  expect(licencePrice(0, 24, pricing)).toEqual({ subtotal: 0, rate: 0, discount: 0, total: 0 });
});

test('the step below which a smaller order costs more is the highest such step', () => {
  expect(cheaperStep(pricing)).toBe(50);
  expect(licencePrice(50, 24, pricing).total).toBeLessThan(licencePrice(49, 24, pricing).total);
  const of = (...ladder: Pricing['ladder']) => cheaperStep({ ...pricing, ladder });
  expect(of(...pricing.ladder, { minLinks: 100, rate: 0.3 }, { minLinks: 101, rate: 0.301 })).toBe(100);
  expect(of({ minLinks: 1, rate: 0 }, { minLinks: 2, rate: 0.1 })).toBeUndefined();
  expect(of({ minLinks: 1, rate: 0.5 })).toBeUndefined();
  expect(of()).toBeUndefined();
});
