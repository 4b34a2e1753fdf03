import { HeavyTasks } from '../http/heavy-tasks.ts';

/** Bounds of what the site does at a time; times in milliseconds. Tests give smaller ones. */
export const siteLimits = {
  /** JavaScript has one thread: a second task only goes on where the first waits for the disk. */
  running: 2,
  /** Requests that wait for a task, of each kind. */
  waiting: 60,
  /** Who waits longer would rather be told to come back. */
  waitMs: 750,
  taskMs: 10_000,
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

export function createTasks({ running, waiting, waitMs, taskMs }: SiteLimits): SiteTasks {
  const limits = { running, waiting, waitMs, taskMs };
  return {
    // A page that all want at the first moment is one task.
    kept: new HeavyTasks({ ...limits, waitMs: taskMs }),
    once: new HeavyTasks(limits),
    pictures: new HeavyTasks({ ...limits, running: 1, waitMs: taskMs }),
  };
}
