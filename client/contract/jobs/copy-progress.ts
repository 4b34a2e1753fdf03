import type { JobSample, JobTable } from './jobs.ts';

/** The last minute decides how fast a copy is. */
const windowMs = 60_000;

/** How far the copy of a job's tables is. */
export interface CopyProgress {
  /** Rows that are copied, and about how many there are. */
  rows: number;
  all: number;
  /** Rows a second. */
  rate: number;
  /** About how long the rest takes; null while nothing is copied. */
  leftMs: number | null;
}

/** @param samples of a copy that runs, the newest last */
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
