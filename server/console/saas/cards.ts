import type { PaymentMethod } from '../../../client/contract/console/billing.ts';
import type { ConsoleServices } from '../services.ts';
import { askStripe, customerOf } from './stripe.ts';

/** The account's cards at the payment service; none where it is not set up. */
export async function listCards(services: ConsoleServices, uid: string): Promise<PaymentMethod[]> {
  const { payments } = services;
  if (!payments) return [];
  const customer = await customerOf(services, payments, uid);
  const [{ data }, about] = await askStripe(
    Promise.all([
      payments.stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 20 }),
      payments.stripe.customers.retrieve(customer),
    ]),
  );
  const chosen = about.deleted ? undefined : about.invoice_settings.default_payment_method;
  const chosenId = typeof chosen === 'string' ? chosen : chosen?.id;
  return data.flatMap(({ id, card }, at) =>
    card
      ? [
          {
            id,
            brand: card.brand,
            last4: card.last4,
            expMonth: card.exp_month,
            expYear: card.exp_year,
            isDefault: chosenId === undefined ? at === 0 : id === chosenId,
          },
        ]
      : [],
  );
}
