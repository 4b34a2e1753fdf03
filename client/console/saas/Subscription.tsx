import { useMutation, useQueryClient } from '@tanstack/react-query';
import { calls } from '../../contract/calls.ts';
import type { PaymentMethod, Subscription as SubscriptionInfo } from '../../contract/console/billing.ts';
import type { SystemConfig } from '../../contract/console/orders.ts';
import { ask, useCall } from '../calls.ts';
import { Loaded } from '../parts/Loaded.tsx';
import { Moment } from '../parts/Moment.tsx';
import { Problem } from '../parts/Problem.tsx';
import { State } from '../parts/State.tsx';
import { subscriptionStates } from './subscription-states.ts';

/** The consent to be billed by usage: begun, shown, cancelled. */
export default function Subscription() {
  const queries = useQueryClient();
  const subscription = useCall<SubscriptionInfo>(calls.subscription, { action: 'READ' });
  const system = useCall<SystemConfig>(calls.getConfigValue);
  const cards = useCall<PaymentMethod[]>(calls.listPaymentMethods);
  const change = useMutation({
    mutationFn: (task: () => Promise<unknown>) => task(),
    onSuccess: () => queries.invalidateQueries({ queryKey: [calls.subscription] }),
  });

  async function begin() {
    const card = cards.data?.find(({ isDefault }) => isDefault);
    if (system.data?.payMethods.includes('STRIPE') && !card) {
      const { url } = await ask<{ url: string }>(calls.createSession, { purpose: 'SUBSCRIBE' });
      location.assign(url);
      return;
    }
    await ask(calls.subscription, { action: 'SUBSCRIBE', ...(card && { paymentMethodId: card.id }) });
  }

  const cancel = (subscriptionId: string) => ask(calls.cancelSubscription, { subscriptionId });

  return (
    <>
      <p className="console-lede">
        The subscription is your consent to be billed by usage, once a day, credits first. It has no price of its own.
      </p>
      <Loaded query={subscription}>
        {({ subscriptionId, status, periodStart, periodEnd }) => (
          <>
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
            </dl>
            <div className="console-actions">
              {status === 'ACTIVE' || status === 'PAST_DUE' ? (
                <button
                  type="button"
                  className="button"
                  disabled={change.isPending}
                  onClick={() => change.mutate(() => cancel(subscriptionId ?? ''))}
                >
                  Cancel at the end of the period
                </button>
              ) : (
                <button
                  type="button"
                  className="button button-primary"
                  disabled={change.isPending}
                  onClick={() => change.mutate(begin)}
                >
                  {status === 'CANCELS_AT_PERIOD_END' ? 'Keep the subscription' : 'Subscribe'}
                </button>
              )}
            </div>
          </>
        )}
      </Loaded>
      {change.error && <Problem sentence={change.error.message} />}
    </>
  );
}
