const ends = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What asks a command to end, heard instead of ending it at once. */
export interface Interruption {
  signal: AbortSignal;
  /** From then on it ends at once again. */
  ignore(): void;
}

/** Hears Ctrl-C and the system's requests to end, so that a command can put away what it left. */
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
