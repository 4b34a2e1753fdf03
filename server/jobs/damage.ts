import { z } from 'zod';
import type { Log } from '../log.ts';

const mostNamed = 1_000;

/** The columns that identify a row of each kind, and their names in the log. */
const namedBy = {
  job: { id: 'job' },
  'data source': { id: 'dataSource' },
  table: { job_id: 'job', id: 'table' },
  event: { job_id: 'job', id: 'event' },
  // A job may have thousands of them, all alike.
  sample: { job_id: 'job' },
  command: { job_id: 'job', id: 'command' },
  'console job': { job_id: 'job' },
  worker: { id: 'worker' },
  key: { id: 'key' },
} as const;
export type DamagedKind = keyof typeof namedBy;

/** Logs a row that cannot be read. @param row as the store has it @param error which column, and why */
export type NameDamage = (what: DamagedKind, row: unknown, error: unknown) => void;

const columns = z.record(z.string(), z.unknown()).catch({});

/** Logs what is damaged in the store, each row once. */
export function openDamageLog(log: Log): NameDamage {
  const named = new Set<string>();
  return (what, row, error) => {
    const values = columns.parse(row);
    const names = Object.entries(namedBy[what]).map(([column, name]) => [name, values[column]]);
    const key = JSON.stringify([what, ...names]);
    if (named.has(key) || named.size >= mostNamed) return;
    named.add(key);
    log.error({ err: error, ...Object.fromEntries(names) }, `a ${what} row cannot be read`);
  };
}
