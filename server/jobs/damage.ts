import { z } from 'zod';
import type { Log } from '../log.ts';

const mostNamed = 1_000;

/** The columns that name a row of each kind, and what the log calls them. */
const namedBy = {
  job: { id: 'job' },
  'data source': { id: 'dataSource' },
  table: { job_id: 'job', id: 'table' },
  event: { job_id: 'job', id: 'event' },
  // Thousands of a job may be alike.
  sample: { job_id: 'job' },
  order: { job_id: 'job', id: 'order' },
  'console job': { job_id: 'job' },
  worker: { id: 'worker' },
  key: { id: 'key' },
} as const;
export type DamagedKind = keyof typeof namedBy;

/** Names a row that cannot be read. @param row as the store has it @param error which column, and why */
export type NameDamage = (what: DamagedKind, row: unknown, error: unknown) => void;

const columns = z.record(z.string(), z.unknown()).catch({});

/** Names in the log what the store has damaged, each row once. */
export function openDamageLog(log: Log): NameDamage {
  const named = new Set<string>();
  return (what, row, error) => {
    const values = columns.parse(row);
    const names = Object.entries(namedBy[what]).map(([column, name]) => [name, values[column]]);
    const key = JSON.stringify([what, ...names]);
    if (named.has(key) || named.size >= mostNamed) return;
    named.add(key);
    log.error({ err: error, ...Object.fromEntries(names) }, `the row of a ${what} cannot be read`);
  };
}
