import { HeavyTasks } from '../http/heavy-tasks.ts';

/** Bounds of what the site does at a time; times in milliseconds. Tests give smaller ones. */
export const siteLimits = {
  /** JavaScript has one thread: a second task only goes on where the first waits for the disk. */
  running: 2,
  /** Requests that wait for a task, of each kind. */
  waiting: 60,
  /** A request that waits longer for work of its own is refused with Retry-After. */
  waitMs: 750,
  taskMs: 10_000,
  /** The same for what is made once and kept: all documents in one text take seconds. */
  keptWaitMs: 10_000,
  keptTaskMs: 60_000,
  callsRunning: 128,
  /** The browser gives up after 10 000 ms; this answer must arrive before. */
  callMs: 9_500,
};

export type SiteLimits = typeof siteLimits;

/** The heavy work of the site, in kinds that do not wait for each other. */
export interface SiteTasks {
  /** What is kept: each page and feed is made once, so that nobody can ask for more than there is. */
  kept: HeavyTasks;
  /** What is made for one request: searches and pages that are not found. */
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
