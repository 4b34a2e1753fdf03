import { useQueryClient } from '@tanstack/react-query';
import { calls } from '../../contract/calls.ts';
import { useChange } from '../calls.ts';

type Purpose =
  | { purpose: 'SUBSCRIBE' | 'ADD_CARD' }
  | { purpose: 'PAY_INVOICE'; invoiceId: string }
  | { purpose: 'PAY_ORDER'; orderId: string };

/** Opens a page of the payment service. */
export function usePaymentPage() {
  const queries = useQueryClient();
  return useChange<{ url: string }, Purpose>(calls.createSession, {
    onSuccess: ({ url }) => location.assign(url),
    // Also after a refusal: it may have been paid meanwhile.
    onSettled: () => queries.invalidateQueries(),
  });
}
