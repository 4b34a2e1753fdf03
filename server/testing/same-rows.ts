import { DatabaseSync } from 'node:sqlite';
import type { JobProcess } from './job-process.ts';
import { patience } from './patience.ts';

/**
 * Waits until a SQLite target answers a query as its source does; checks each time the job reports.
 * @throws when the process ended before
 */
export async function untilSameRows(
  job: JobProcess,
  { query, source, target: file }: { query: string; source: DatabaseSync; target: string },
): Promise<void> {
  const target = new DatabaseSync(file, { timeout: patience.timeout });
  try {
    while (JSON.stringify(target.prepare(query).all()) !== JSON.stringify(source.prepare(query).all())) {
      const told = job.reports.length;
      await job.until((reports) => reports.length > told);
    }
  } finally {
    target.close();
  }
}
