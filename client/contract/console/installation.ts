import type { Edition } from './orders.ts';

/** What an installation may run, on the customer's side. */
export interface Installation {
  /** For an order at the seller. */
  applyCode: string;
  edition: Edition;
  /** Null where nothing limits them, which is so without a seller's key. */
  links: number | null;
  /** Taken by jobs that are neither complete nor deleted. */
  used: number;
  /** Of the licence that was entered; null where none is valid now. */
  from: number | null;
  to: number | null;
  /** When the licence that was entered last ended; null where it has not, or none was entered. */
  ended: number | null;
}
