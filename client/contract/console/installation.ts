import type { Edition } from './orders.ts';

/** What an installation may run, on the customer's side. */
export interface Installation {
  /** For an order at the seller. */
  applyCode: string;
  edition: Edition;
  /** Null where nothing limits them, which is so without a seller's key. */
  links: number | null;
  used: number;
  /** Of the licence that was entered; null where none is valid now. */
  from: number | null;
  to: number | null;
}
