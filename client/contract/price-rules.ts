import { counted } from './counted.ts';
import { dayMs } from './dates.ts';
import type { Pricing } from './pricing.ts';

export type Period = Pricing['periods'][number];

const units = { DAY: 'day', MONTH: 'month', YEAR: 'year' };

/** `3 months`. */
export const periodName = ({ num, unit }: Period) => counted(num, units[unit]);

/** Adds months to a day (UTC); a day that the month lacks becomes its last. */
function addMonths(start: Date, months: number): Date {
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months, 1));
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return end;
}

/**
 * Hours in a licence's period.
 * @param start day it begins; without one a month has 30 days and a year 365
 */
export function hoursOf({ num, unit }: Period, start?: Date): number {
  if (unit === 'DAY') return num * 24;
  if (!start) return num * (unit === 'MONTH' ? 30 : 365) * 24;
  const day = new Date(Date.UTC(start.getFullYear(), start.getMonth(), start.getDate()));
  return ((addMonths(day, unit === 'MONTH' ? num : num * 12).getTime() - day.getTime()) / dayMs) * 24;
}

/**
 * End of a period that begins at a moment, both in epoch milliseconds: the same time of the same day (UTC), or the
 * month's last day.
 */
export function periodEnd(start: number, { num, unit }: Period): number {
  if (unit === 'DAY') return start + num * dayMs;
  const timeOfDay = start % dayMs;
  return addMonths(new Date(start - timeOfDay), unit === 'MONTH' ? num : num * 12).getTime() + timeOfDay;
}

/** The discount for a number of links: the whole order gets its step's rate. */
export function ladderRate(links: number, ladder: Pricing['ladder']): number {
  return ladder.reduce((rate, step) => (links >= step.minLinks ? step.rate : rate), 0);
}

/**
 * Rounds half cents up, including those that binary fractions represent as slightly less: 50 cents less 7 % are
 * 46.49999999999999.
 */
const wholeCents = (cents: number) => Math.round(Number(cents.toFixed(6)));

/** An enterprise licence's price in whole cents, rounded once. */
export function licencePrice(links: number, hours: number, pricing: Pick<Pricing, 'linkHourCents' | 'ladder'>) {
  const subtotal = links * hours * pricing.linkHourCents;
  const rate = ladderRate(links, pricing.ladder);
  const total = wholeCents(subtotal * (1 - rate));
  return { subtotal, rate, discount: subtotal - total, total };
}

/** `Full load`; `Verification (0.5.0)` when a later release adds the work. */
export const workName = ({ label, planned }: Pick<Pricing['cloud'][number], 'label' | 'planned'>) =>
  planned ? `${label} (${planned})` : label;

/** Price of cloud work in whole cents, rounded once; `amounts` are rows or tables by kind of work. */
export function cloudPrice(amounts: Record<string, number>, { cloud }: Pick<Pricing, 'cloud'>): number {
  return wholeCents(cloud.reduce((sum, { id, unitSize, cents }) => sum + ((amounts[id] ?? 0) / unitSize) * cents, 0));
}

export const hoursOf30Days = 720;
export const hoursOf365Days = 8760;

/** The highest step that a slightly smaller order would exceed in price, e.g. 50 links cost less than 49. */
export function cheaperStep(pricing: Pricing): number | undefined {
  const price = (links: number) => licencePrice(links, hoursOf30Days, pricing).total;
  return pricing.ladder.map(({ minLinks }) => minLinks).findLast((links) => price(links) < price(links - 1));
}
