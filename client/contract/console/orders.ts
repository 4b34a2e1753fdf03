import type { Period } from '../price-rules.ts';

export const editions = ['COMMUNITY', 'TRIAL', 'ENTERPRISE'] as const;
export type Edition = (typeof editions)[number];

export type OrderStatus = 'WAIT_PAY' | 'PAID' | 'ISSUED' | 'CLOSED';
/** Who closed an order; `refund` if the licence whose value it deducted was refunded. */
export const orderClosers = ['owner', 'operator', 'clock', 'refund'] as const;
export type OrderCloser = (typeof orderClosers)[number];

export type PayMethod = 'STRIPE' | 'BANK_TRANSFER';

/** Whole cents. */
export interface Money {
  amount: number;
  currency: string;
}

export interface BuyTimeStandard {
  periods: Period[];
  minLinks: number;
  maxLinks: number;
}

/** What an installation has now. */
export interface OldResource {
  links: number;
  edition: Edition;
  from: number;
  to: number;
  remainMs: number;
}

export interface Price {
  subtotal: Money;
  ladderRate: number;
  discount: Money;
  oldValue: Money;
  /** The value left in the present licence beyond this price: an order at this price loses it. */
  lostValue: Money;
  credits: Money;
  total: Money;
  links: number;
  from: number;
  to: number;
  quoteId: string;
  quoteExpiresAt: number;
}

export interface CreatedOrder {
  orderId: string;
  status: OrderStatus;
  payUrl?: string;
  transfer?: Transfer;
}

/** Where to send the money; without payee and account the seller sends them by mail. */
export interface Transfer {
  payee?: string;
  account?: string;
  reference: string;
  amount: Money;
  /** Epoch ms: the order closes when nothing has arrived by then. */
  until: number;
}

export interface Order {
  orderId: string;
  /** What its owner names it by, as on a transfer. */
  reference: string;
  createdAt: number;
  status: OrderStatus;
  edition: Edition;
  links: number;
  from: number;
  to: number;
  total: Money;
  /** While it waits for a transfer. */
  transfer?: Transfer;
  /** Epoch ms, while a card can pay it. */
  cardUntil?: number;
  /** What was returned of the price. */
  refunded?: Money;
  /** Of a closed order. */
  closedBy?: OrderCloser;
  events: { status: OrderStatus; at: number }[];
}

/** What the page must know about the seller's rules. */
export interface SystemConfig {
  linkHourPrice: Money;
  trialDays: number;
  newAccountCredits: Money;
  currency: string;
  /** Ed25519, JWK as JSON: verifies authorization codes offline. */
  publicKey: string;
  /** Payment methods that the operator has set up, and editions that are sold. */
  payMethods: PayMethod[];
  editions: Edition[];
}
