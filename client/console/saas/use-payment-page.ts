import { calls } from '../../contract/calls.ts';
import { useChange } from '../calls.ts';

type Purpose =
  | { purpose: 'SUBSCRIBE' | 'ADD_CARD' }
  | { purpose: 'PAY_INVOICE'; invoiceId: string }
  | { purpose: 'PAY_ORDER'; orderId: string };

/** Opens a page of the payment service. */
export function usePaymentPage() {
  return useChange<{ url: string }, Purpose>(calls.createSession, { onSuccess: ({ url }) => location.assign(url) });
}
