const ends = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Signals that ask a command to end, caught instead of ending it at once. */
export interface Interruption {
  signal: AbortSignal;
  /** From then on a signal ends the command at once again. */
  ignore(): void;
}

/** Catches Ctrl-C and the system's termination signals, so that a command can clean up. */
export function hearInterruption(): Interruption {
  const heard = new AbortController();
  const hear = () => heard.abort();
  for (const name of ends) process.on(name, hear);
  return {
    signal: heard.signal,
    ignore() {
      for (const name of ends) process.off(name, hear);
    },
  };
}
