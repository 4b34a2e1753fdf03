import { z } from 'zod';
import type { ConnectedIdentity } from '../../../client/contract/console/sso.ts';
import type { Queries } from '../../storage/database.ts';
import { ConsoleError } from '../errors.ts';
import type { Identity } from './provider.ts';

const owner = z.object({ uid: z.string() });
const row = z.object({ issuer: z.string(), subject: z.string(), created_at: z.number() });

/** A person at a provider, as known to both sides. */
type Subject = Pick<Identity, 'issuer' | 'subject'>;

/** The account to which an identity signs in. */
export async function ownerOf(queries: Queries, { issuer, subject }: Identity): Promise<string | undefined> {
  const found = await queries.one(owner, 'SELECT uid FROM identity WHERE issuer = $1 AND subject = $2', [
    issuer,
    subject,
  ]);
  return found?.uid;
}

/** Connects an identity to an account. @throws ConsoleError SSO_TAKEN when it is already connected to one */
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

/** The identities connected to an account, oldest first. */
export async function identitiesOf(queries: Queries, uid: string): Promise<ConnectedIdentity[]> {
  const rows = await queries.all(
    row,
    'SELECT issuer, subject, created_at FROM identity WHERE uid = $1 ORDER BY created_at, issuer, subject LIMIT 100',
    [uid],
  );
  return rows.map(({ issuer, subject, created_at: connectedAt }) => ({ issuer, subject, connectedAt }));
}

/** Disconnects an identity from an account. @returns whether it was connected */
export async function removeIdentity(queries: Queries, { issuer, subject }: Subject, uid: string): Promise<boolean> {
  const removed = await queries.run('DELETE FROM identity WHERE issuer = $1 AND subject = $2 AND uid = $3', [
    issuer,
    subject,
    uid,
  ]);
  return removed === 1;
}
