import { z } from 'zod';
import { calls } from '../../../../client/contract/calls.ts';
import { absoluteMs, idleMs } from '../../account/sessions.ts';
import { noBody, signedInCall } from '../define-call.ts';

const row = z.object({ id: z.string(), created_at: z.number(), last_seen_at: z.number(), browser: z.string() });

/** The account's live sessions, most recently used first. */
export const listSessions = signedInCall(calls.listSessions, noBody, async ({ session }, { database, now }) => {
  const rows = await database.all(
    row,
    `SELECT id, created_at, last_seen_at, browser FROM session
     WHERE uid = $1 AND created_at > $2 AND last_seen_at > $3 ORDER BY last_seen_at DESC, id LIMIT 100`,
    [session.uid, now() - absoluteMs, now() - idleMs],
  );
  return rows.map(({ id, created_at: createdAt, last_seen_at: lastSeenAt, browser }) => ({
    id,
    createdAt,
    lastSeenAt,
    browser,
    current: id === session.id,
  }));
});
