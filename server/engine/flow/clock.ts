import { setImmediate, setTimeout } from 'node:timers/promises';

/** Time as the flow sees it, so that tests can decide what happens between two steps. */
export interface Clock {
  /** Epoch milliseconds, for people; somebody may set the clock. */
  now(): number;
  /** Milliseconds since the process began, for durations: nobody sets it. */
  elapsed(): number;
  /** Ends after so many milliseconds. @throws when the job ends */
  wait(ms: number): Promise<void>;
  /** Ends when what has arrived by now has been looked at. */
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
