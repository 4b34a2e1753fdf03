import type { Money, PayMethod, Price } from '../../contract/console/orders.ts';
import { counted } from '../../contract/counted.ts';
import { percent } from '../../contract/money.ts';
import { Amount } from '../parts/Amount.tsx';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Moment } from '../parts/Moment.tsx';
import { Notice } from '../parts/Notice.tsx';

const words: Record<PayMethod, string> = { STRIPE: 'Pay by card', BANK_TRANSFER: 'Pay by bank transfer' };

interface PriceBoxProps {
  price: Price;
  /** The payment methods that the operator has set up. */
  payMethods: PayMethod[];
  busy: boolean;
  onOrder: (method: PayMethod) => void;
}

/** A price line by line, and the ways to order at this price. */
export function PriceBox({ price, payMethods, busy, onOrder }: PriceBoxProps) {
  const free = price.total.amount === 0;
  const reductions: [name: string, amount: Money][] = [
    [`Discount by number of links, ${percent(price.ladderRate)}`, price.discount],
    ['Value left in the current licence', price.oldValue],
    ['Credits', price.credits],
  ];
  const taken = reductions.filter(([, { amount }]) => amount > 0);
  return (
    <>
      <table className="console-table console-price">
        <caption className="visually-hidden">Price of the licence</caption>
        <tbody>
          <tr>
            <th scope="row">
              {counted(price.links, 'link')}, <Moment at={price.from} day /> to <Moment at={price.to} day />
            </th>
            <td className="figure">
              <Amount of={price.subtotal} />
            </td>
          </tr>
          {taken.map(([name, amount]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="figure">
                −<Amount of={amount} />
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              <strong>To pay</strong>
            </th>
            <td className="figure">
              <strong>
                <Amount of={price.total} />
              </strong>
            </td>
          </tr>
        </tbody>
      </table>
      {price.lostValue.amount > 0 && (
        <Notice>
          The current licence ends with this order. <Amount of={price.lostValue} /> of its remaining value exceeds this
          price and is lost. A longer period or more links would use it.
        </Notice>
      )}
      <div className="console-actions">
        {free ? (
          <BusyButton className="button button-primary" busy={busy} onPress={() => onOrder('BANK_TRANSFER')}>
            Order
          </BusyButton>
        ) : (
          payMethods.map((method) => (
            <BusyButton key={method} className="button button-primary" busy={busy} onPress={() => onOrder(method)}>
              {words[method]}
            </BusyButton>
          ))
        )}
      </div>
    </>
  );
}
