import { HeavyTasks } from '../http/heavy-tasks.ts';

/** Bounds of what the site does at a time; times in milliseconds. Tests give smaller ones. */
export const siteLimits = {
  /** JavaScript has one thread: a second task helps only while the first waits for the disk. */
  running: 2,
  /** Requests that wait for a task, of each kind. */
  waiting: 60,
  /** A request that waits longer is refused with Retry-After. */
  waitMs: 750,
  taskMs: 10_000,
  callsRunning: 128,
  /** The browser gives up after 10 000 ms; this answer must arrive before. */
  callMs: 9_500,
};

export type SiteLimits = typeof siteLimits;

/** The heavy work of the site, in kinds that do not wait for each other. */
export interface SiteTasks {
  /** Responses that are cached: each page and feed is made once, so there is a limited number of these tasks. */
  kept: HeavyTasks;
  /** Responses for one request: searches and pages that are not found. */
  once: HeavyTasks;
  /** Preview pictures: drawing takes longest. */
  pictures: HeavyTasks;
}

export function createTasks({ running, waiting, waitMs, taskMs }: SiteLimits): SiteTasks {
  const limits = { running, waiting, waitMs, taskMs };
  return {
    // Many requests for one page are one task.
    kept: new HeavyTasks({ ...limits, waitMs: taskMs }),
    once: new HeavyTasks(limits),
    pictures: new HeavyTasks({ ...limits, running: 1, waitMs: taskMs }),
  };
}
