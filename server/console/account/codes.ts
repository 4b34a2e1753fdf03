import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import type { SecretKey } from '../secret-key.ts';
import { countAttempt, forgiveAttempt } from './attempts.ts';
import type { Target } from './targets.ts';

export const codePurposes = [
  'LOGIN',
  'REGISTER',
  'RESET_PASSWORD',
  'SSO_REGISTER_BIND',
  'SHOW_AUTH_CODE',
  'UPDATE_EMAIL',
] as const;
export type CodePurpose = (typeof codePurposes)[number];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const resendMs = minuteMs;
export const codeLifeMs = 5 * minuteMs;
const mostTries = 5;
const perHour = { most: 5, windowMs: hourMs };
const perDay = { most: 10, windowMs: 24 * hourMs };
const again = { most: 1, windowMs: resendMs };
/** Wrong codes for one target, over all of its codes. */
const wrongPerDay = { most: 20, windowMs: 24 * hourMs };

interface Keyed {
  secretKey: SecretKey;
  now: number;
}

/** The value compared: it is bound to target and purpose, so a code for one thing opens nothing else. */
function macOf(secretKey: SecretKey, id: string, target: Target, purpose: CodePurpose, code: string): string {
  return secretKey.mac('verification code', [id, target.key, purpose, code].join('\0'));
}

const key = ({ secretKey }: Keyed, limit: string, target: Target) => `${limit}:${secretKey.mac('attempt', target.key)}`;

/**
 * Counts one message to a target. Known and unknown targets are counted alike.
 * @returns 0 when a code may be sent, else the seconds to wait
 */
export async function countSending(
  queries: Queries,
  target: Target,
  purpose: CodePurpose,
  keyed: Keyed,
): Promise<number> {
  for (const [name, limit] of [
    // A code for another purpose need not wait.
    [`code-again-${purpose}`, again],
    ['code-hour', perHour],
    ['code-day', perDay],
  ] as const) {
    const wait = await countAttempt(queries, key(keyed, name, target), limit, keyed.now);
    if (wait > 0) return wait;
  }
  return 0;
}

/**
 * Creates a six-digit code; earlier codes for the same target and purpose become invalid.
 * @param useless it opens nothing, but checking guesses takes as long: for a target about which nothing may be revealed
 */
export async function createCode(
  queries: Queries,
  target: Target,
  purpose: CodePurpose,
  { secretKey, now }: Keyed,
  useless = false,
): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const id = randomUUID();
  // No six digits ever equal this.
  const opening = useless ? randomUUID() : code;
  await queries.run('UPDATE verification_code SET used = 1 WHERE target = $1 AND purpose = $2', [target.key, purpose]);
  await queries.run(
    'INSERT INTO verification_code (id, target, purpose, code_mac, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)',
    [id, target.key, purpose, macOf(secretKey, id, target, purpose, opening), now, now + codeLifeMs],
  );
  return code;
}

const codeRow = z.object({ id: z.string(), code_mac: z.string() });

/**
 * Checks a code and uses it up: it can be right once, and wrong at most five times. Each try is counted before it is
 * compared, so parallel guesses gain nothing.
 */
export async function takeCode(
  queries: Queries,
  target: Target,
  purpose: CodePurpose,
  code: string,
  keyed: Keyed,
): Promise<boolean> {
  const { secretKey, now } = keyed;
  const waiting = 'target = $1 AND purpose = $2 AND used = 0 AND expires_at > $3 AND tries < $4';
  const of = [target.key, purpose, now, mostTries];
  // Without a pending code there is nothing to guess: counting would let strangers use up the owner's daily tries.
  if (!(await queries.one(codeRow, `SELECT id, code_mac FROM verification_code WHERE ${waiting}`, of))) return false;
  if ((await countAttempt(queries, key(keyed, 'code-wrong', target), wrongPerDay, now)) > 0) return false;
  const tried = await queries.one(
    codeRow,
    `UPDATE verification_code SET tries = tries + 1 WHERE ${waiting} RETURNING id, code_mac`,
    of,
  );
  if (!tried || tried.code_mac !== macOf(secretKey, tried.id, target, purpose, code)) return false;
  const used = await queries.run('UPDATE verification_code SET used = 1 WHERE id = $1 AND used = 0', [tried.id]);
  if (used === 0) return false;
  await forgiveAttempt(queries, key(keyed, 'code-wrong', target));
  return true;
}
