import { setTimeout as wait } from 'node:timers/promises';
import { errorMessage } from '../../error-message.ts';
import type { Pair, Servers } from './pair.ts';
import type { Runner } from './runner.ts';

/** What a job runs with. */
export interface Parts {
  pair: Pair;
  runner: Runner;
  servers: Servers;
}

/** How long to wait for a server that is down, in milliseconds. */
const longestMs = 10_000;

const sessions = `SELECT to_json(s) FROM (SELECT pid, backend_type, application_name, state, wait_event,
  pg_blocking_pids(pid) AS blocked_by, now() - xact_start AS since, left(query, 200) AS query
  FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()) AS s`;
const slots = 'SELECT to_json(s) FROM pg_replication_slots AS s WHERE database = current_database()';
const mark = 'SELECT to_json(m) FROM millrace.millrace_mark AS m';
const tables = 'SELECT to_json(t) FROM millrace.millrace_table AS t';

/** The state of a stalled or failed job: sessions, slot and mark, its last messages, and those of both servers. */
export async function standingOf({ pair, runner, servers }: Parts): Promise<string> {
  const asked: [string, Promise<string>][] = [
    ['job', runner.said()],
    ['source', rowsOf(pair.source.ask(sessions))],
    ['slot', rowsOf(pair.source.ask(slots))],
    ['target', rowsOf(pair.target.ask(sessions))],
    ['mark', rowsOf(pair.target.ask(mark))],
    ['tables', rowsOf(pair.target.ask(tables))],
  ];
  const told = asked.map(async ([name, answer]) => {
    const late = wait(longestMs, 'no answer', { ref: false });
    return `${name}:\n${await Promise.race([answer, late]).catch(errorMessage)}`;
  });
  const logs = [`log of the source:\n${servers.source.log()}`, `log of the target:\n${servers.target.log()}`];
  return [...(await Promise.all(told)), ...logs].join('\n');
}

async function rowsOf(answer: Promise<unknown[][]>): Promise<string> {
  return (await answer).map(([row]) => JSON.stringify(row)).join('\n');
}
