import { z } from 'zod';
import { checkRow, type Queries, type SqlValue } from '../storage/database.ts';
import type { DamagedKind } from './damage.ts';
import type { JobServices } from './services.ts';

interface Rows<Row> {
  what: DamagedKind;
  schema: z.ZodType<Row>;
  /** What is left of an unreadable row; without it the row is left out. */
  rest?: z.ZodType<Row>;
}

/** What reading rows requires. */
export interface RowServices extends Pick<JobServices, 'jobs'> {
  database: Queries;
}

/** Rows of a list; an unreadable one is logged and does not hold back the others. */
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
