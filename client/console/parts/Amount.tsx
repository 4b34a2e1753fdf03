import type { Money } from '../../contract/console/orders.ts';
import { money } from '../../contract/money.ts';

/** An amount of money, in tabular figures. */
export function Amount({ of }: { of: Money }) {
  return <span className="figure">{money(of.amount, of.currency)}</span>;
}
