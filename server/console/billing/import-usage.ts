import { z } from 'zod';
import { usageItems } from '../../../client/contract/console/billing.ts';
import type { Queries } from '../../storage/database.ts';

/** One usage report of the data plane. */
export const usageRecord = z.strictObject({
  /** The reporter's own id: a repeated report counts once. */
  id: z.string().min(1).max(128),
  uid: z.string().min(1).max(64),
  day: z.iso.date(),
  dataJobId: z.string().min(1).max(64),
  dataJobName: z.string().max(256),
  item: z.enum(usageItems),
  rows: z.int().min(0),
});

export type UsageRecord = z.infer<typeof usageRecord>;

/** Prefix of the ids that jobs report themselves; these are not reported again once they are billed. */
export const jobReport = 'job:';

/** Stores one report. @returns whether it was new */
export async function importUsage(queries: Queries, record: UsageRecord): Promise<boolean> {
  const taken = await queries.run(
    `INSERT INTO usage_record (id, uid, day, data_job_id, data_job_name, item, units)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING`,
    [record.id, record.uid, record.day, record.dataJobId, record.dataJobName, record.item, record.rows],
  );
  return taken === 1;
}
