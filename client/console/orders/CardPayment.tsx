import { BusyButton } from '../parts/BusyButton.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Moment } from '../parts/Moment.tsx';
import { usePaymentPage } from '../saas/use-payment-page.ts';

/** The way to the page that pays an order, for who left it without. */
export function CardPayment({ orderId, until }: { orderId: string; until: number }) {
  const payment = usePaymentPage();
  return (
    <>
      <p>
        Pay until <Moment at={until} />. The licence is issued as soon as the payment is there.
      </p>
      <BusyButton busy={payment.isPending} onPress={() => payment.mutate({ purpose: 'PAY_ORDER', orderId })}>
        Pay by card
      </BusyButton>
      {payment.error && <Failed sentence={payment.error.message} />}
    </>
  );
}
