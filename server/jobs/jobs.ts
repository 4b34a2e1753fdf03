import { z } from 'zod';
import { type JobAction, lifeCycles, phases, statuses } from '../../client/contract/jobs/jobs.ts';
import { jobSpecSchema } from '../engine/job.ts';
import { sampleSchema } from '../engine/protocol.ts';
import type { Queries, SqlValue } from '../storage/database.ts';
import { askedRow } from './asked-row.ts';
import { JobError } from './errors.ts';
import { newJobSchema } from './new-job.ts';
import { after, type JobState, type JobTrigger, refusal } from './state.ts';

/** The last fault of a job as it is stored. */
const storedFault = z.strictObject({
  code: z.string(),
  sentence: z.string(),
  hint: z.string(),
  retry: z.enum(['timed', 'manual', 'never']),
  at: z.number(),
});
export type StoredFault = z.infer<typeof storedFault>;

/** A column that holds JSON of a known shape. */
export function jsonColumn<Content>(schema: z.ZodType<Content>) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'is not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

export const flag = z.number().transform((value) => value === 1);

/** The request that created a job, as it came and as it is read. */
const storedRequest = jsonColumn(z.record(z.string(), z.unknown())).transform((given, context) => {
  const read = newJobSchema.safeParse(given);
  if (read.success) return { given, wanted: read.data };
  context.addIssue({ code: 'custom', message: 'is not a job request' });
  return z.NEVER;
});

/** The job's last sample; a damaged one is ignored, and the next comes within a second. */
export const storedSample = jsonColumn(sampleSchema).nullable().catch(null);

const stateShape = { life_cycle: z.enum(lifeCycles), phase: z.enum(phases), status: z.enum(statuses) };
const stateRow = z.object(stateShape);

export const jobRow = z.object({
  ...stateShape,
  id: z.number(),
  name: z.string(),
  uid: z.string(),
  description: z.string(),
  type: z.enum(['STRUCT_MIGRATION', 'MIGRATION', 'SYNC']),
  source_id: z.number(),
  target_id: z.number(),
  request: storedRequest,
  tables: jsonColumn(jobSpecSchema.shape.tables).nullable(),
  starts_anew: flag,
  replayed: flag,
  has_checkpoint: flag,
  // A damaged one is ignored, and keeps no job from running.
  fault: jsonColumn(storedFault).nullable().catch(null),
  failures: z.number(),
  next_try_at: z.number().nullable(),
  sample: storedSample,
  sampled_at: z.number().nullable(),
  practice: flag,
  deletes_when_stopped: flag,
  revision: z.number(),
  last_event: z.number(),
  created_at: z.number(),
});
export type JobRow = z.infer<typeof jobRow>;

const columns = `id, name, uid, description, type, source_id, target_id, request, tables, life_cycle, phase, status,
  starts_anew, replayed, has_checkpoint, fault, failures, next_try_at, sample, sampled_at, practice, deletes_when_stopped, revision,
  last_event, created_at`;

export function stateOf(row: z.infer<typeof stateRow>): JobState {
  return { lifeCycle: row.life_cycle, phase: row.phase, status: row.status };
}

/** Reads jobs that meet a condition, in order of creation. */
export const jobsSql = (where: string) => `SELECT ${columns} FROM data_job WHERE ${where} ORDER BY id`;

export function findJob(queries: Queries, id: number): Promise<JobRow | undefined> {
  return queries.one(jobRow, jobsSql('id = $1'), [id]);
}

/** An account's job. @throws JobError NO_JOB, also for another account's; JOB_DAMAGED */
export function jobOf(queries: Queries, uid: string, id: number): Promise<JobRow> {
  return askedRow(queries, jobRow, jobsSql('id = $1 AND uid = $2'), [id, uid], {
    missing: 'NO_JOB',
    damaged: 'JOB_DAMAGED',
  });
}

/** What changes together with the state. */
export interface AlsoSet {
  fault?: StoredFault | null;
  failures?: number;
  nextTryAt?: number | null;
  startsAnew?: boolean;
}

/**
 * Moves a job on by the table of transitions. Of several concurrent callers one is first, and the others see what it
 * did.
 * @returns the new state, or undefined if the trigger does not fit the state or the job is gone
 */
export async function move(
  queries: Queries,
  id: number,
  on: JobTrigger,
  also: AlsoSet = {},
): Promise<JobState | undefined> {
  for (;;) {
    const row = await queries.one(stateRow, 'SELECT life_cycle, phase, status FROM data_job WHERE id = $1', [id]);
    const before = row && stateOf(row);
    const next = before && after(on, before);
    if (!before || !next) return undefined;
    const set = new Map<string, SqlValue>([
      ['life_cycle', next.lifeCycle],
      ['phase', next.phase],
      ['status', next.status],
      ...columnsOf(also),
    ]);
    const n = set.size;
    const changed = await queries.run(
      `UPDATE data_job SET ${[...set.keys()].map((column, index) => `${column} = $${index + 1}`).join(', ')},
         revision = revision + 1
       WHERE id = $${n + 1} AND life_cycle = $${n + 2} AND phase = $${n + 3} AND status = $${n + 4}`,
      [...set.values(), id, before.lifeCycle, before.phase, before.status],
    );
    if (changed === 1) return next;
  }
}

function columnsOf({ fault, failures, nextTryAt, startsAnew }: AlsoSet): [string, SqlValue][] {
  const given: [string, SqlValue | undefined][] = [
    ['fault', fault && JSON.stringify(fault)],
    ['failures', failures],
    ['next_try_at', nextTryAt],
    ['starts_anew', startsAnew === undefined ? undefined : Number(startsAnew)],
  ];
  return given.flatMap(([column, value]): [string, SqlValue][] => (value === undefined ? [] : [[column, value]]));
}

/** Carries out a user's action on a job. @param on the trigger, if another @throws JobError NOT_POSSIBLE with why */
export async function act(
  queries: Queries,
  job: JobRow,
  action: JobAction,
  also: AlsoSet = {},
  on: JobTrigger = action,
): Promise<void> {
  const moved = await move(queries, job.id, on, also);
  if (moved) return;
  const now = await findJob(queries, job.id);
  if (!now) throw new JobError('NO_JOB');
  throw new JobError('NOT_POSSIBLE', refusal(action, stateOf(now)));
}
