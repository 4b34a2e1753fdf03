import { z } from 'zod';
import { checkRow, type Queries, type SqlValue } from '../storage/database.ts';
import type { DamagedKind } from './damage.ts';
import type { JobServices } from './services.ts';

interface Rows<Row> {
  what: DamagedKind;
  schema: z.ZodType<Row>;
  /** What is left of a row that cannot be read; without it the row is left out. */
  rest?: z.ZodType<Row>;
}

/** What rows are read with. */
export interface RowServices extends Pick<JobServices, 'jobs'> {
  database: Queries;
}

/** Rows of a list; one that cannot be read is named in the log, and keeps no other one back. */
export async function readableRows<Row>(
  { database, jobs }: RowServices,
  { what, schema, rest }: Rows<Row>,
  sql: string,
  parameters: readonly SqlValue[],
): Promise<Row[]> {
  const rows = await database.all(z.unknown(), sql, parameters);
  return rows.flatMap((row): Row[] => {
    try {
      return [checkRow(schema, row, sql)];
    } catch (error) {
      jobs.nameDamage(what, row, error);
      const left = rest?.safeParse(row);
      return left?.success ? [left.data] : [];
    }
  });
}
