import { setImmediate, setTimeout } from 'node:timers/promises';

/** Time as the flow sees it, so that tests can decide what happens between two steps. */
export interface Clock {
  /** Epoch milliseconds, for people; the clock may be set. */
  now(): number;
  /** Milliseconds since the process began, for durations; it cannot be set. */
  elapsed(): number;
  /** Resolves after this many milliseconds. @throws when the job ends */
  wait(ms: number): Promise<void>;
  /** Resolves once everything that has arrived by now has been handled. */
  soon(): Promise<void>;
}

/** The machine's time. */
export function systemClock(signal: AbortSignal): Clock {
  return {
    now: Date.now,
    elapsed: () => performance.now(),
    wait: (ms) => setTimeout(ms, undefined, { signal }),
    soon: () => setImmediate(undefined, { signal }),
  };
}
