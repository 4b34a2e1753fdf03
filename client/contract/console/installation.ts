import type { Edition } from './orders.ts';

/** What an installation may run, on the customer's side. */
export interface Installation {
  /** For an order at the seller. */
  applyCode: string;
  edition: Edition;
  /** Null when unlimited, which is the case without a seller's key. */
  links: number | null;
  /** Taken by jobs that are neither complete nor deleted. */
  used: number;
  /** The entered licence's; null when none is currently valid. */
  from: number | null;
  to: number | null;
  /** When the entered licence last ended; null when it has not, or none was entered. */
  ended: number | null;
}
