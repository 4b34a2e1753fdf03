import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { printTable } from '../operator/open-console.ts';
import { type ApiClient, ApiRefusal, exitCodes } from './api-client.ts';
import { callPatiently, lookMs, patienceMs } from './call-patiently.ts';
import { findNamed } from './find-named.ts';

const job = z.object({
  dataJobId: z.number(),
  dataJobName: z.string(),
  dataJobDesc: z.string(),
  currTaskStatus: z.string(),
  dataTaskState: z.string(),
  haveException: z.boolean(),
  lagMs: z.number().nullable(),
  seenAt: z.number().nullable(),
  fault: z.object({ sentence: z.string(), hint: z.string() }).nullable(),
  tables: z.object({ total: z.number(), live: z.number(), done: z.number(), blocked: z.number() }),
});
export type ShownJob = z.infer<typeof job>;
const event = z.object({
  id: z.number(),
  at: z.number(),
  level: z.string(),
  table: z.string().nullable(),
  sentence: z.string(),
});
const table = z.object({
  source: z.string(),
  state: z.string(),
  parked: z.number(),
  fault: z.object({ sentence: z.string(), hint: z.string() }).nullable(),
});
const detail = z.object({ events: z.array(event), tables: z.array(table) });

/** The job with this number, name or description. */
export function findJob(client: ApiClient, wanted: string): Promise<ShownJob> {
  return findNamed(
    'job',
    wanted,
    async () => z.array(job).parse(await client.call(jobCalls.listJobs, {})),
    (one) => [String(one.dataJobId), one.dataJobName, one.dataJobDesc],
  );
}

/** Prints one line per job, and for a single job what its tables wait for. @returns the exit code */
export async function printJobs(client: ApiClient, jobId: number | undefined): Promise<number> {
  const jobs = z
    .array(job)
    .parse(await client.call(jobCalls.listJobs, jobId === undefined ? {} : { dataJobId: jobId }));
  printTable(
    jobs.map((one) => ({
      id: one.dataJobId,
      name: one.dataJobName,
      description: one.dataJobDesc,
      status: one.currTaskStatus,
      phase: one.dataTaskState,
      'lag ms': one.lagMs ?? '',
      // The tables of a full copy end as done, never as live.
      'tables live': `${one.tables.live + one.tables.done}/${one.tables.total}`,
      fault: one.fault?.sentence ?? (one.tables.blocked > 0 ? `${one.tables.blocked} of its tables blocked` : ''),
    })),
  );
  if (jobId !== undefined) {
    for (const one of jobs) if (one.fault) console.log(saidOf(one));
    await printTables(client, jobId);
  }
  const isFaulty = jobs.some(({ haveException, tables }) => haveException || tables.blocked > 0);
  return isFaulty ? exitCodes.faulty : exitCodes.done;
}

async function printTables(client: ApiClient, jobId: number): Promise<void> {
  const { tables } = detail.parse(await client.call(jobCalls.jobDetail, { jobId }));
  for (const { source, state, parked, fault } of tables) {
    const words = state === 'blocked' ? [fault?.sentence, fault?.hint] : [];
    if (parked > 0) words.push(`${parked} parked.`);
    if (words.length > 0) console.log([source, state, ...words].filter(Boolean).join('  '));
  }
}

/**
 * Whether a started job copies, follows or is complete: its process has reached both sides.
 * @param seenAt when the process before it was last heard of, whose phase is stored until the new one reports
 */
export function isUnderWay(job: ShownJob, seenAt: number | null): boolean {
  if (job.currTaskStatus === 'COMPLETE') return true;
  const isBeginning = ['CREATED', 'INIT'].includes(job.dataTaskState) || job.seenAt === seenAt;
  return job.currTaskStatus === 'RUNNING' && !isBeginning;
}

const saidOf = (job: ShownJob | undefined) => job?.fault && `${job.fault.sentence} ${job.fault.hint}`;

/** Waits until a job is as wanted; undefined once it is deleted. @returns the exit code */
export async function waitFor(
  client: ApiClient,
  jobId: number,
  isThere: (job: ShownJob | undefined) => boolean,
): Promise<number> {
  const end = performance.now() + patienceMs;
  let last: ShownJob | undefined;
  while (performance.now() < end) {
    [last] = z.array(job).parse(await callPatiently(client, jobCalls.listJobs, { dataJobId: jobId }, end));
    if (isThere(last)) return exitCodes.done;
    if (last?.currTaskStatus === 'ABNORMAL') throw new ApiRefusal(saidOf(last) ?? 'The job stopped with a fault.');
    await delay(lookMs);
  }
  const state = last ? `${last.currTaskStatus} ${last.dataTaskState}` : 'gone';
  console.error(['The job is still', `${state}.`, saidOf(last)].filter(Boolean).join(' '));
  return exitCodes.tooLate;
}

/**
 * Prints events, oldest first; with `follow` it continues until it is interrupted, or the server is silent for long.
 * @returns the exit code
 */
export async function printLogs(client: ApiClient, jobId: number, follow: boolean): Promise<number> {
  const ask = () =>
    follow
      ? callPatiently(client, jobCalls.jobDetail, { jobId }, performance.now() + patienceMs)
      : client.call(jobCalls.jobDetail, { jobId });
  let last = 0;
  do {
    const { events } = detail.parse(await ask());
    for (const { id, at, level, table, sentence } of events.filter((one) => one.id > last).toReversed()) {
      console.log([new Date(at).toISOString(), level, table, sentence].filter(Boolean).join('  '));
      last = id;
    }
    if (follow) await delay(lookMs);
  } while (follow);
  return exitCodes.done;
}
