/** How a person's order of a table ends: one of them is called. */
export interface OrderEnds {
  /** It was done, or cannot be. */
  carried(): void;
  /** Another process has to look at the table, as it does at its start. */
  restart(): void;
}

/** Of what nobody waits for. */
export const untoldEnds: OrderEnds = { carried: () => undefined, restart: () => undefined };
