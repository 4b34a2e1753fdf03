import type { Log } from '../log.ts';

const mostNamed = 1_000;

/** Names a row that cannot be read. @param id of the row as the store has it @param error which column, and why */
export type NameDamage = (what: 'job' | 'data source', id: unknown, error: unknown) => void;

/** Names in the log what the store has damaged, each row once. */
export function openDamageLog(log: Log): NameDamage {
  const named = new Set<string>();
  return (what, id, error) => {
    const name = `${what} ${id}`;
    if (named.has(name) || named.size >= mostNamed) return;
    named.add(name);
    log.error({ err: error, [what === 'job' ? 'job' : 'dataSource']: id }, `the row of a ${what} cannot be read`);
  };
}
