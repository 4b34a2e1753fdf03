import type { Queries } from '../../storage/database.ts';

/**
 * Makes transactions of one account wait for each other: the second sees what the first has made, so that a repeated
 * request finds it and a bound holds. To be called before what they share is read.
 */
export async function takeTurn(queries: Queries, uid: string): Promise<void> {
  await queries.run('UPDATE account SET credits = credits WHERE uid = $1', [uid]);
}
