import { z } from 'zod';
import type { LiveEvent } from '../../../client/contract/jobs/live-events.ts';
import type { ConsoleServices } from '../../console/services.ts';
import { eventsOf } from '../events.ts';
import { findJobs, type JobRow } from '../jobs.ts';
import { presentJobs } from '../present-job.ts';
import { tablesOf } from '../tables.ts';
import { lastSample } from './last-sample.ts';

const headRow = z.object({
  id: z.number(),
  revision: z.number(),
  last_event: z.number(),
  sampled_at: z.number().nullable(),
});
type Head = z.infer<typeof headRow>;
const mostEvents = 50;

/** Reads what has changed of an account's jobs, or of one, since it was last asked. */
export class LiveReader {
  readonly #services: ConsoleServices;
  readonly #uid: string;
  readonly #jobId: number | undefined;
  #known: Map<number, Head> | undefined;

  constructor(services: ConsoleServices, uid: string, jobId: number | undefined) {
    this.#services = services;
    this.#uid = uid;
    this.#jobId = jobId;
  }

  /** The first time all jobs; later what is new. */
  async read(): Promise<LiveEvent[]> {
    const { database } = this.#services;
    const [where, parameters] =
      this.#jobId === undefined ? ['uid = $1', [this.#uid]] : ['uid = $1 AND id = $2', [this.#uid, this.#jobId]];
    const rows = await database.all(
      headRow,
      `SELECT id, revision, last_event, sampled_at FROM data_job WHERE ${where}`,
      parameters,
    );
    const heads = new Map(rows.map((row) => [row.id, row]));
    const known = this.#known;
    this.#known = heads;
    if (!known) {
      const jobs = await presentJobs(this.#services, this.#uid, await findJobs(database, where, parameters));
      return [{ kind: 'jobs', jobs }];
    }
    const deleted = [...known.keys()].filter((id) => !heads.has(id));
    const changed = rows.filter(({ id, revision }) => known.get(id)?.revision !== revision);
    const events: LiveEvent[] = deleted.map((dataJobId) => ({ kind: 'deleted', dataJobId }));
    if (changed.length > 0) {
      const list = changed.map(({ id }) => id).join(', ');
      const jobRows = await findJobs(database, `id IN (${list})`, []);
      for (const row of jobRows) events.push(...(await this.#eventsOf(row, known.get(row.id))));
    }
    // Events alone do not change a job's revision.
    for (const { id, last_event } of rows) {
      const before = known.get(id)?.last_event ?? 0;
      if (last_event > before) events.push(...(await this.#newEvents(id, before)));
    }
    return events;
  }

  async #eventsOf(row: JobRow, before: Head | undefined): Promise<LiveEvent[]> {
    const events: LiveEvent[] = [];
    const [job] = await presentJobs(this.#services, this.#uid, [row]);
    if (job) events.push({ kind: 'job', job });
    const sample = row.sampled_at === before?.sampled_at ? undefined : lastSample(row.sample);
    if (sample) events.push({ kind: 'sample', dataJobId: row.id, sample });
    if (this.#jobId !== undefined) {
      const tables = await tablesOf(this.#services.database, row.id, before?.revision ?? 0);
      if (tables.length > 0) events.push({ kind: 'tables', dataJobId: row.id, tables });
    }
    return events;
  }

  async #newEvents(dataJobId: number, after: number): Promise<LiveEvent[]> {
    const events = await eventsOf(this.#services.database, dataJobId, after, mostEvents);
    return events.toReversed().map((event) => ({ kind: 'event', dataJobId, event }));
  }
}
