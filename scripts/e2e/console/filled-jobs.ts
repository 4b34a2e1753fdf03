import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { jobCalls } from '../../../client/contract/jobs/calls.ts';
import type { JobStatus } from '../../../client/contract/jobs/jobs.ts';
import { newJob } from '../../../server/testing/job-fixtures.ts';
import type { RunningSite } from '../site.ts';
import type { Account } from './account.ts';

/** Jobs that exist only in the store: no process runs for them. */
export interface FilledJobs {
  /** Name of the newest job. */
  newest: string;
  /** Number of the job with all the tables. */
  large: number;
}

const idText = z.string().transform(Number);
const columnRow = z.object({ name: z.string() });
/** Above the numbers that the server itself assigns. */
const firstId = 1_000_000;
const sample = {
  spanMs: 1_000,
  copied: 0,
  applied: 500,
  transactions: 50,
  bytes: 50_000,
  lagMs: 40,
  waitedForSourceMs: 300,
  waitedForTargetMs: 700,
  position: '0/1',
  retainedBytes: 1_000_000,
  memoryBytes: 90_000_000,
};

/**
 * Gives an account jobs, one of them with many tables, and each with an hour of samples; the store is the site's own
 * file. The server starts jobs marked as running some seconds later; they fail one by one, as their files are missing.
 */
export async function fillJobs(
  site: RunningSite,
  account: Account,
  wanted: { jobs: number; tables: number; status: Extract<JobStatus, 'RUNNING' | 'STOP'> },
): Promise<FilledJobs> {
  const add = (file: string) =>
    account.ask(jobCalls.addDataSource, idText, { type: 'SQLite', instanceDesc: file, settings: { file } });
  const sides = [await add('shop.sqlite'), await add('copy.sqlite')] as const;
  const make = (tables: number) => {
    const srcSchema = [{ db: '', tables: Array.from({ length: tables }, (_, at) => ({ table: `table_${at}` })) }];
    const changes = { srcSchema: JSON.stringify(srcSchema), dataJobDesc: `${tables} tables`, autoStart: false };
    return account.ask(jobCalls.createJob, idText, newJob(...sides, '', changes));
  };
  const [small, large] = [await make(5), await make(wanted.tables + 1)];
  const store = new DatabaseSync(join(site.dataDir, 'console.sqlite'), { timeout: 60_000 });
  try {
    store.exec('BEGIN IMMEDIATE');
    const columns = store
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all('data_job')
      .map((row) => columnRow.parse(row).name);
    const own = new Set(['id', 'name', 'description']);
    const kept = columns.filter((name) => !own.has(name)).join(', ');
    store
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO data_job (id, name, description, ${kept})
         SELECT ${firstId} + i, 'canalfilled' || printf('%05d', i), 'job ' || i, ${kept} FROM n, data_job WHERE id = ?`,
      )
      .run(wanted.jobs - 1, small);
    store.prepare('DELETE FROM data_job WHERE id = ?').run(small);
    const now = Date.now();
    store
      .prepare(`UPDATE data_job SET life_cycle = 'CREATED', phase = 'INCRE', status = ?, sample = ?, sampled_at = ?`)
      .run(wanted.status, JSON.stringify({ ...sample, at: now }), now);
    store
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 359)
         INSERT INTO job_sample SELECT id, 10000, ? - i * 10000, 0, 5000, 500, 500000, 20 + (i * id) % 4000, 3000, 7000,
           '0/1', 1000000, 90000000 FROM n, data_job`,
      )
      .run(Math.floor(now / 10_000) * 10_000);
    store
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO job_table (job_id, id, source, target, state, copied, estimate, skipped, fault, revision)
         SELECT ?, 't' || i, 'table_' || i, 'table_' || i, 'live', 100, 100, 0, NULL, 1 FROM n`,
      )
      .run(wanted.tables, large);
    store.exec('COMMIT');
  } finally {
    store.close();
  }
  return { newest: `job ${wanted.jobs - 1}`, large };
}
