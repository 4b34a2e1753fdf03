import { z } from 'zod';
import { usageItems } from '../../../client/contract/console/billing.ts';
import type { Queries } from '../../storage/database.ts';

/** PostgreSQL stores no NUL character. */
const text = z.string().refine((value) => !value.includes('\0'), 'contains a NUL character');

/** One usage report of the data plane. */
export const usageRecord = z.strictObject({
  /** The reporter's own id: a repeated report counts once. */
  id: text.min(1).max(128),
  uid: text.min(1).max(64),
  day: z.iso.date(),
  dataJobId: text.min(1).max(64),
  dataJobName: text.max(256),
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

const storedRow = z.object({
  uid: z.string(),
  day: z.string(),
  data_job_id: z.string(),
  data_job_name: z.string(),
  item: z.enum(usageItems),
  units: z.number(),
});

/** Stores one report, or corrects the stored one of its id as long as that is not billed. @returns what became of it */
export async function importOrCorrectUsage(
  queries: Queries,
  record: UsageRecord,
): Promise<'new' | 'known' | 'corrected' | 'billed'> {
  if (await importUsage(queries, record)) return 'new';
  const stored = await queries.one(
    storedRow,
    'SELECT uid, day, data_job_id, data_job_name, item, units FROM usage_record WHERE id = $1',
    [record.id],
  );
  const told = [record.uid, record.day, record.dataJobId, record.dataJobName, record.item, record.rows];
  const known = stored && [stored.uid, stored.day, stored.data_job_id, stored.data_job_name, stored.item, stored.units];
  if (known?.every((value, at) => value === told[at])) return 'known';
  const corrected = await queries.run(
    `UPDATE usage_record SET uid = $2, day = $3, data_job_id = $4, data_job_name = $5, item = $6, units = $7
     WHERE id = $1 AND bill_id IS NULL`,
    [record.id, ...told],
  );
  return corrected === 1 ? 'corrected' : 'billed';
}
