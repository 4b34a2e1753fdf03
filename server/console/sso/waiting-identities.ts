import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import type { SecretKey } from '../secret-key.ts';
import type { Identity } from './provider.ts';

const lifeMs = 15 * 60_000;
const purpose = 'waiting identity';

const identitySchema = z.strictObject({
  issuer: z.string(),
  subject: z.string(),
  name: z.string(),
  email: z.string().optional(),
});

interface Waiting {
  /** Id of the state that brought the identity. */
  stateId: string;
  /** Request id of the answer that asked for an address. */
  requestId: string;
}

/** Keeps a confirmed identity until an address is confirmed too, for at most a quarter of an hour. */
export async function keepWaiting(
  queries: Queries,
  secretKey: SecretKey,
  { stateId, requestId, identity, now }: Waiting & { identity: Identity; now: number },
): Promise<void> {
  await queries.run(
    'INSERT INTO waiting_identity (state_id, request_id, identity, expires_at) VALUES ($1, $2, $3, $4)',
    [stateId, requestId, secretKey.encrypt(purpose, stateId, JSON.stringify(identity)), now + lifeMs],
  );
}

/** The waiting identity. */
export async function findWaiting(
  queries: Queries,
  secretKey: SecretKey,
  { stateId, requestId, now }: Waiting & { now: number },
): Promise<Identity | undefined> {
  const row = await queries.one(
    z.object({ identity: z.string() }),
    'SELECT identity FROM waiting_identity WHERE state_id = $1 AND request_id = $2 AND expires_at > $3',
    [stateId, requestId, now],
  );
  if (!row) return undefined;
  const { email, ...identity } = identitySchema.parse(JSON.parse(secretKey.decrypt(purpose, stateId, row.identity)));
  return { ...identity, email };
}

/** Ends the wait: true for one caller only. */
export async function endWait(queries: Queries, stateId: string): Promise<boolean> {
  return (await queries.run('DELETE FROM waiting_identity WHERE state_id = $1', [stateId])) === 1;
}
