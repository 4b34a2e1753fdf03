import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { addSource } from './job-fixtures.ts';
import { openTestJobs, type TestJobs } from './jobs.ts';

/** Two SQLite files that jobs run between, also opened here. */
export interface SqlitePair {
  jobs: TestJobs;
  source: DatabaseSync;
  target: DatabaseSync;
  /** Their data sources. */
  from: number;
  to: number;
  close(): Promise<void>;
}

export async function openSqlitePair(): Promise<SqlitePair> {
  const jobs = await openTestJobs();
  const { filesDir } = jobs.backend.services.jobs;
  mkdirSync(filesDir, { recursive: true });
  const open = (file: string) => new DatabaseSync(join(filesDir, file), { timeout: 60_000 });
  const [source, target] = [open('a.sqlite'), open('b.sqlite')];
  return {
    jobs,
    source,
    target,
    from: await addSource(jobs, 'a.sqlite'),
    to: await addSource(jobs, 'b.sqlite'),
    async close() {
      source.close();
      target.close();
      await jobs.close();
    },
  };
}
