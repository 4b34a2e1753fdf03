import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Database, Queries } from '../../storage/database.ts';
import { tokenHash } from '../../storage/token-hash.ts';
import { ConsoleError } from '../errors.ts';
import { type Account, holdUnchanged } from './accounts.ts';

/** The user behind a request. */
export interface Session {
  id: string;
  uid: string;
}

const hourMs = 3_600_000;
export const idleMs = 24 * hourMs;
export const absoluteMs = 7 * 24 * hourMs;
/** How old the recorded last use may be: recording every request would sync the disk for each. */
const noteEveryMs = 60_000;
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

const row = z.object({ id: z.string(), uid: z.string(), last_seen_at: z.number() });
const columns = 'id, uid, last_seen_at';
const live = 'created_at > $2 AND last_seen_at > $3';

/** Begins a session. @returns the token, 256 random bits, and the latest time at which it ends */
export async function beginSession(
  queries: Queries,
  { uid, browser, now }: { uid: string; browser: string; now: number },
): Promise<{ token: string; expiresAt: number }> {
  const token = randomBytes(32).toString('base64url');
  await queries.run(
    'INSERT INTO session (id, token_hash, uid, created_at, last_seen_at, browser) VALUES ($1, $2, $3, $4, $4, $5)',
    [randomUUID(), tokenHash(token), uid, now, browser.slice(0, 200)],
  );
  return { token, expiresAt: now + absoluteMs };
}

/**
 * Begins a session for an account whose owner was verified, if the account is unchanged since. Otherwise a new password
 * or address has ended all sessions meanwhile, and this one would survive.
 * @returns undefined when it has changed
 */
export function beginProvedSession(
  database: Database,
  account: Account,
  { browser, now }: { browser: string; now: number },
): Promise<{ token: string; expiresAt: number } | undefined> {
  return database.transaction(async (queries) => {
    // A concurrent change waits until the session exists and can be ended.
    const isSame = await holdUnchanged(queries, account);
    return isSame ? beginSession(queries, { uid: account.uid, browser, now }) : undefined;
  });
}

/** The live session of a token, or undefined; its last use is recorded. */
export async function findSession(
  database: Database,
  token: string | undefined,
  now: number,
): Promise<Session | undefined> {
  if (token === undefined || !tokenPattern.test(token)) return undefined;
  const found = await database.one(row, `SELECT ${columns} FROM session WHERE token_hash = $1 AND ${live}`, [
    tokenHash(token),
    now - absoluteMs,
    now - idleMs,
  ]);
  if (!found) return undefined;
  if (now - found.last_seen_at > noteEveryMs) {
    await database.run('UPDATE session SET last_seen_at = $1 WHERE id = $2 AND last_seen_at < $1', [now, found.id]);
  }
  return { id: found.id, uid: found.uid };
}

/** Whether a session has not ended since it was found; this does not count as use. */
export async function isLive(queries: Queries, { id }: Session, now: number): Promise<boolean> {
  const found = `SELECT ${columns} FROM session WHERE id = $1 AND ${live}`;
  return (await queries.one(row, found, [id, now - absoluteMs, now - idleMs])) !== undefined;
}

/** Whether a session still exists; if so, ending it waits for the caller's transaction. */
export async function holdSession(queries: Queries, { id }: Session): Promise<boolean> {
  return (await queries.run('UPDATE session SET last_seen_at = last_seen_at WHERE id = $1', [id])) === 1;
}

/**
 * Locks a session and its account until the caller's transaction ends. A new password or address ends sessions to keep
 * their holders out, including from actions they have already begun.
 * @throws ConsoleError SIGNED_OUT when either has changed
 */
export async function holdSignedIn(queries: Queries, account: Account, session: Session): Promise<void> {
  // The account first: the same order as in code that ends its sessions.
  const isHeld = (await holdUnchanged(queries, account)) && (await holdSession(queries, session));
  if (!isHeld) throw new ConsoleError('SIGNED_OUT');
}

/** Ends the session of a token, if there is one. */
export async function endSession(queries: Queries, token: string): Promise<void> {
  await queries.run('DELETE FROM session WHERE token_hash = $1', [tokenHash(token)]);
}

/** Ends all sessions of an account, or all but one. */
export async function endOtherSessions(queries: Queries, uid: string, keep?: string): Promise<void> {
  await queries.run('DELETE FROM session WHERE uid = $1 AND id <> $2', [uid, keep ?? '']);
}
