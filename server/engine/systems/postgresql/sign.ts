import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { askRow } from './sessions.ts';

/** A key that nobody else's lock has by chance. */
const mostKey = 2 ** 47;

/** Holds a lock of a random key while `work` looks for it: everybody who is connected to the database sees it. */
export async function withSign<T>(session: pg.ClientBase, work: (sign: string) => Promise<T>): Promise<T> {
  const key = randomInt(1, mostKey);
  // Of a transaction, so that a pooler keeps its server.
  await session.query('BEGIN');
  await session.query({ text: 'SELECT pg_advisory_xact_lock($1)', values: [key] });
  const result = await work(`postgresql ${key}`);
  await session.query('COMMIT');
  return result;
}

/** Whether somebody holds the lock in this database of this server; a copy of it, or a standby, has other locks. */
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
