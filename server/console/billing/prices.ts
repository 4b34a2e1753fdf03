import { type UsageItem, usageItems } from '../../../client/contract/console/billing.ts';
import { dayOf } from '../../../client/contract/dates.ts';
import type { Pricing } from '../../../client/contract/pricing.ts';
import type { ConsoleServices } from '../services.ts';

/** The row of the operator's price list by which a bill item is charged. */
const priceOf: Record<UsageItem, string> = {
  FULL: 'full',
  INCREMENT: 'increment',
  CHECK: 'verification',
  REVISE: 'correction',
  BUILD_STRUCT: 'schema',
};

/** The price of a number of rows or tables. */
export interface UnitPrice {
  cents: number;
  unitSize: number;
}

/** Price of an item in whole cents per number of units; an item that is not in the list costs nothing. */
export function unitPrice(item: UsageItem, { cloud }: Pricing): UnitPrice {
  const row = cloud.find(({ id }) => id === priceOf[item]);
  return row ? { cents: row.cents, unitSize: row.unitSize } : { cents: 0, unitSize: 1 };
}

/** Records today's prices for today's bills; on a day when they change, the lower ones count. */
export async function notePrices({ database, pricing, now }: ConsoleServices): Promise<void> {
  for (const item of usageItems) {
    const { cents, unitSize } = unitPrice(item, pricing);
    await database.run(
      `INSERT INTO cloud_price (day, item, cents, unit_size) VALUES ($1, $2, $3, $4)
       ON CONFLICT (item, day) DO UPDATE SET cents = excluded.cents, unit_size = excluded.unit_size
       WHERE excluded.cents * cloud_price.unit_size < cloud_price.cents * excluded.unit_size`,
      [dayOf(now()), item, cents, unitSize],
    );
  }
}

/** A line's amount in whole cents, rounded once; exact for any number of rows. */
export function lineAmount(units: number, { cents, unitSize }: UnitPrice): number {
  const [twice, size] = [2n * BigInt(units) * BigInt(cents), BigInt(unitSize)];
  return Number((twice + size) / (2n * size));
}
