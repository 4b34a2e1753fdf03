import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import { ConsoleError } from '../errors.ts';
import type { Identity } from './provider.ts';

const owner = z.object({ uid: z.string() });

/** The account that an identity signs in to. */
export async function ownerOf(queries: Queries, { issuer, subject }: Identity): Promise<string | undefined> {
  const found = await queries.one(owner, 'SELECT uid FROM identity WHERE issuer = $1 AND subject = $2', [
    issuer,
    subject,
  ]);
  return found?.uid;
}

/** Lets an identity sign in to an account. @throws ConsoleError SSO_TAKEN when it signs in to one already */
export async function addIdentity(
  queries: Queries,
  { issuer, subject }: Identity,
  uid: string,
  now: number,
): Promise<void> {
  const added = await queries.run(
    'INSERT INTO identity (issuer, subject, uid, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [issuer, subject, uid, now],
  );
  if (added === 0) throw new ConsoleError('SSO_TAKEN');
}
