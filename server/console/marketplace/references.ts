import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import { tokenHash } from '../../storage/token-hash.ts';
import type { SecretKey } from '../secret-key.ts';

const lifeMs = 3_600_000;
const purpose = 'marketplace token';

/** Keeps a registration token on the server for an hour. @returns the reference for it in the page's address */
export async function keepToken(queries: Queries, secretKey: SecretKey, token: string, now: number): Promise<string> {
  const reference = randomBytes(32).toString('base64url');
  const hash = tokenHash(reference);
  await queries.run('INSERT INTO marketplace_reference (reference_hash, token, expires_at) VALUES ($1, $2, $3)', [
    hash,
    secretKey.encrypt(purpose, hash, token),
    now + lifeMs,
  ]);
  return reference;
}

/** The token that a reference stands for; undefined if it is not a valid reference, or no longer one. */
export async function tokenOf(
  queries: Queries,
  secretKey: SecretKey,
  reference: string,
  now: number,
): Promise<string | undefined> {
  const hash = tokenHash(reference);
  const row = await queries.one(
    z.object({ token: z.string() }),
    'SELECT token FROM marketplace_reference WHERE reference_hash = $1 AND expires_at > $2',
    [hash, now],
  );
  return row && secretKey.decrypt(purpose, hash, row.token);
}

/** Deletes a reference once it has been used. */
export async function forgetReference(queries: Queries, reference: string): Promise<void> {
  await queries.run('DELETE FROM marketplace_reference WHERE reference_hash = $1', [tokenHash(reference)]);
}
