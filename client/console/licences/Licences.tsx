import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { keepDraft } from '../../account/drafts.ts';
import { calls } from '../../contract/calls.ts';
import type { CreatedOrder, PayMethod, Price, SystemConfig } from '../../contract/console/orders.ts';
import { useCall, useChange } from '../calls.ts';
import { Failed } from '../parts/Failed.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Section } from '../parts/Section.tsx';
import { PriceBox } from './PriceBox.tsx';
import { PublicKey } from './PublicKey.tsx';
import { licenceForm, QuoteForm } from './QuoteForm.tsx';

/** Prices and orders a licence for an installation. */
export default function Licences() {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const system = useCall<SystemConfig>(calls.getConfigValue);
  const [price, setPrice] = useState<Price>();
  const order = useChange<CreatedOrder, { quoteId: string; payMethod: PayMethod }>(calls.createOrder, {
    async onSuccess({ orderId, payUrl }) {
      keepDraft(licenceForm, null);
      await queries.invalidateQueries();
      if (payUrl) location.assign(payUrl);
      else navigate(`/console/orders?order=${orderId}`);
    },
  });
  const { reset } = order;
  // A customer who goes back from the payment page finds this page as they left it, with its buttons still busy.
  useEffect(() => {
    addEventListener('pageshow', reset);
    return () => removeEventListener('pageshow', reset);
  }, [reset]);

  return (
    <>
      <p className="console-lede">
        A licence is for one installation. Copy the apply code from the installation’s licence settings; the order gives
        you the authorization code to enter there.
      </p>
      <Section title="Price">
        <Loaded query={system} lines={6}>
          {({ editions }) => <QuoteForm editions={editions} onPrice={setPrice} />}
        </Loaded>
      </Section>
      {price && (
        <Section title="Order">
          <Loaded query={system}>
            {({ payMethods }) => (
              <PriceBox
                price={price}
                payMethods={payMethods}
                busy={order.isPending || order.isSuccess}
                onOrder={(payMethod) => order.mutate({ quoteId: price.quoteId, payMethod })}
              />
            )}
          </Loaded>
          {order.error && <Failed sentence={order.error.message} />}
        </Section>
      )}
      <Section
        title="Verify a code offline"
        lede="An installation verifies its authorization code with this key, without contacting any service."
      >
        <Loaded query={system}>{({ publicKey }) => <PublicKey text={publicKey} />}</Loaded>
      </Section>
    </>
  );
}
