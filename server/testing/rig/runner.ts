/** Whoever keeps the process of a job running. */
export interface Runner {
  /** A transaction of the source that is larger than a slice of this job, after what it leaves of the one before. */
  readonly largeTransaction: string;
  start(): Promise<void>;
  /** Is told that a strike follows, which may end the job. */
  struck(): void;
  /** Kills the process of the job. */
  killJob(): Promise<void>;
  /** Kills the web process, and waits until the process of the job has ended with it. */
  killService(): Promise<void>;
  /** While a server is away no process is started. */
  holdBack(): void;
  goOn(): void;
  /** Has a table copied again. @param id of the source's table */
  resync(id: string): Promise<void>;
  /** The last that the job told of itself. */
  said(): Promise<string>;
  /** Why processes ended, and how often. */
  readonly ends: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Counts an end. */
export function count(ends: Map<string, number>, why: string): void {
  ends.set(why, (ends.get(why) ?? 0) + 1);
}
