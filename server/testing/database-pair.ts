import type { JobSpec } from '../engine/job.ts';
import { postgresSide } from './job-spec.ts';
import { createDatabase, dropSlots } from './postgres.ts';
import { TestDatabase } from './rig/database.ts';

/** Two databases on one server, for a job from one to the other. */
export interface DatabasePair {
  source: TestDatabase;
  target: TestDatabase;
  /** Both, as a job's spec names them. */
  sides: Pick<JobSpec, 'source' | 'target'>;
  /** Closes both sessions, and drops what a following job has left at the source. */
  close(): Promise<void>;
}

export async function openDatabasePair(server: string): Promise<DatabasePair> {
  const source = new TestDatabase(await createDatabase(server));
  const target = new TestDatabase(await createDatabase(server));
  return {
    source,
    target,
    sides: { source: postgresSide(source.url), target: postgresSide(target.url) },
    async close() {
      await dropSlots((sql) => source.ask(sql));
      await Promise.all([source.close(), target.close()]);
    },
  };
}
