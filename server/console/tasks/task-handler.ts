import type { ConsoleServices } from '../services.ts';

/** What a handler gets from its task. */
interface Task {
  key: string;
  payload: string;
}

/** Runs a task; it may run twice if a process dies in between. @returns when it is due again, or undefined */
export type TaskHandler = (services: ConsoleServices, task: Task) => Promise<number | undefined>;

/** Thrown by a handler for a task that is not worth another try; its cause is the last failure, if it was tried at all. */
export class GivenUp extends Error {
  override name = 'GivenUp';
  readonly about: object;

  /** @param about fields of the log line */
  constructor(sentence: string, about: object, options?: ErrorOptions) {
    super(sentence, options);
    this.about = about;
  }
}
