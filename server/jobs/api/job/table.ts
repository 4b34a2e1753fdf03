import { z } from 'zod';
import { type JobTable, jobTableSchema } from '../../../../client/contract/jobs/jobs.ts';
import { JobError } from '../../errors.ts';
import { nextId } from '../../ids.ts';
import { jobOf, move } from '../../jobs.ts';
import { id } from '../../request-fields.ts';
import type { JobServices } from '../../services.ts';
import { requireReadable, tablesOf } from '../../tables.ts';
import { innerCall } from '../define-job-call.ts';

/** A table of a job, as every call about it names it. */
export const body = z.strictObject({ jobId: id, table: z.string().min(1).max(1_024) });
type Named = z.infer<typeof body>;
export const example = { jobId: 1, table: '16384' };
const mostCommands = 1_000;
const countRow = z.object({ n: z.number() });

/** @throws JobError NO_TABLE, TABLE_DAMAGED */
export async function tableOf(services: JobServices, uid: string, { jobId, table }: Named): Promise<JobTable> {
  await jobOf(services.database, uid, jobId);
  const found = (await tablesOf(services, jobId, 0)).find((one) => one.id === table);
  if (!found) throw new JobError('NO_TABLE');
  requireReadable(found);
  return found;
}

/** Hands a command to the job process; if it does not run, it gets the command when it starts. */
async function command(
  services: JobServices,
  uid: string,
  named: Named,
  action: 'pause' | 'resume' | 'resync' | 'retry',
  parkedRow: number | null = null,
) {
  const { database, jobs } = services;
  const table = await tableOf(services, uid, named);
  await database.transaction(async (queries) => {
    const { phase } = await jobOf(queries, uid, named.jobId);
    if (phase === 'COMPLETE' && action !== 'retry')
      throw new JobError('NOT_POSSIBLE', 'The job is complete: a replay copies its tables again.');
    const count = await queries.one(countRow, 'SELECT count(*) AS n FROM job_order WHERE job_id = $1', [named.jobId]);
    if ((count?.n ?? 0) >= mostCommands)
      throw new JobError('TOO_MANY', 'Too many commands are waiting for this job: start it first.');
    await queries.run('INSERT INTO job_order (id, job_id, table_id, action, parked_row) VALUES ($1, $2, $3, $4, $5)', [
      await nextId(queries),
      named.jobId,
      named.table,
      action,
      parkedRow,
    ]);
    // For a job that is complete; others have a process for it, or get one when they are started.
    if (action === 'retry') await move(queries, named.jobId, 'rows retried', { failures: 0, nextTryAt: null });
  });
  jobs.wake();
  return table;
}

/** What this version cannot do yet. */
const noVerification = 'Verification is not part of this version yet.';

/** Calls about one table of a job; they return its previous state, and the new one comes by live events. */
export const tableCalls = [
  innerCall(
    'job/table/pause',
    { summary: 'Pauses a table; the others continue.', body, example, data: jobTableSchema },
    async (named, { uid }, services) => {
      const { state } = await tableOf(services, uid, named);
      if (state === 'paused') throw new JobError('NOT_POSSIBLE', 'The table is already paused.');
      return command(services, uid, named, 'pause');
    },
  ),
  innerCall(
    'job/table/resume',
    {
      summary: 'Resumes a paused or blocked table; with `skipped`, it is copied again.',
      body,
      example,
      data: jobTableSchema,
    },
    async (named, { uid }, services) => {
      const { state } = await tableOf(services, uid, named);
      if (state !== 'paused' && state !== 'blocked')
        throw new JobError('NOT_POSSIBLE', 'The table is neither paused nor blocked.');
      return command(services, uid, named, 'resume');
    },
  ),
  innerCall(
    'job/table/resync',
    {
      summary: 'Copies a table again; rows that the source lacks are deleted at the target.',
      body,
      example,
      data: jobTableSchema,
    },
    (named, { uid }, services) => command(services, uid, named, 'resync'),
  ),
  innerCall(
    'job/table/retry',
    {
      summary: 'Retries parked rows: one by its number, or all; each becomes what the source has now.',
      body: body.extend({ row: z.int().positive().nullable().default(null) }),
      example: { ...example, row: 1 },
      data: jobTableSchema,
    },
    async ({ row, ...named }, { uid }, services) => {
      const { state, parked } = await tableOf(services, uid, named);
      if (state === 'paused' || state === 'blocked')
        throw new JobError(
          'NOT_POSSIBLE',
          'The table drops its changes: when it is resumed, its rows are copied again.',
        );
      if (parked === 0) throw new JobError('NOT_POSSIBLE', 'The table has no parked rows.');
      return command(services, uid, named, 'retry', row);
    },
  ),
  innerCall(
    'job/table/verify',
    { summary: noVerification, body, example, data: z.null() },
    async (named, { uid }, services) => {
      await tableOf(services, uid, named);
      throw new JobError('NOT_OFFERED', noVerification);
    },
  ),
];
