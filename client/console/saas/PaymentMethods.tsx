import { Link } from 'wouter';
import { calls } from '../../contract/calls.ts';
import type { PaymentMethod } from '../../contract/console/billing.ts';
import type { SystemConfig } from '../../contract/console/orders.ts';
import { useCall } from '../calls.ts';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { State } from '../parts/State.tsx';
import { BackFromPayment } from './BackFromPayment.tsx';
import { usePaymentPage } from './use-payment-page.ts';

/** Card brands: the payment service's names, and the brands' own spelling. */
const brandNames = new Map([
  ['amex', 'American Express'],
  ['diners', 'Diners Club'],
  ['discover', 'Discover'],
  ['jcb', 'JCB'],
  ['mastercard', 'Mastercard'],
  ['unionpay', 'UnionPay'],
  ['unknown', 'Card'],
  ['visa', 'Visa'],
]);

/** The account's cards; they are entered and changed only at the payment service. */
export default function PaymentMethods() {
  const system = useCall<SystemConfig>(calls.getConfigValue);
  const cards = useCall<PaymentMethod[]>(calls.listPaymentMethods);
  const payment = usePaymentPage();

  return (
    <Loaded query={system}>
      {({ payMethods }) =>
        payMethods.includes('STRIPE') ? (
          <>
            <BackFromPayment call={calls.listPaymentMethods} />
            <Loaded query={cards}>
              {(list) =>
                list.length === 0 ? (
                  <Empty title="No cards yet">
                    <p>Cards are entered at the payment service; this site keeps only the last four digits.</p>
                  </Empty>
                ) : (
                  <ul className="console-list">
                    {list.map((card) => (
                      <li key={card.id}>
                        <span>
                          {brandNames.get(card.brand) ?? card.brand} ending in {card.last4}
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
              <BusyButton
                className="button button-primary"
                busy={payment.isPending}
                onPress={() => payment.mutate({ purpose: 'ADD_CARD' })}
              >
                {cards.data?.length ? 'Change cards' : 'Add a card'}
              </BusyButton>
            </div>
            {payment.error && <Failed sentence={payment.error.message} />}
          </>
        ) : (
          <Empty title="Cards are not accepted here">
            <p>
              <Link href="/console/orders">Orders</Link> and <Link href="/console/invoices">invoices</Link> are paid by
              bank transfer; each says where to pay.
            </p>
          </Empty>
        )
      }
    </Loaded>
  );
}
