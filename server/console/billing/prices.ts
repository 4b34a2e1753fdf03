import type { UsageItem } from '../../../client/contract/console/billing.ts';
import type { Pricing } from '../../../client/contract/pricing.ts';

/** Which row of the operator's price list an item of a bill is charged by. */
const priceOf: Record<UsageItem, string> = {
  FULL: 'full',
  INCREMENT: 'increment',
  CHECK: 'verification',
  REVISE: 'correction',
  BUILD_STRUCT: 'schema',
};

/** Price of an item in whole cents for so many units; an item that is not in the list costs nothing. */
export function unitPrice(item: UsageItem, { cloud }: Pricing): { cents: number; unitSize: number } {
  const row = cloud.find(({ id }) => id === priceOf[item]);
  return row ? { cents: row.cents, unitSize: row.unitSize } : { cents: 0, unitSize: 1 };
}

/** Amount of a line in whole cents, rounded once; exact for any number of rows. */
export function lineAmount(units: number, { cents, unitSize }: { cents: number; unitSize: number }): number {
  const [twice, size] = [2n * BigInt(units) * BigInt(cents), BigInt(unitSize)];
  return Number((twice + size) / (2n * size));
}
