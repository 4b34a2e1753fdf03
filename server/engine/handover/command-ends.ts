/** Callbacks for the end of an operator's command for a table; exactly one is called. */
export interface CommandEnds {
  /** The command was carried out, or cannot be. */
  carried(): void;
  /** Another process must check the table, as at its start. */
  restart(): void;
}

/** For commands that no one waits for. */
export const untoldEnds: CommandEnds = { carried: () => undefined, restart: () => undefined };
