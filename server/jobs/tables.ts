import { z } from 'zod';
import type { JobTable, TableCounts } from '../../client/contract/jobs/jobs.ts';
import { JobError, jobErrors } from './errors.ts';
import { flag, jsonColumn } from './jobs.ts';
import { type RowServices, readableRows } from './readable-rows.ts';

const states = ['waiting', 'copying', 'catching-up', 'live', 'paused', 'blocked', 'removed', 'done'] as const;
const state = z.enum(states);
const row = z.object({
  id: z.string(),
  source: z.string(),
  target: z.string(),
  state,
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

const damage: NonNullable<JobTable['fault']> = {
  code: 'TABLE_DAMAGED',
  sentence: jobErrors.TABLE_DAMAGED.msg,
  hint: 'Restart the job: it then reports the state of each table again. A complete job does so when it is replayed.',
  retry: 'manual',
};

/** An unreadable state is shown as one that needs attention. */
const shownState = state.catch('blocked');

/** What is shown of a table if some of its columns cannot be read. */
const rest = row.extend({
  target: row.shape.target.catch(''),
  state: shownState,
  copied: row.shape.copied.catch(0),
  estimate: row.shape.estimate.catch(0),
  skipped: row.shape.skipped.catch(false),
  parked: row.shape.parked.catch(0),
  fault: z.unknown().transform(() => damage),
});

/** @throws JobError TABLE_DAMAGED for a table that cannot be read, with the way out */
export function requireReadable({ fault }: JobTable): void {
  if (fault?.code === damage.code) throw new JobError('TABLE_DAMAGED', `${damage.sentence} ${damage.hint}`);
}

/** The last report of each table that is newer than a job revision; an unreadable one has that as its fault. */
export async function tablesOf(services: RowServices, jobId: number, afterRevision: number): Promise<JobTable[]> {
  const rows = await readableRows(
    services,
    { what: 'table', schema: row, rest },
    `SELECT job_id, id, source, target, state, copied, estimate, skipped, parked, fault FROM job_table
     WHERE job_id = $1 AND revision > $2 ORDER BY source`,
    [jobId, afterRevision],
  );
  return rows.map(({ copied, ...table }) => ({ ...table, rows: copied }));
}

const countRow = z.object({ job_id: z.number(), state, n: z.number() });
const restOfCount = countRow.extend({ state: shownState });

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

/** How many tables of each of an account's jobs are in which state. */
export async function tableCounts(services: RowServices, uid: string): Promise<Map<number, TableCounts>> {
  const rows = await readableRows(
    services,
    { what: 'table', schema: countRow, rest: restOfCount },
    `SELECT t.job_id, t.state, count(*) AS n, min(t.id) AS id FROM job_table t JOIN data_job j ON j.id = t.job_id
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
