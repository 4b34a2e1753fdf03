import type { Money } from './orders.ts';

export interface Bill {
  id: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
  amount: Money;
  credits: Money;
  due: Money;
  /** COVERED when nothing is due: by credits, or without a subscription; OPEN until its invoice is paid, or PAID. VOID if its invoice is. */
  status: 'COVERED' | 'OPEN' | 'PAID' | 'VOID';
}

export const usageItems = ['FULL', 'INCREMENT', 'CHECK', 'REVISE', 'BUILD_STRUCT'] as const;
export type UsageItem = (typeof usageItems)[number];

export interface BillLine {
  dataJobId: string;
  dataJobName: string;
  item: UsageItem;
  /** Rows; tables for BUILD_STRUCT. */
  rows: number;
  /** Price of `unitSize` rows. */
  unitPrice: Money;
  unitSize: number;
  amount: Money;
}

export interface BillDetail {
  id: string;
  day: string;
  lines: BillLine[];
}

export interface Invoice {
  id: string;
  number: string;
  createdAt: number;
  total: Money;
  status: 'OPEN' | 'PAID' | 'VOID';
  /** Signed, valid for one hour. */
  pdfUrl: string;
  /** What was refunded of it, oldest first; for a void one, the note that cancels it. */
  creditNotes?: CreditNote[];
}

export interface CreditNote {
  number: string;
  createdAt: number;
  amount: Money;
  /** Signed, valid for one hour. */
  pdfUrl: string;
}

export interface Subscription {
  subscriptionId?: string;
  status: 'NONE' | 'ACTIVE' | 'PAST_DUE' | 'CANCELS_AT_PERIOD_END' | 'CANCELED';
  periodStart?: number;
  periodEnd?: number;
}

export interface PaymentMethod {
  id: string;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  isDefault: boolean;
}
