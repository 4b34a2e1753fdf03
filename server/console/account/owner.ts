import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';

const ownerRow = z.object({ uid: z.string(), username: z.string() });

/** The owner of the installation: its first account. */
export function findOwner(queries: Queries): Promise<z.infer<typeof ownerRow> | undefined> {
  return queries.one(ownerRow, 'SELECT uid, username FROM account JOIN installation_owner USING (uid)');
}

/** Whether an account is the owner of the installation. */
export async function isOwner(queries: Queries, uid: string): Promise<boolean> {
  return (await findOwner(queries))?.uid === uid;
}
