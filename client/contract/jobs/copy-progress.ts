import type { JobSample, JobTable } from './jobs.ts';

/** A copy's speed is measured over the last minute. */
const windowMs = 60_000;

/** The progress of copying a job's tables. */
export interface CopyProgress {
  /** Rows copied so far, and an estimate of the total. */
  rows: number;
  all: number;
  /** Rows per second. */
  rate: number;
  /** Estimated remaining time; null while nothing is copied. */
  leftMs: number | null;
}

/** @param samples of a running copy, newest last */
export function copyProgress(
  tables: readonly Pick<JobTable, 'state' | 'rows' | 'estimate'>[],
  samples: readonly Pick<JobSample, 'at' | 'copied' | 'spanMs'>[],
): CopyProgress {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const left = tables
    .filter(({ state }) => state === 'waiting' || state === 'copying')
    .reduce((sum, table) => sum + Math.max(0, table.estimate - table.rows), 0);
  const newest = samples.at(-1)?.at ?? 0;
  const last = samples.filter(({ at }) => at > newest - windowMs);
  const spanMs = last.reduce((sum, sample) => sum + sample.spanMs, 0);
  const copied = last.reduce((sum, sample) => sum + sample.copied, 0);
  const rate = spanMs > 0 ? (copied * 1_000) / spanMs : 0;
  return { rows, all: rows + left, rate, leftMs: rate > 0 ? (left * 1_000) / rate : null };
}
