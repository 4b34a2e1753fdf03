import { z } from 'zod';
import type { JobEvent } from '../../client/contract/jobs/jobs.ts';
import type { Queries } from '../storage/database.ts';
import { type RowServices, readableRows } from './readable-rows.ts';

/** How many events a job keeps. */
const kept = 500;
const numberRow = z.object({ last_event: z.number() });

/** Adds an event to a job and drops the oldest; does nothing if the job is gone. */
export async function addEvent(queries: Queries, jobId: number, event: Omit<JobEvent, 'id'>): Promise<void> {
  const next = await queries.one(
    numberRow,
    'UPDATE data_job SET last_event = last_event + 1 WHERE id = $1 RETURNING last_event',
    [jobId],
  );
  if (!next) return;
  await queries.run(
    'INSERT INTO job_event (job_id, id, at, level, table_name, sentence) VALUES ($1, $2, $3, $4, $5, $6)',
    [jobId, next.last_event, event.at, event.level, event.table, event.sentence],
  );
  await queries.run('DELETE FROM job_event WHERE job_id = $1 AND id <= $2', [jobId, next.last_event - kept]);
}

const row = z.object({
  id: z.number(),
  at: z.number(),
  level: z.enum(['info', 'warning', 'error']),
  table_name: z.string().nullable(),
  sentence: z.string(),
});

/** Events of a job after a number, the newest first, without unreadable ones. */
export async function eventsOf(
  services: RowServices,
  jobId: number,
  afterId: number,
  most: number,
): Promise<JobEvent[]> {
  const rows = await readableRows(
    services,
    { what: 'event', schema: row },
    `SELECT job_id, id, at, level, table_name, sentence FROM job_event WHERE job_id = $1 AND id > $2
     ORDER BY id DESC LIMIT $3`,
    [jobId, afterId, most],
  );
  return rows.map(({ table_name, ...event }) => ({ ...event, table: table_name }));
}
