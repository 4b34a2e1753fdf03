import type { ConsoleServices } from '../console/services.ts';
import type { Card } from '../engine/systems/system.ts';
import type { Ask } from './ask.ts';
import type { NameDamage } from './damage.ts';

/** What the modules of jobs share. */
export interface Jobs {
  /** Kinds of systems that jobs can read or write. */
  cards: readonly Card[];
  ask: Ask;
  /** Called when a job's row has changed, so that the next look at the store need not be awaited. */
  wake(): void;
  /** @param woken called by `wake` @returns a function that ends that */
  onWake(woken: () => void): () => void;
  /** Logs what in the store cannot be read. */
  nameDamage: NameDamage;
  /** Folder of files that jobs may read and write, `DATA_DIR/files`. */
  filesDir: string;
  /** Environment of every child process. */
  childEnv: Readonly<Record<string, string>>;
  /** The program of a job's child process; tests have a stand-in. */
  childScript: string;
  /** Ends live event streams at a stop. */
  stopping: AbortController;
}

/** The console's services, and those that jobs add. */
export interface JobServices extends ConsoleServices {
  /** Cards, questions and child processes of data jobs. */
  jobs: Jobs;
}
