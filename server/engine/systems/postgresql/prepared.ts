import type pg from 'pg';

/**
 * Prepared statements that the server keeps per session; further ones, of a job with many tables, are planned each
 * time.
 */
const mostKept = 500;

const kept = new WeakMap<pg.ClientBase, Map<string, string>>();

/** Runs a recurring statement, which its session plans once. Every cell of its rows is text or null. */
export function runPrepared(
  session: pg.ClientBase,
  text: string,
  values: unknown[],
): Promise<pg.QueryArrayResult<(string | null)[]>> {
  const names = kept.get(session) ?? new Map<string, string>();
  kept.set(session, names);
  if (!names.has(text) && names.size < mostKept) names.set(text, `millrace_${names.size}`);
  const name = names.get(text);
  return session.query<(string | null)[]>({ text, values, rowMode: 'array', ...(name && { name }) });
}
