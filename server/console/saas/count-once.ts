import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';

/** Records that a payment or checkout was processed. @param id at the payment service @returns whether it is new */
export async function countOnce(queries: Queries, id: string, now: number): Promise<boolean> {
  // Earlier versions recorded event ids here.
  const noted = await queries.run(
    'INSERT INTO stripe_event (id, received_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
    [id, now],
  );
  return noted === 1;
}

/** Whether it was recorded as processed. @param id at the payment service */
export async function isCounted(queries: Queries, id: string): Promise<boolean> {
  const known = await queries.one(z.object({ id: z.string() }), 'SELECT id FROM stripe_event WHERE id = $1', [id]);
  return known !== undefined;
}
