import { z } from 'zod';
import type { JobTable, TableCounts } from '../../client/contract/jobs/jobs.ts';
import type { Queries } from '../storage/database.ts';
import { flag, jsonColumn } from './jobs.ts';

const states = ['waiting', 'copying', 'catching-up', 'live', 'paused', 'blocked', 'removed', 'done'] as const;
const row = z.object({
  id: z.string(),
  source: z.string(),
  target: z.string(),
  state: z.enum(states),
  copied: z.number(),
  estimate: z.number(),
  skipped: flag,
  parked: z.number(),
  fault: jsonColumn(
    z.object({
      code: z.string(),
      sentence: z.string(),
      hint: z.string(),
      retry: z.enum(['timed', 'manual', 'never']),
    }),
  ).nullable(),
});

/** The last report of each table of a job whose report is newer than a revision of the job. */
export async function tablesOf(queries: Queries, jobId: number, afterRevision: number): Promise<JobTable[]> {
  const rows = await queries.all(
    row,
    `SELECT id, source, target, state, copied, estimate, skipped, parked, fault FROM job_table
     WHERE job_id = $1 AND revision > $2 ORDER BY source`,
    [jobId, afterRevision],
  );
  return rows.map(({ copied, ...table }) => ({ ...table, rows: copied }));
}

const countRow = z.object({ job_id: z.number(), state: z.enum(states), n: z.number() });

export const noTables: TableCounts = {
  total: 0,
  waiting: 0,
  copying: 0,
  catchingUp: 0,
  live: 0,
  paused: 0,
  blocked: 0,
  done: 0,
};

/** How many tables of each job of an account are in which state. */
export async function tableCounts(queries: Queries, uid: string): Promise<Map<number, TableCounts>> {
  const rows = await queries.all(
    countRow,
    `SELECT t.job_id, t.state, count(*) AS n FROM job_table t JOIN data_job j ON j.id = t.job_id
     WHERE j.uid = $1 GROUP BY t.job_id, t.state`,
    [uid],
  );
  const all = new Map<number, TableCounts>();
  for (const { job_id, state, n } of rows) {
    if (state === 'removed') continue;
    const counts = all.get(job_id) ?? { ...noTables };
    counts[state === 'catching-up' ? 'catchingUp' : state] += n;
    counts.total += n;
    all.set(job_id, counts);
  }
  return all;
}
