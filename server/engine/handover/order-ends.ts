/** Callbacks for the end of an operator's order for a table; exactly one is called. */
export interface OrderEnds {
  /** The order was carried out, or cannot be. */
  carried(): void;
  /** Another process must check the table, as at its start. */
  restart(): void;
}

/** For orders that no one waits for. */
export const untoldEnds: OrderEnds = { carried: () => undefined, restart: () => undefined };
