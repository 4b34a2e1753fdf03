import { z } from 'zod';
import type { Queries, SqlValue } from '../storage/database.ts';
import { JobError, type JobErrorCode } from './errors.ts';

/** The row that a call asks for. @throws JobError with one code if there is none, with the other if it is unreadable */
export async function askedRow<Row>(
  queries: Queries,
  schema: z.ZodType<Row>,
  sql: string,
  parameters: readonly SqlValue[],
  faults: { missing: JobErrorCode; damaged: JobErrorCode },
): Promise<Row> {
  const row = await queries.one(z.unknown(), sql, parameters);
  if (row === undefined) throw new JobError(faults.missing);
  const read = schema.safeParse(row);
  if (!read.success) throw new JobError(faults.damaged);
  return read.data;
}
