import { randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import type { SecretKey } from '../secret-key.ts';
import type { ConsoleServices } from '../services.ts';
import type { Attempt } from './provider.ts';

const lifeMs = 10 * 60_000;

/** What a sign-in takes with it to the provider and back; anybody on the way can read it, nobody can change it. */
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

/** A state as text: its content and a MAC of that. */
export function writeState(secretKey: SecretKey, state: SsoState): string {
  const content = Buffer.from(JSON.stringify(state)).toString('base64url');
  return `${content}.${secretKey.mac('sso state', content)}`;
}

/** The state of a text that this installation wrote, over or not; undefined for any other text. */
export function readState(secretKey: SecretKey, text: string): SsoState | undefined {
  const [content = '', mac = '', ...more] = text.split('.');
  const expected = Buffer.from(secretKey.mac('sso state', content));
  const given = Buffer.from(mac);
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return stateSchema.safeParse(JSON.parse(Buffer.from(content, 'base64url').toString('utf8'))).data;
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
    state: writeState(secretKey, state),
    nonce: secretKey.mac('sso nonce', state.id),
    verifier: secretKey.mac('sso verifier', state.id),
    redirectUri: `${config.publicUrl}/loading`,
  };
}
