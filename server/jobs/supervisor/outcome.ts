import { z } from 'zod';
import { type Fault, faultSchema } from '../../engine/protocol.ts';
import { AppError } from '../../errors.ts';
import { StorageSilent } from '../../storage/database.ts';
import { addEvent } from '../events.ts';
import { type AlsoSet, type JobRow, move } from '../jobs.ts';
import type { JobServices } from '../services.ts';
import { removeCommandsOf, type TableCommand } from '../table-commands.ts';
import { completeCommands } from './pass-commands.ts';

const firstRetryMs = 1_000;
export const longestRetryMs = 60_000;
const toldFault = z.object({ fault: faultSchema });

/** How long a job waits after a number of faults in a row. */
export function retryDelayMs(failures: number): number {
  return Math.min(firstRetryMs * 2 ** (failures - 1), longestRetryMs);
}

/** Whether the server itself had no time or no store for a job, which says nothing about the job. */
export function isPassing(error: unknown): boolean {
  return error instanceof StorageSilent || (error instanceof AppError && error.code === 'OVERLOADED');
}

/** What kept a job from being started or deleted. */
export function faultOf(error: unknown, job: JobRow, what: 'started' | 'deleted', log: JobServices['log']): Fault {
  const refused = error instanceof AppError && error.status < 500;
  const told = refused ? toldFault.safeParse(error.data) : undefined;
  if (told?.success) return told.data.fault;
  if (!refused) log.error({ err: error, job: job.id }, `a job could not be ${what}`);
  return {
    code: 'UNEXPECTED',
    sentence: refused ? error.message : `The job could not be ${what}.`,
    hint: "The server log has the details under the job's id.",
    retry: refused ? 'manual' : 'timed',
  };
}

const postponedMs = 10_000;

/** Leaves a job that the server had no time for until its next try; nothing is wrong with the job. */
export async function postpone({ database, now }: JobServices, { id }: JobRow): Promise<void> {
  await database.run('UPDATE data_job SET next_try_at = $1 WHERE id = $2', [now() + postponedMs, id]);
}

/** @param retries what the process of a complete job ran for */
export async function recordCompletion(
  { database, jobs, now }: JobServices,
  { id }: JobRow,
  retries: readonly TableCommand[] | undefined,
): Promise<void> {
  const sentence = retries ? 'Parked rows were retried; the job stays complete.' : 'The job is complete.';
  await database.transaction(async (queries) => {
    if (!(await move(queries, id, 'completed', { fault: null, failures: 0 }))) return;
    await addEvent(queries, id, { at: now(), level: 'info', table: null, sentence });
    await completeCommands({ database: queries, jobs }, id, retries ?? []);
  });
  jobs.wake();
}

export function recordStop(services: JobServices, job: JobRow): Promise<void> {
  return record(services, job, 'stopped', { level: 'info', sentence: 'The job was stopped.' });
}

/** Schedules a retry, or leaves the job to a user. */
export function recordFault(services: JobServices, job: JobRow, fault: Fault, failures: number): Promise<void> {
  const at = services.now();
  const waits = fault.retry === 'timed';
  const also = { fault: { ...fault, at }, failures, nextTryAt: waits ? at + retryDelayMs(failures) : null };
  return record(services, job, waits ? 'failed' : 'given up', { level: 'error', sentence: fault.sentence }, also);
}

async function record(
  { database, jobs, now }: JobServices,
  { id }: JobRow,
  on: 'stopped' | 'failed' | 'given up',
  event: { level: 'info' | 'error'; sentence: string },
  also: AlsoSet = {},
): Promise<void> {
  await database.transaction(async (queries) => {
    const next = await move(queries, id, on, also);
    if (!next) return;
    await addEvent(queries, id, { at: now(), table: null, ...event });
    // No process runs for these commands any more: anyone who still wants them asks again.
    if (next.status === 'COMPLETE') await removeCommandsOf(queries, id);
  });
  jobs.wake();
}
