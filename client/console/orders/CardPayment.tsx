import { BusyButton } from '../parts/BusyButton.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Moment } from '../parts/Moment.tsx';
import { usePaymentPage } from '../saas/use-payment-page.ts';

/** A way back to the payment page of an order, for customers who left it without paying. */
export function CardPayment({ orderId, until }: { orderId: string; until: number }) {
  const payment = usePaymentPage();
  return (
    <>
      <p>
        Pay by <Moment at={until} />. The licence is issued as soon as the payment arrives.
      </p>
      <BusyButton busy={payment.isPending} onPress={() => payment.mutate({ purpose: 'PAY_ORDER', orderId })}>
        Pay by card
      </BusyButton>
      {payment.error && <Failed sentence={payment.error.message} />}
    </>
  );
}
