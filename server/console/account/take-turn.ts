import type { Queries } from '../../storage/database.ts';
import { ConsoleError } from '../errors.ts';

/**
 * Makes transactions of one account wait for each other: the second sees what the first has written, so a repeated
 * request finds it and a limit holds. Call it before reading what they share.
 */
export async function takeTurn(queries: Queries, uid: string): Promise<void> {
  await queries.run('UPDATE account SET credits = credits WHERE uid = $1', [uid]);
}

/**
 * The same for what its user asked for: the account may have been erased since the call began.
 * @throws ConsoleError SIGNED_OUT when it was
 */
export async function takeOwnTurn(queries: Queries, uid: string): Promise<void> {
  const held = await queries.run('UPDATE account SET credits = credits WHERE uid = $1 AND erased_at IS NULL', [uid]);
  if (held === 0) throw new ConsoleError('SIGNED_OUT');
}
