import { useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { PaymentMethod } from '../../contract/console/billing.ts';
import type { SystemConfig } from '../../contract/console/orders.ts';
import { ask, useCall } from '../calls.ts';
import { Empty } from '../parts/Empty.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Problem } from '../parts/Problem.tsx';
import { State } from '../parts/State.tsx';

/** The account's cards; they are entered and changed at the payment service alone. */
export default function PaymentMethods() {
  const system = useCall<SystemConfig>(calls.getConfigValue);
  const cards = useCall<PaymentMethod[]>(calls.listPaymentMethods);
  const [problem, setProblem] = useState<string>();

  async function manage() {
    setProblem(undefined);
    try {
      const { url } = await ask<{ url: string }>(calls.createSession, { purpose: 'ADD_CARD' });
      location.assign(url);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <Loaded query={system}>
      {({ payMethods }) =>
        payMethods.includes('STRIPE') ? (
          <>
            <Loaded query={cards}>
              {(list) =>
                list.length === 0 ? (
                  <Empty title="No card yet" />
                ) : (
                  <ul className="console-list">
                    {list.map((card) => (
                      <li key={card.id}>
                        <span>
                          {card.brand} ending in {card.last4}
                        </span>
                        {card.isDefault && <State tone="good">Used first</State>}
                        <span className="figure">
                          {card.expMonth}/{card.expYear}
                        </span>
                      </li>
                    ))}
                  </ul>
                )
              }
            </Loaded>
            <div className="console-actions">
              <button type="button" className="button button-primary" onClick={() => void manage()}>
                {cards.data?.length ? 'Change cards' : 'Add a card'}
              </button>
            </div>
            {problem && <Problem sentence={problem} />}
          </>
        ) : (
          <p className="console-lede">Orders and invoices are paid by bank transfer here; no card is taken.</p>
        )
      }
    </Loaded>
  );
}
