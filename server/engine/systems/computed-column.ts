import type { Finding } from '../finding.ts';

/**
 * The finding for a column that the target computes and the source does not: it accepts no values.
 * @param table its full name
 */
export function computedColumn(table: string, column: string): Finding {
  return {
    type: 'COLUMN_TYPE',
    side: 'target',
    result: 'fault',
    sentence: `The target computes the column ${column} of ${table} and the source does not: its values would silently differ. Make it a plain column, or leave it out of the job.`,
    table,
  };
}
