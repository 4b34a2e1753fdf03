import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { askRow } from './sessions.ts';

/** Keys below this limit; no other lock has the same one by chance. */
const mostKey = 2 ** 47;

/** Holds a lock on a random key while `work` looks for it: every session of the database sees it. */
export async function withSign<T>(session: pg.ClientBase, work: (sign: string) => Promise<T>): Promise<T> {
  const key = randomInt(1, mostKey);
  // In a transaction, so that a pooler keeps its server session.
  await session.query('BEGIN');
  await session.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [key] });
  const result = await work(`postgresql ${key}`);
  await session.query('COMMIT');
  return result;
}

/** Whether the lock is held in this database on this server; a copy of it, or a standby, has other locks. */
export async function seesSign(session: pg.ClientBase, sign: string): Promise<boolean> {
  const [, key] = /^postgresql (\d+)$/.exec(sign) ?? [];
  if (!key) return false;
  const [isSeen] = await askRow(
    session,
    `SELECT EXISTS (SELECT FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
      WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.objsubid = 1
        AND (l.classid::int8 << 32 | l.objid::int8) = $1)`,
    [key],
  );
  return isSeen === 't';
}
