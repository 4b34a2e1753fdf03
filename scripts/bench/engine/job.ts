import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobSpec } from '../../../server/engine/job.ts';
import { defaultMemoryMb } from '../../../server/jobs/sizes.ts';
import { heapFlags } from '../../../server/jobs/supervisor/child.ts';
import { JobProcess } from '../../../server/testing/job-process.ts';

/** The flags that the supervisor uses for a job without a size. */
const execArgv = heapFlags(defaultMemoryMb);
/** Laid out like DATA_DIR. */
const cache = mkdtempSync(join(tmpdir(), 'millrace-compile-cache-'));
process.once('exit', () => rmSync(cache, { recursive: true, force: true }));

/** Starts a job process as the supervisor does. */
export function startJob(spec: JobSpec): JobProcess {
  return new JobProcess(spec, { execArgv, env: { NODE_COMPILE_CACHE: cache } });
}

/** Resolves when the process has taken its order. @returns the time, as performance.now() */
export async function ordered(job: JobProcess): Promise<number> {
  await job.until((reports) => reports.length > 0);
  return performance.now();
}

/** Resolves when every table is live. */
export async function live(job: JobProcess, tables: readonly string[]): Promise<void> {
  await job.until(() => tables.every((name) => job.states()[`public.${name}`] === 'live'));
}

export async function stopJob(job: JobProcess): Promise<void> {
  job.send({ kind: 'stop' });
  await job.end();
}

/** Resident memory of a process in MB: current and peak. */
export async function memoryOf({ pid }: JobProcess): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024;
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}
