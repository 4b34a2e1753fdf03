import type { JobRow } from './jobs.ts';
import { readableJobs } from './readable-jobs.ts';
import type { JobServices } from './services.ts';
import { memoryOf } from './sizes.ts';

/** How many jobs that end on their own run at once, and how much memory theirs is together. */
interface Bounds {
  places: number;
  memoryMb: number;
}

type PoolJob = Pick<JobRow, 'id' | 'type' | 'request'>;

/** Whether a job ends on its own; one that follows changes always gets a process of its own. */
export function sharesPlaces({ type }: Pick<JobRow, 'type'>): boolean {
  return type !== 'SYNC';
}

function boundsOf({ config }: JobServices): Bounds {
  return { places: config.jobPlaces, memoryMb: config.jobPlacesMemoryMb };
}

const memory = (job: PoolJob) => memoryOf(job.request.wanted.specId);

/**
 * The waiting jobs that can have a place, in queue order: a job that does not fit lets none pass, so that a large one
 * gets its turn.
 */
export function nextOfPool(services: JobServices, running: readonly PoolJob[], waiting: readonly PoolJob[]): PoolJob[] {
  const { places, memoryMb } = boundsOf(services);
  const next: PoolJob[] = [];
  let taken = running.reduce((sum, job) => sum + memory(job), 0);
  for (const job of waiting) {
    const others = running.length + next.length;
    taken += memory(job);
    // A job larger than all places together runs alone.
    if (others >= places || (others > 0 && taken > memoryMb)) break;
    next.push(job);
  }
  return next;
}

/** Stored jobs that wait for others to end, with the sentence that says so. */
export async function waitsForPlace(services: JobServices): Promise<Map<number, string>> {
  const jobs = await readableJobs(
    services,
    `type <> 'SYNC' AND (status IN ('RUNNING', 'WAIT_STOP') OR status IN ('WAIT_START', 'WAIT_RESTART')
      AND (next_try_at IS NULL OR next_try_at <= $1))`,
    [services.now()],
  );
  const [running, waiting] = [
    ['RUNNING', 'WAIT_STOP'],
    ['WAIT_START', 'WAIT_RESTART'],
  ].map((statuses) => jobs.filter(({ status }) => statuses.includes(status)));
  const next = new Set(nextOfPool(services, running ?? [], waiting ?? []).map(({ id }) => id));
  const sentence = waitSentence(services);
  return new Map((waiting ?? []).filter(({ id }) => !next.has(id)).map(({ id }) => [id, sentence]));
}

/** What a waiting job is waiting for. */
export function waitSentence(services: JobServices): string {
  const { places, memoryMb } = boundsOf(services);
  const jobs = places === 1 ? '1 job that ends on its own runs' : `${places} jobs that end on their own run`;
  return `The job is waiting for a free place: at most ${jobs} here at once, with ${memoryMb} MB in total.`;
}
