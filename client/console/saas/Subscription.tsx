import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { calls } from '../../contract/calls.ts';
import type { PaymentMethod, Subscription as SubscriptionInfo } from '../../contract/console/billing.ts';
import type { SystemConfig } from '../../contract/console/orders.ts';
import { ask, useCall } from '../calls.ts';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Confirm } from '../parts/Confirm.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Moment } from '../parts/Moment.tsx';
import { State } from '../parts/State.tsx';
import { BackFromPayment } from './BackFromPayment.tsx';
import { NoPrice } from './NoPrice.tsx';
import { subscriptionStates } from './subscription-states.ts';

/** Begins a subscription or keeps it. If cards are accepted, the account needs one: the payment service asks for it. */
async function begin(): Promise<void> {
  const { payMethods } = await ask<SystemConfig>(calls.getConfigValue);
  const cards = payMethods.includes('STRIPE') ? await ask<PaymentMethod[]>(calls.listPaymentMethods) : [];
  const card = cards.find(({ isDefault }) => isDefault);
  if (payMethods.includes('STRIPE') && !card) {
    const { url } = await ask<{ url: string }>(calls.createSession, { purpose: 'SUBSCRIBE' });
    location.assign(url);
    return;
  }
  await ask(calls.subscription, { action: 'SUBSCRIBE', ...(card && { paymentMethodId: card.id }) });
}

/** Starts, shows and cancels the consent to be billed by usage. */
export default function Subscription() {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const subscription = useCall<SubscriptionInfo>(calls.subscription, { action: 'READ' });
  const system = useCall<SystemConfig>(calls.getConfigValue);
  const change = useMutation({
    mutationFn: (task: () => Promise<unknown>) => task(),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: [calls.subscription] });
      setAsking(false);
    },
  });

  return (
    <>
      <NoPrice />
      <BackFromPayment call={calls.subscription} />
      <Loaded query={subscription}>
        {({ subscriptionId = '', status, ...period }) => (
          <>
            <SubscriptionFacts
              status={status}
              period={period}
              byCard={system.data?.payMethods.includes('STRIPE') ?? false}
            />
            <div className="console-actions">
              {status === 'ACTIVE' || status === 'PAST_DUE' ? (
                <button type="button" className="button" onClick={() => setAsking(true)}>
                  Cancel at the end of the period
                </button>
              ) : (
                <BusyButton
                  busy={change.isPending}
                  className="button button-primary"
                  onPress={() => change.mutate(begin)}
                >
                  {status === 'CANCELS_AT_PERIOD_END' ? 'Keep the subscription' : 'Subscribe'}
                </BusyButton>
              )}
            </div>
            <Confirm
              title="Cancel the subscription?"
              open={asking}
              action="Cancel the subscription"
              busy={change.isPending}
              error={change.error}
              onConfirm={() => change.mutate(() => ask(calls.cancelSubscription, { subscriptionId }))}
              onClose={() => setAsking(false)}
            >
              <p>
                It ends with the current period
                {period.periodEnd !== undefined && (
                  <>
                    , on <Moment at={period.periodEnd} day />
                  </>
                )}
                . Usage until then is billed. You can undo this until that day.
              </p>
            </Confirm>
          </>
        )}
      </Loaded>
      {change.error && !asking && <Failed sentence={change.error.message} />}
    </>
  );
}

interface SubscriptionFactsProps {
  status: SubscriptionInfo['status'];
  period: Pick<SubscriptionInfo, 'periodStart' | 'periodEnd'>;
  byCard: boolean;
}

/** A subscription's state, its period, and how it is paid. */
function SubscriptionFacts({ status, period: { periodStart, periodEnd }, byCard }: SubscriptionFactsProps) {
  return (
    <dl className="console-facts">
      <dt>State</dt>
      <dd>
        <State tone={subscriptionStates[status].tone}>{subscriptionStates[status].label}</State>
      </dd>
      {periodStart !== undefined && periodEnd !== undefined && (
        <>
          <dt>Period</dt>
          <dd>
            <Moment at={periodStart} day /> to <Moment at={periodEnd} day />
          </dd>
        </>
      )}
      <dt>Paid by</dt>
      <dd>
        {byCard ? (
          <Link href="/console/payment-methods">the card on file</Link>
        ) : (
          'bank transfer, after the monthly invoice'
        )}
      </dd>
    </dl>
  );
}
