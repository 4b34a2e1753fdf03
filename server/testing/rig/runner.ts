/** Keeps the job process running. */
export interface Runner {
  /** A source transaction that is larger than a slice of this job, after what it leaves of the one before. */
  readonly largeTransaction: string;
  start(): Promise<void>;
  /** Called before a strike, which may end the job. */
  struck(): void;
  /** Kills the job process. */
  killJob(): Promise<void>;
  /** Kills the web process, and waits until the job process has ended with it. */
  killService(): Promise<void>;
  /** While a server is down, no process is started. */
  holdBack(): void;
  goOn(): void;
  /** Copies a table again. @param id of the source's table */
  resync(id: string): Promise<void>;
  /** The job's last report about itself. */
  said(): Promise<string>;
  /** Why processes ended, and how often. */
  readonly ends: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Counts an end. */
export function count(ends: Map<string, number>, why: string): void {
  ends.set(why, (ends.get(why) ?? 0) + 1);
}
