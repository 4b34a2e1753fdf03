import type { Queries } from '../../storage/database.ts';

/** Notes that a payment or checkout was taken in. @param id its id at the payment service @returns whether it is the first time */
export async function countOnce(queries: Queries, id: string, now: number): Promise<boolean> {
  // Earlier versions noted the ids of events here.
  const noted = await queries.run(
    'INSERT INTO stripe_event (id, received_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
    [id, now],
  );
  return noted === 1;
}
