import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { TellWait } from '../../source.ts';
import type { PostgresSettings } from './card.ts';
import { connect, type SideOptions } from './connect.ts';
import { askJson } from './sessions.ts';

/** How long to wait before reporting a wait, and before each further report, in milliseconds. */
const firstMs = 5_000;
const againMs = 600_000;

const openTransaction = z.object({
  /** Null for a prepared transaction. */
  pid: z.number().nullable(),
  prepared: z.string().nullable(),
  application: z.string().nullable(),
  since: z.string().nullable(),
});

/**
 * Transactions that have written, in every database, oldest first; of other users' sessions, only the PID may be
 * visible.
 */
const openTransactions = `
  SELECT json_build_object('pid', pid, 'prepared', gid, 'application', nullif(application_name, ''),
    'since', to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"'))::text
  FROM (SELECT DISTINCT ON (coalesce(l.pid::text, p.gid)) l.pid, p.gid, a.application_name,
      coalesce(a.xact_start, p.prepared) AS since, age(l.transactionid) AS age
  FROM pg_locks AS l LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
    LEFT JOIN pg_prepared_xacts AS p ON p.transaction = l.transactionid
  WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted
  -- Each savepoint that writes has a transaction ID of its own.
  ORDER BY coalesce(l.pid::text, p.gid), age(l.transactionid) DESC) AS open ORDER BY age DESC`;

/** Does work that waits for other transactions, and meanwhile reports which ones it waits for. */
export async function whileTelling<T>(
  settings: PostgresSettings,
  own: SideOptions,
  tell: TellWait | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!tell) return await work();
  const ended = new AbortController();
  const signal = AbortSignal.any([own.signal, ended.signal]);
  // It ends with the abort.
  const telling = tellOpen(settings, { ...own, signal }, tell).catch(() => undefined);
  try {
    return await work();
  } finally {
    ended.abort();
    await telling;
  }
}

async function tellOpen(settings: PostgresSettings, own: SideOptions, tell: TellWait): Promise<never> {
  for (let pauseMs = firstMs; ; ) {
    await wait(pauseMs, undefined, { signal: own.signal });
    // The work continues, or reports itself what is wrong with the server; a look that failed is repeated.
    const open = await readOpen(settings, own).catch(() => undefined);
    const sentence = open && sentenceOf(open);
    if (sentence) tell(sentence);
    pauseMs = open ? againMs : firstMs;
  }
}

async function readOpen(settings: PostgresSettings, own: SideOptions): Promise<z.infer<typeof openTransaction>[]> {
  const session = await connect(settings, { side: 'source', ...own });
  return await askJson(session, openTransaction, openTransactions).finally(() => session.end());
}

function sentenceOf([oldest, ...others]: readonly z.infer<typeof openTransaction>[]): string | undefined {
  if (!oldest) return undefined;
  const { pid, prepared, application, since } = oldest;
  const name = pid === null ? `the prepared transaction ${prepared}` : `process ${pid}`;
  const more = others.length > 0 ? `, and ${others.length} after it` : '';
  return `The job waits for transactions that are open at the source to end: ${name}${application ? ` (${application})` : ''}${since ? `, open since ${since}` : ''}${more}.`;
}
