import { z } from 'zod';
import { dayMs } from '../../client/contract/dates.ts';
import type { JobSample, SampleSpan } from '../../client/contract/jobs/jobs.ts';
import { type Deletion, mostAtOnce } from '../console/tasks/delete-each.ts';
import type { Sample } from '../engine/protocol.ts';
import type { Queries } from '../storage/database.ts';
import { type RowServices, readableRows } from './readable-rows.ts';

const shortMs = 10_000;
const longMs = 300_000;
const hourMs = 3_600_000;
/** How long samples of each length are kept. */
const keptMs = { [shortMs]: dayMs, [longMs]: 31 * dayMs };

/** Adds a child's sample to the intervals that it falls into. */
export async function addSample(queries: Queries, jobId: number, sample: Sample): Promise<void> {
  for (const span of [shortMs, longMs]) {
    await queries.run(
      `INSERT INTO job_sample (job_id, span, at, copied, applied, transactions, bytes, lag_ms, waited_for_source_ms,
         waited_for_target_ms, position, retained_bytes, memory_bytes)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       ON CONFLICT (job_id, span, at) DO UPDATE SET
         copied = job_sample.copied + excluded.copied,
         applied = job_sample.applied + excluded.applied,
         transactions = job_sample.transactions + excluded.transactions,
         bytes = job_sample.bytes + excluded.bytes,
         lag_ms = CASE WHEN job_sample.lag_ms IS NULL OR excluded.lag_ms > job_sample.lag_ms
           THEN excluded.lag_ms ELSE job_sample.lag_ms END,
         waited_for_source_ms = job_sample.waited_for_source_ms + excluded.waited_for_source_ms,
         waited_for_target_ms = job_sample.waited_for_target_ms + excluded.waited_for_target_ms,
         position = excluded.position,
         retained_bytes = excluded.retained_bytes,
         memory_bytes = CASE WHEN excluded.memory_bytes > job_sample.memory_bytes
           THEN excluded.memory_bytes ELSE job_sample.memory_bytes END`,
      [
        jobId,
        span,
        Math.ceil(sample.at / span) * span,
        Math.round(sample.copied),
        Math.round(sample.applied),
        Math.round(sample.transactions),
        Math.round(sample.bytes),
        sample.lagMs === null ? null : Math.round(sample.lagMs),
        Math.round(sample.waitedForSourceMs),
        Math.round(sample.waitedForTargetMs),
        sample.position,
        sample.retainedBytes === null ? null : Math.round(sample.retainedBytes),
        Math.round(sample.memoryBytes),
      ],
    );
  }
}

const row = z.object({
  at: z.number(),
  span: z.number(),
  copied: z.number(),
  applied: z.number(),
  transactions: z.number(),
  bytes: z.number(),
  lag_ms: z.number().nullable(),
  waited_for_source_ms: z.number(),
  waited_for_target_ms: z.number(),
  position: z.string().nullable(),
  retained_bytes: z.number().nullable(),
  memory_bytes: z.number(),
});

/** Samples of a job up to now, the oldest first, without unreadable ones. */
export async function samplesOf(
  services: RowServices,
  jobId: number,
  span: SampleSpan,
  now: number,
): Promise<JobSample[]> {
  const length = span === 'MONTH' ? longMs : shortMs;
  const since = now - (span === 'HOUR' ? hourMs : span === 'DAY' ? dayMs : 31 * dayMs);
  const rows = await readableRows(
    services,
    { what: 'sample', schema: row },
    `SELECT job_id, at, span, copied, applied, transactions, bytes, lag_ms, waited_for_source_ms, waited_for_target_ms,
       position, retained_bytes, memory_bytes
     FROM job_sample WHERE job_id = $1 AND span = $2 AND at > $3 ORDER BY at`,
    [jobId, length, since],
  );
  return rows.map((one) => ({
    at: one.at,
    spanMs: one.span,
    copied: one.copied,
    applied: one.applied,
    transactions: one.transactions,
    bytes: one.bytes,
    lagMs: one.lag_ms,
    waitedForSourceMs: one.waited_for_source_ms,
    waitedForTargetMs: one.waited_for_target_ms,
    position: one.position,
    retainedBytes: one.retained_bytes,
    memoryBytes: one.memory_bytes,
  }));
}

const lagRow = z.object({ job_id: z.number(), minute: z.number(), lag: z.number().nullable() });
const minuteMs = 60_000;
const minutes = 60;

/** Largest lag of each of the last 60 minutes, of one job or of every job of an account, the newest last. */
export async function lagByMinute(
  services: RowServices,
  of: { jobId: number } | { uid: string },
  now: number,
): Promise<Map<number, (number | null)[]>> {
  const [where, wanted] = 'uid' in of ? ['j.uid = $1', of.uid] : ['s.job_id = $1', of.jobId];
  const last = Math.floor(now / minuteMs);
  const rows = await readableRows(
    services,
    { what: 'sample', schema: lagRow },
    `SELECT s.job_id, (s.at - 1) / ${minuteMs} AS minute, max(s.lag_ms) AS lag
     FROM job_sample s JOIN data_job j ON j.id = s.job_id
     WHERE ${where} AND s.span = ${shortMs} AND s.at > $2 GROUP BY s.job_id, (s.at - 1) / ${minuteMs}`,
    [wanted, (last - minutes + 1) * minuteMs],
  );
  const all = new Map<number, (number | null)[]>();
  for (const { job_id, minute, lag } of rows) {
    const line = all.get(job_id) ?? Array.from({ length: minutes }, () => null);
    const at = minute - last + minutes - 1;
    if (at >= 0 && at < minutes) line[at] = lag;
    all.set(job_id, line);
  }
  return all;
}

/** What deletes samples that are older than their kind is kept: hundreds of thousands after a day without a server. */
export function oldSamples(now: number): Deletion[] {
  return Object.entries(keptMs).map(([span, kept]) => [
    `DELETE FROM job_sample WHERE (job_id, span, at) IN
       (SELECT job_id, span, at FROM job_sample WHERE span = $1 AND at <= $2 ORDER BY at LIMIT ${mostAtOnce})`,
    [Number(span), now - kept],
  ]);
}
