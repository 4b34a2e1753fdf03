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
