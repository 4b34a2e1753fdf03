import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import type { SecretKey } from '../secret-key.ts';
import type { ConsoleServices } from '../services.ts';
import { readSigned, writeSigned } from '../signed-text.ts';
import type { Attempt } from './provider.ts';

const lifeMs = 10 * 60_000;

/** The state that a sign-in carries to the provider and back. */
const stateSchema = z.strictObject({
  id: z.string(),
  provider: z.string(),
  /** Where the visitor came from, and what the sign-in is for, as passed to `sso_type`. */
  source: z.string(),
  target: z.string(),
  /** The signed-in user who connects a provider to the account. */
  uid: z.string().optional(),
  /** Epoch milliseconds. */
  expiresAt: z.number(),
});

export type SsoState = z.infer<typeof stateSchema>;

/** The state of a new sign-in. */
export function newState(about: Pick<SsoState, 'provider' | 'source' | 'target' | 'uid'>, now: number): SsoState {
  return { ...about, id: randomUUID(), expiresAt: now + lifeMs };
}

/** The state in a text that this installation signed, expired or not; undefined for any other text. */
export function readState(secretKey: SecretKey, text: string): SsoState | undefined {
  return readSigned(secretKey, 'sso state', stateSchema, text);
}

/** Uses a state up: true once across all servers of the store, and never after it has expired. */
export async function spendState(queries: Queries, state: SsoState, now: number): Promise<boolean> {
  if (state.expiresAt <= now) return false;
  const spent = await queries.run(
    'INSERT INTO used_sso_state (id, expires_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
    [state.id, state.expiresAt],
  );
  return spent === 1;
}

/**
 * The secrets of a sign-in are derived from its state: a visitor who only opens the sign-in page leaves nothing in the
 * store.
 */
export function attemptOf({ secretKey, config }: ConsoleServices, state: SsoState): Attempt {
  return {
    state: writeSigned(secretKey, 'sso state', state),
    nonce: secretKey.mac('sso nonce', state.id),
    verifier: secretKey.mac('sso verifier', state.id),
    redirectUri: `${config.publicUrl}/loading`,
  };
}
