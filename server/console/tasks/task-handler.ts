import type { ConsoleServices } from '../services.ts';

/** What a handler gets from its task. */
interface Task {
  key: string;
  payload: string;
}

/** Runs a task; it may run twice if a process dies in between. @returns when it is due again, or undefined */
export type TaskHandler = (services: ConsoleServices, task: Task) => Promise<number | undefined>;
