import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Queries } from '../../storage/database.ts';
import type { Target } from './targets.ts';

const accountRow = z.object({
  uid: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  password_hash: z.string().nullable(),
});

const erasedRow = z.object({ erased_at: z.number().nullable() });

export type Account = z.infer<typeof accountRow>;

const columns = 'uid, username, email, phone, password_hash';

/** The account with this target. */
export function findAccount(queries: Queries, target: Target): Promise<Account | undefined> {
  const column = target.kind === 'mail' ? 'email_key' : 'phone';
  return queries.one(accountRow, `SELECT ${columns} FROM account WHERE ${column} = $1`, [target.key]);
}

/** The account with this target, locked against changes until the caller's transaction ends. */
export function holdAccount(queries: Queries, target: Target): Promise<Account | undefined> {
  const column = target.kind === 'mail' ? 'email_key' : 'phone';
  return queries.one(accountRow, `UPDATE account SET credits = credits WHERE ${column} = $1 RETURNING ${columns}`, [
    target.key,
  ]);
}

/** Whether an account is still as it was read; if so, it is locked until the caller's transaction ends. */
export async function holdUnchanged(
  queries: Queries,
  { uid, email, phone, password_hash: passwordHash }: Account,
): Promise<boolean> {
  const same = await queries.run(
    `UPDATE account SET credits = credits WHERE uid = $1 AND coalesce(email, '') = $2 AND coalesce(phone, '') = $3
       AND coalesce(password_hash, '') = $4`,
    [uid, email ?? '', phone ?? '', passwordHash ?? ''],
  );
  return same === 1;
}

/** The account of a signed-in user. */
export function accountOf(queries: Queries, uid: string): Promise<Account | undefined> {
  return queries.one(accountRow, `SELECT ${columns} FROM account WHERE uid = $1`, [uid]);
}

/** Whether there is an account, or what is left of one that was erased: its bills. */
export async function existenceOf(queries: Queries, uid: string): Promise<'exists' | 'erased' | 'unknown'> {
  const found = await queries.one(erasedRow, 'SELECT erased_at FROM account WHERE uid = $1', [uid]);
  if (!found) return 'unknown';
  return found.erased_at === null ? 'exists' : 'erased';
}

export interface NewAccount {
  username: string;
  target: Target;
  /** Undefined for a user who signs in by single sign-on. */
  passwordHash: string | undefined;
  company: string;
  country: string;
  contactMe: boolean;
  source: string;
  keyword: string;
  /** Cents. */
  credits: number;
  now: number;
}

/**
 * Creates an account whose target was verified by a code, in the caller's transaction; the first one owns the
 * installation.
 * @returns its uid, or undefined when the target is taken
 */
export async function createAccount(queries: Queries, account: NewAccount): Promise<string | undefined> {
  const { target } = account;
  const uid = randomUUID();
  const mail = target.kind === 'mail';
  const made = await queries.run(
    `INSERT INTO account (uid, username, email, email_key, phone, email_verified, password_hash, company, country,
       contact_me, source, keyword, credits, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT DO NOTHING`,
    [
      uid,
      account.username,
      mail ? target.address : null,
      mail ? target.key : null,
      mail ? null : target.key,
      mail ? 1 : 0,
      account.passwordHash ?? null,
      account.company,
      account.country,
      account.contactMe ? 1 : 0,
      account.source,
      account.keyword,
      account.credits,
      account.now,
    ],
  );
  if (made === 0) return undefined;
  await queries.run('INSERT INTO installation_owner (one, uid) VALUES (1, $1) ON CONFLICT DO NOTHING', [uid]);
  return uid;
}
