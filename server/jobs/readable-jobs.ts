import { z } from 'zod';
import type { SqlValue } from '../storage/database.ts';
import { jobErrors } from './errors.ts';
import { type JobRow, jobRow, jobsSql, type StoredFault } from './jobs.ts';
import { readableRows } from './readable-rows.ts';
import type { JobServices } from './services.ts';

type Services = Pick<JobServices, 'database' | 'jobs'>;

const damage: StoredFault = {
  code: 'JOB_DAMAGED',
  sentence: jobErrors.JOB_DAMAGED.msg,
  hint: 'The server log names the job and what cannot be read. The operator can restore the row from a backup.',
  retry: 'manual',
  at: 0,
};

/** A job that may be damaged: only what is shown of it may be used. */
export type ShownJob = Omit<JobRow, 'request'> & { request: Pick<JobRow['request'], 'given'> };

/** What is shown of a job if some of its columns cannot be read. */
const rest: z.ZodType<ShownJob> = jobRow.extend({
  request: z.unknown().transform(() => ({ given: {} })),
  tables: z.unknown().transform((): null => null),
  sample: z.unknown().transform((): null => null),
  fault: z.unknown().transform(() => damage),
});

/** Whether a job to be shown cannot be read. */
export function isDamaged({ fault }: Pick<JobRow, 'fault'>): boolean {
  return fault?.code === damage.code;
}

/** Jobs that meet a condition and can be read. */
export function readableJobs(
  services: Services,
  where: string,
  parameters: readonly SqlValue[] = [],
): Promise<JobRow[]> {
  return readableRows(services, { what: 'job', schema: jobRow }, jobsSql(where), parameters);
}

/** Jobs that meet a condition, to be shown; an unreadable one has that as its fault. */
export function jobsToShow(services: Services, where: string, parameters: readonly SqlValue[]): Promise<ShownJob[]> {
  return readableRows<ShownJob>(services, { what: 'job', schema: jobRow, rest }, jobsSql(where), parameters);
}

/** How many ids one statement takes: each other length would be another statement for SQLite to cache. */
const idsAtOnce = 50;
const idPlaces = Array.from({ length: idsAtOnce }, (_, place) => `$${place + 1}`).join(', ');

/** The existing jobs with these ids, to be shown. */
export async function jobsToShowOf(services: Services, ids: readonly number[]): Promise<ShownJob[]> {
  const rows: ShownJob[] = [];
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = ids.slice(from, from + idsAtOnce);
    const filled = Array.from({ length: idsAtOnce }, (_, place) => some[place] ?? null);
    rows.push(...(await jobsToShow(services, `id IN (${idPlaces})`, filled)));
  }
  return rows;
}
