import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import { takeOwnTurn } from './take-turn.ts';

const ownerRow = z.object({ uid: z.string(), username: z.string() });

/** The owner of the installation: its first account, unless the operator chose another one. */
export function findOwner(queries: Queries): Promise<z.infer<typeof ownerRow> | undefined> {
  return queries.one(ownerRow, 'SELECT uid, username FROM account JOIN installation_owner USING (uid)');
}

/** Whether an account is the owner of the installation. */
export async function isOwner(queries: Queries, uid: string): Promise<boolean> {
  return (await findOwner(queries))?.uid === uid;
}

/** Makes an account the owner of the installation, instead of the present one. */
export async function makeOwner(queries: Queries, uid: string): Promise<void> {
  // An account that is being erased does not become it.
  await takeOwnTurn(queries, uid);
  await queries.run(
    'INSERT INTO installation_owner (one, uid) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET uid = excluded.uid',
    [uid],
  );
}
