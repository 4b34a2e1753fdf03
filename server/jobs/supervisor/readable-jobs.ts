import { z } from 'zod';
import type { ConsoleServices } from '../../console/services.ts';
import { StorageError, StorageSilent } from '../../storage/database.ts';
import { findJob, findJobs, type JobRow } from '../jobs.ts';

const idRow = z.object({ id: z.number() });

/**
 * Jobs that meet a condition; one whose row cannot be read is named once, and keeps no other one back.
 * @param named jobs that the log has named
 */
export async function readableJobs(
  { database, log }: Pick<ConsoleServices, 'database' | 'log'>,
  condition: string,
  named: Set<number>,
): Promise<JobRow[]> {
  try {
    return await findJobs(database, condition, []);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const rows = await database.all(idRow, `SELECT id FROM data_job WHERE ${condition} ORDER BY id`);
  const jobs: JobRow[] = [];
  for (const { id } of rows) {
    const job = await findJob(database, id).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      if (!named.has(id)) log.error({ err: error, job: id }, 'the row of a job cannot be read');
      named.add(id);
    });
    if (job) jobs.push(job);
  }
  return jobs;
}

function isDamage(error: unknown): boolean {
  return error instanceof StorageError && !(error instanceof StorageSilent);
}
