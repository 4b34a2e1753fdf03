import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { usageItems } from '../../../client/contract/console/billing.ts';
import type { Queries } from '../../storage/database.ts';

/** A limit per transaction: other work gets its turn in between, and no statement takes long. */
const mostAtOnce = 5_000;

const begunRow = z.object({ bill_id: z.string() });
const takenRow = z.object({
  data_job_id: z.string(),
  data_job_name: z.string(),
  item: z.enum(usageItems),
  day: z.string(),
  units: z.number(),
});

/**
 * Takes a part of an account's unbilled usage up to a day into the sums of its next bill; called in the account's turn.
 * A later call continues, also after the process has died.
 * @returns the id of that bill once all is taken, or undefined
 */
export async function takeUsage(queries: Queries, uid: string, day: string): Promise<string | undefined> {
  const begun = await queries.one(begunRow, 'SELECT bill_id FROM bill_sum WHERE uid = $1 LIMIT 1', [uid]);
  const id = begun?.bill_id ?? randomUUID();
  // The conditions are repeated, since an import may be correcting a record that was found.
  const taken = await queries.all(
    takenRow,
    `UPDATE usage_record SET bill_id = $1 WHERE id IN
       (SELECT id FROM usage_record WHERE uid = $2 AND bill_id IS NULL AND day <= $3 LIMIT ${mostAtOnce})
       AND uid = $2 AND day <= $3 AND bill_id IS NULL
     RETURNING data_job_id, data_job_name, item, day, units`,
    [id, uid, day],
  );
  for (const sum of sumsOf(taken))
    await queries.run(
      `INSERT INTO bill_sum (uid, bill_id, data_job_id, data_job_name, item, day, units)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (uid, data_job_id, item, day) DO UPDATE SET units = bill_sum.units + excluded.units,
         data_job_name = CASE WHEN excluded.data_job_name > bill_sum.data_job_name
           THEN excluded.data_job_name ELSE bill_sum.data_job_name END`,
      [uid, id, sum.data_job_id, sum.data_job_name, sum.item, sum.day, sum.units],
    );
  return taken.length < mostAtOnce ? id : undefined;
}

/** One sum per job, kind of work and day. */
function sumsOf(taken: readonly z.infer<typeof takenRow>[]): Iterable<z.infer<typeof takenRow>> {
  const sums = new Map<string, z.infer<typeof takenRow>>();
  for (const row of taken) {
    const key = JSON.stringify([row.data_job_id, row.item, row.day]);
    const sum = sums.get(key);
    if (!sum) {
      sums.set(key, row);
      continue;
    }
    sum.units += row.units;
    if (row.data_job_name > sum.data_job_name) sum.data_job_name = row.data_job_name;
  }
  return sums.values();
}
