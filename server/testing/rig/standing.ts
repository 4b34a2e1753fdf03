import type { Pair } from './pair.ts';

const sessions = `SELECT to_json(s) FROM (SELECT pid, backend_type, application_name, state, wait_event,
  pg_blocking_pids(pid) AS blocked_by, now() - xact_start AS since, left(query, 200) AS query
  FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()) AS s`;
const slots = 'SELECT to_json(s) FROM pg_replication_slots AS s WHERE database = current_database()';
const mark = 'SELECT to_json(m) FROM millrace.millrace_mark AS m';
const tables = 'SELECT to_json(t) FROM millrace.millrace_table AS t';

/** What the sessions of both databases, the slot and the mark of the job are at, a line each; for a wait without an end. */
export async function standingOf({ source, target }: Pair): Promise<string> {
  const told = await Promise.all([
    lines('source', source.ask(sessions)),
    lines('slot', source.ask(slots)),
    lines('target', target.ask(sessions)),
    lines('mark', target.ask(mark)),
    lines('table', target.ask(tables)),
  ]);
  return told.flat().join('\n');
}

async function lines(name: string, answer: Promise<unknown[][]>): Promise<string[]> {
  return (await answer).map(([row]) => `${name}: ${JSON.stringify(row)}`);
}
