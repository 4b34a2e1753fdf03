import { z } from 'zod';
import type { Job } from '../../../client/contract/jobs/jobs.ts';
import type { LiveEvent } from '../../../client/contract/jobs/live-events.ts';
import { eventsOf } from '../events.ts';
import { storedSample } from '../jobs.ts';
import { presentJobs } from '../present-job.ts';
import { jobsToShow, jobsToShowOf, type ShownJob } from '../readable-jobs.ts';
import type { JobServices } from '../services.ts';
import { tablesOf } from '../tables.ts';

const headRow = z.object({
  id: z.number(),
  revision: z.number(),
  last_event: z.number(),
  sample: z.string().nullable(),
  sampled_at: z.number().nullable(),
  has_fault: z.number(),
  tables: z.number(),
});
type Head = z.infer<typeof headRow>;
const mostEvents = 50;

/** Reads what has changed in an account's jobs, or in one job, since the last time. */
export class LiveReader {
  readonly #services: JobServices;
  readonly #uid: string;
  readonly #jobId: number | undefined;
  #known: Map<number, Head> | undefined;

  constructor(services: JobServices, uid: string, jobId: number | undefined) {
    this.#services = services;
    this.#uid = uid;
    this.#jobId = jobId;
  }

  /** All jobs the first time; later, what is new. */
  async read(): Promise<LiveEvent[]> {
    const { database } = this.#services;
    const [where, parameters] =
      this.#jobId === undefined ? ['uid = $1', [this.#uid]] : ['uid = $1 AND id = $2', [this.#uid, this.#jobId]];
    // Tables are sent for one job alone.
    const tables =
      this.#jobId === undefined ? '0' : '(SELECT count(*) FROM job_table WHERE job_table.job_id = data_job.id)';
    const rows = await database.all(
      headRow,
      `SELECT id, revision, last_event, sample, sampled_at, CASE WHEN fault IS NULL THEN 0 ELSE 1 END AS has_fault,
         ${tables} AS tables
       FROM data_job WHERE ${where}`,
      parameters,
    );
    const known = this.#known;
    this.#known = new Map(rows.map((row) => [row.id, row]));
    if (!known) {
      const jobs = await presentJobs(this.#services, this.#uid, await jobsToShow(this.#services, where, parameters));
      return [{ kind: 'jobs', jobs }];
    }
    const deleted = [...known.keys()].filter((id) => !this.#known?.has(id));
    const events: LiveEvent[] = deleted.map((dataJobId) => ({ kind: 'deleted', dataJobId }));
    events.push(...(await this.#changes(rows, known)));
    // Events alone do not change a job's revision.
    for (const { id, last_event } of rows) {
      const before = known.get(id)?.last_event ?? 0;
      if (last_event > before) events.push(...(await this.#newEvents(id, before)));
    }
    return events;
  }

  /** With hundreds of running jobs, each second brings a sample of each: those are sent without any further query. */
  async #changes(heads: readonly Head[], known: ReadonlyMap<number, Head>): Promise<LiveEvent[]> {
    const events: LiveEvent[] = [];
    const changed: number[] = [];
    for (const head of heads) {
      const before = known.get(head.id);
      if (before?.revision === head.revision) continue;
      if (!before || !isSampleAlone(before, head)) changed.push(head.id);
      const sample = head.sampled_at === before?.sampled_at ? undefined : storedSample.parse(head.sample);
      if (sample) events.push({ kind: 'sample', dataJobId: head.id, sample });
    }
    if (changed.length === 0) return events;
    const rows = await jobsToShowOf(this.#services, changed);
    const jobs = await presentJobs(this.#services, this.#uid, rows);
    return [
      ...jobs.map((job): LiveEvent => ({ kind: 'job', job })),
      ...this.#beginnings(jobs, heads, known),
      ...events,
      ...(await this.#newTables(rows, known)),
    ];
  }

  /** No event names a table that is gone: a client that is at the beginning again asks for all of them. */
  #beginnings(jobs: readonly Job[], heads: readonly Head[], known: ReadonlyMap<number, Head>): LiveEvent[] {
    const isFewer = heads.some(({ id, tables }) => tables < (known.get(id)?.tables ?? 0));
    return isFewer ? [{ kind: 'jobs', jobs: [...jobs] }] : [];
  }

  async #newTables(rows: readonly ShownJob[], known: ReadonlyMap<number, Head>): Promise<LiveEvent[]> {
    if (this.#jobId === undefined) return [];
    const events: LiveEvent[] = [];
    for (const { id } of rows) {
      const tables = await tablesOf(this.#services, id, known.get(id)?.revision ?? 0);
      if (tables.length > 0) events.push({ kind: 'tables', dataJobId: id, tables });
    }
    return events;
  }

  async #newEvents(dataJobId: number, after: number): Promise<LiveEvent[]> {
    const events = await eventsOf(this.#services, dataJobId, after, mostEvents);
    return events.toReversed().map((event) => ({ kind: 'event', dataJobId, event }));
  }
}

/** Whether the only change is a sample that cleared no fault. */
function isSampleAlone(before: Head, now: Head): boolean {
  return now.revision === before.revision + 1 && now.sampled_at !== before.sampled_at && before.has_fault === 0;
}
