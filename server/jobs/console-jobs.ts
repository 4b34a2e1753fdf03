import { z } from 'zod';
import type { Queries } from '../storage/database.ts';
import { JobError } from './errors.ts';

/** The steps in which a job is created, numbered from 1. */
export const makingSteps = ['Read the schema', 'Choose a worker', 'Prepare the state machine', 'Finish'] as const;

const state = z.enum(['WAIT_START', 'EXECUTE', 'SUCCESS', 'FAILED', 'CANCELED', 'SKIP']);
const consoleJobRow = z.object({ id: z.number(), job_id: z.number(), state, created_at: z.number() });
const taskRow = z.object({ id: z.number(), step: z.number(), state, message: z.string() });

/** A console job of an account. @throws JobError NO_CONSOLE_JOB, also for another account's */
export async function findConsoleJob(queries: Queries, uid: string, id: number) {
  const found = await queries.one(
    consoleJobRow,
    `SELECT c.id, c.job_id, c.state, c.created_at FROM console_job c JOIN data_job j ON j.id = c.job_id
     WHERE c.id = $1 AND j.uid = $2`,
    [id, uid],
  );
  if (!found) throw new JobError('NO_CONSOLE_JOB');
  return found;
}

export function findConsoleTasks(queries: Queries, consoleJobId: number) {
  return queries.all(
    taskRow,
    'SELECT id, step, state, message FROM console_task WHERE console_job_id = $1 ORDER BY step',
    [consoleJobId],
  );
}
