import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import type { SecretKey } from '../secret-key.ts';
import type { ConsoleServices } from '../services.ts';
import { readSigned, writeSigned } from '../signed-text.ts';
import type { Attempt } from './provider.ts';

const lifeMs = 10 * 60_000;

/** What a sign-in takes with it to the provider and back. */
const stateSchema = z.strictObject({
  id: z.string(),
  provider: z.string(),
  /** Where the visitor came from, and what the sign-in is for, as `sso_type` was told. */
  source: z.string(),
  target: z.string(),
  /** The signed-in user who connects a provider to the account. */
  uid: z.string().optional(),
  /** Epoch milliseconds. */
  expiresAt: z.number(),
});

export type SsoState = z.infer<typeof stateSchema>;

/** Begins a sign-in. */
export function newState(about: Pick<SsoState, 'provider' | 'source' | 'target' | 'uid'>, now: number): SsoState {
  return { ...about, id: randomUUID(), expiresAt: now + lifeMs };
}

/** The state of a text that this installation wrote, over or not; undefined for any other text. */
export function readState(secretKey: SecretKey, text: string): SsoState | undefined {
  return readSigned(secretKey, 'sso state', stateSchema, text);
}

/** Uses a state up: true once, for all servers of the store together, and never after its end. */
export async function spendState(queries: Queries, state: SsoState, now: number): Promise<boolean> {
  if (state.expiresAt <= now) return false;
  const spent = await queries.run(
    'INSERT INTO used_sso_state (id, expires_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
    [state.id, state.expiresAt],
  );
  return spent === 1;
}

/**
 * The secrets of a sign-in are derived from its state, so that a visitor who only looks at the sign-in page leaves
 * nothing in the store.
 */
export function attemptOf({ secretKey, config }: ConsoleServices, state: SsoState): Attempt {
  return {
    state: writeSigned(secretKey, 'sso state', state),
    nonce: secretKey.mac('sso nonce', state.id),
    verifier: secretKey.mac('sso verifier', state.id),
    redirectUri: `${config.publicUrl}/loading`,
  };
}
