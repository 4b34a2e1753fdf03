import { expect, test } from 'vitest';
import { modelTables } from './model-tables.ts';
import { simulate } from './simulation.ts';

/** As many as `npm test` takes; set MODEL_SEEDS=20000 for more. */
const seeds = Number(process.env.MODEL_SEEDS ?? 1_500);
const first = Number(process.env.MODEL_FIRST_SEED ?? 1);
/** Enough for a starved machine; a seed takes 10 ms of processor time. */
const seedMs = 1_000;

/** Everything that the rule must survive; a kind that no seed reached proves nothing. */
const kinds = [
  'partial update',
  'whole update',
  'delete',
  'delete and insert',
  'key change',
  'key change with untold cells',
  'unique value handed over',
  'truncate',
  'large transaction',
  'transaction beside a long one',
  'rollback',
  'decoded before visible',
  'nobody sees commits for a while',
  'rejected',
  'failed after write',
  'commit of a killed process',
  'stale epoch refused',
  'slice',
  'restart inside a slice',
  'read again',
  'printed chunk',
  'row taken out of a print',
  'again in log order',
  'row deleted by a resync',
  'row made room',
  'rows at the target before the job',
  'killed while waiting',
  'killed while copying',
  'killed while catching-up',
  'killed while live',
  'pause',
  'resume',
  'resync',
  'resync while nobody sees commits',
  'row parked',
  'row of a chunk parked',
  'key change parked',
  'change of a parked row',
  'key change of a parked row',
  'unparked by a delete',
  'unparked by a truncate',
  'retry of one row',
  'retry of all rows',
  'parked row written by a retry',
  'parked row refused again',
  'blocked by its parked rows',
  'row enters the filter',
  'row enters the filter in part',
  'row leaves the filter',
  'row stays outside of the filter',
  'filter on an untold cell',
] as const;

const named = `${seeds} random histories of writes, faults and kills all end with the rows of the source`;

test(named, { timeout: 60_000 + seeds * seedMs }, async () => {
  const counts = new Map<string, number>();
  for (let seed = first; seed < first + seeds; seed++) {
    const { source, target } = await simulate(seed, (kind) => counts.set(kind, (counts.get(kind) ?? 0) + 1));
    for (const { id } of modelTables)
      expect({ seed, id, rows: target.get(id) }).toEqual({ seed, id, rows: source.get(id) });
  }
  for (const [kind, count] of [...counts].sort()) process.stdout.write(`${String(count).padStart(8)} ${kind}\n`);
  for (const kind of kinds) expect(counts.get(kind), kind).toBeGreaterThan(0);
});
