import type { Queries } from '../../storage/database.ts';

/**
 * Makes transactions of one account wait for each other: the second sees what the first has written, so a repeated
 * request finds it and a limit holds. Call it before reading what they share.
 */
export async function takeTurn(queries: Queries, uid: string): Promise<void> {
  await queries.run('UPDATE account SET credits = credits WHERE uid = $1', [uid]);
}
