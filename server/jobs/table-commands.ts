import { z } from 'zod';
import type { Command, Retry } from '../engine/protocol.ts';
import type { Queries } from '../storage/database.ts';
import { type RowServices, readableRows } from './readable-rows.ts';

const tableCommand = z.object({
  id: z.number(),
  job_id: z.number(),
  table_id: z.string(),
  action: z.enum(['pause', 'resume', 'resync', 'retry']),
  parked_row: z.number().nullable(),
});
/** An operator's command for a table of a job, for its process. */
export type TableCommand = z.infer<typeof tableCommand>;

const rows = { what: 'command', schema: tableCommand } as const;
const columns = 'id, job_id, table_id, action, parked_row';

/** All commands for all jobs, in order of arrival; unreadable ones stay in the store and are not carried out. */
export function allCommands(services: RowServices): Promise<TableCommand[]> {
  return readableRows(services, rows, `SELECT ${columns} FROM job_order ORDER BY id`, []);
}

/** Parked rows of a job to retry. */
export function retriesOf(services: RowServices, jobId: number): Promise<TableCommand[]> {
  const sql = `SELECT ${columns} FROM job_order WHERE job_id = $1 AND action = 'retry' ORDER BY id`;
  return readableRows(services, rows, sql, [jobId]);
}

export async function removeCommands(queries: Queries, commands: readonly Pick<TableCommand, 'id'>[]): Promise<void> {
  for (const { id } of commands) await queries.run('DELETE FROM job_order WHERE id = $1', [id]);
}

/** They will not be carried out any more. */
export async function removeCommandsOf(queries: Queries, jobId: number): Promise<void> {
  await queries.run('DELETE FROM job_order WHERE job_id = $1', [jobId]);
}

export function retryOf({ table_id, parked_row }: TableCommand): Retry {
  return { id: table_id, row: parked_row };
}

/** The message to the job process. @param isTold whether it reports when it has carried out the command */
export function messageOf(command: TableCommand, isTold: boolean): Command {
  const number = isTold ? { order: command.id } : {};
  if (command.action === 'retry') return { kind: 'retry', ...retryOf(command), ...number };
  return { kind: 'table', id: command.table_id, action: command.action, ...number };
}
