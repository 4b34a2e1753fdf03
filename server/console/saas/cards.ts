import { z } from 'zod';
import type { PaymentMethod } from '../../../client/contract/console/billing.ts';
import type { ConsoleServices } from '../services.ts';
import { withCustomer } from './customer.ts';
import type { Payments } from './stripe.ts';

const chosenRow = z.object({ payment_method: z.string().nullable() });

/**
 * The account's cards at the payment service; none if it is not set up. The default card is the one charged: the one
 * that its owner chose there, else the subscription's card, else the newest.
 */
export async function listCards(services: ConsoleServices, uid: string): Promise<PaymentMethod[]> {
  const { payments } = services;
  if (!payments) return [];
  const { customers } = payments.stripe;
  const [{ data }, about] = await withCustomer(services, payments, uid, (customer) =>
    Promise.all([customers.listPaymentMethods(customer, { type: 'card', limit: 20 }), customers.retrieve(customer)]),
  );
  const subscription = await services.database.one(
    chosenRow,
    'SELECT payment_method FROM subscription WHERE uid = $1',
    [uid],
  );
  const chosen = about.deleted ? undefined : about.invoice_settings.default_payment_method;
  const wanted = [typeof chosen === 'string' ? chosen : chosen?.id, subscription?.payment_method];
  // A chosen one may have been removed, or may not be a card.
  const first = wanted.find((id) => data.some((known) => known.id === id)) ?? data[0]?.id;
  return data.flatMap(({ id, card }) =>
    card
      ? [
          {
            id,
            brand: card.brand,
            last4: card.last4,
            expMonth: card.exp_month,
            expYear: card.exp_year,
            isDefault: id === first,
          },
        ]
      : [],
  );
}

/** Sets the card to charge from now on, at the payment service. */
export async function chargeCard(
  services: ConsoleServices,
  payments: Payments,
  uid: string,
  card: string,
): Promise<void> {
  await withCustomer(services, payments, uid, (customer) =>
    payments.stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } }),
  );
}
