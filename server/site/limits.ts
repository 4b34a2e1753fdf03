import { HeavyTasks } from '../http/heavy-tasks.ts';

/** Limits on the site's concurrent work; times in milliseconds. Tests use smaller ones. */
export const siteLimits = {
  /** JavaScript has one thread: a second task only proceeds while the first waits for the disk. */
  running: 2,
  /** Requests that may wait for a task, per kind. */
  waiting: 60,
  /** A request that waits longer than this for its own work is refused with Retry-After. */
  waitMs: 750,
  taskMs: 10_000,
  /** The same for what is created once and kept: all documents in one text take seconds. */
  keptWaitMs: 10_000,
  keptTaskMs: 60_000,
  callsRunning: 128,
  /** The browser gives up after 10 000 ms; this answer must arrive before. */
  callMs: 9_500,
};

export type SiteLimits = typeof siteLimits;

/** The site's heavy work, in kinds that do not wait for each other. */
export interface SiteTasks {
  /** What is kept: each page and feed is created once, so the work is bounded by their number. */
  kept: HeavyTasks;
  /** What is created for one request: searches and pages that are not found. */
  once: HeavyTasks;
  /** Preview pictures: drawing takes longest. */
  pictures: HeavyTasks;
}

export function createTasks(limits: SiteLimits): SiteTasks {
  const { running, waiting, waitMs, taskMs, keptWaitMs, keptTaskMs } = limits;
  return {
    kept: new HeavyTasks({ running, waiting, waitMs: keptWaitMs, taskMs: keptTaskMs }),
    once: new HeavyTasks({ running, waiting, waitMs, taskMs }),
    pictures: new HeavyTasks({ running: 1, waiting, waitMs: keptWaitMs, taskMs: keptTaskMs }),
  };
}
