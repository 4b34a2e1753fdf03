import { z } from 'zod';
import { dayOf } from '../../console/billing/daily-bills.ts';
import { importUsage } from '../../console/billing/import-usage.ts';
import type { ConsoleServices } from '../../console/services.ts';
import { byName, type TableReport } from '../../engine/protocol.ts';
import type { Queries } from '../../storage/database.ts';
import { addEvent } from '../events.ts';
import type { JobRow } from '../jobs.ts';
import { addNewTables } from '../new-tables.ts';
import { addSample } from '../samples.ts';
import type { RunningReport } from './child.ts';

type ReportedJob = Pick<JobRow, 'id' | 'name' | 'uid' | 'description' | 'practice'>;

const gatherMs = 200;

/** Stores what children report, all of a moment in one transaction, in the order in which it was told. */
export class Reports {
  readonly #services: ConsoleServices;
  #waiting: { job: ReportedJob; report: RunningReport }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(services: ConsoleServices) {
    this.#services = services;
  }

  add(job: ReportedJob, report: RunningReport): void {
    this.#waiting.push({ job, report });
    this.#timer ??= setTimeout(() => void this.flush(), gatherMs);
  }

  /** Stores what has been told until now. A store that fails is logged: the next report of a table or a phase tells all again. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = this.#last.then(() => this.#store());
    return this.#last;
  }

  async #store(): Promise<void> {
    const reports = this.#waiting.splice(0);
    if (reports.length === 0) return;
    const { database, log, now } = this.#services;
    try {
      await database.transaction(async (queries) => {
        for (const { job, report } of reports) await storeReport(queries, job, report, now());
      });
      this.#services.jobs.wake();
    } catch (error) {
      // Usage must not be lost; the rest would come behind it in a wrong order.
      this.#waiting.unshift(...reports.filter(({ report }) => report.kind === 'usage'));
      if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => void this.flush(), gatherMs * 10);
      log.error({ err: error }, 'reports of jobs could not be stored');
    }
  }
}

async function storeReport(queries: Queries, job: ReportedJob, report: RunningReport, now: number): Promise<void> {
  switch (report.kind) {
    case 'phase':
      await queries.run(
        `UPDATE data_job SET phase = $1, revision = revision + 1
         WHERE id = $2 AND status IN ('RUNNING', 'WAIT_STOP', 'WAIT_RESTART')`,
        [report.phase, job.id],
      );
      return;
    case 'tables':
      return storeTables(queries, job.id, report.tables);
    case 'sample':
      if ((await storeLastSample(queries, job.id, report.sample)) === 1)
        await addSample(queries, job.id, report.sample);
      return;
    case 'event':
      return addEvent(queries, job.id, report);
    case 'found':
      return addNewTables(queries, job.id, report.tables, now);
    case 'usage':
      // The practice pair is free.
      if (job.practice || report.rows === 0) return;
      await importUsage(queries, {
        id: `${job.name}:${report.id}`.slice(0, 128),
        uid: job.uid,
        day: dayOf(now),
        dataJobId: String(job.id),
        dataJobName: job.description || job.name,
        item: report.item,
        rows: Math.round(report.rows),
      });
  }
}

/** A sample shows that the job works again, so its last fault is mended. */
function storeLastSample(queries: Queries, id: number, sample: { at: number }): Promise<number> {
  return queries.run(
    `UPDATE data_job SET sample = $1, sampled_at = $2, fault = NULL, revision = revision + 1 WHERE id = $3`,
    [JSON.stringify(sample), sample.at, id],
  );
}

const revisionRow = z.object({ revision: z.number() });

async function storeTables(queries: Queries, jobId: number, tables: readonly TableReport[]): Promise<void> {
  const job = await queries.one(
    revisionRow,
    'UPDATE data_job SET revision = revision + 1 WHERE id = $1 RETURNING revision',
    [jobId],
  );
  if (!job) return;
  for (const table of tables) {
    // A table is known by its name alone while the source does not have it.
    if (table.id.startsWith(byName))
      await queries.run('DELETE FROM job_table WHERE job_id = $1 AND source = $2 AND id <> $3', [
        jobId,
        table.source,
        table.id,
      ]);
    else await queries.run('DELETE FROM job_table WHERE job_id = $1 AND id = $2', [jobId, `${byName}${table.source}`]);
    await queries.run(
      `INSERT INTO job_table (job_id, id, source, target, state, copied, estimate, skipped, parked, fault, revision)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       ON CONFLICT (job_id, id) DO UPDATE SET source = excluded.source, target = excluded.target,
         state = excluded.state, copied = excluded.copied, estimate = excluded.estimate, skipped = excluded.skipped,
         parked = excluded.parked, fault = excluded.fault, revision = excluded.revision`,
      [
        jobId,
        table.id,
        table.source,
        table.target,
        table.state,
        Math.round(table.rows),
        Math.round(table.estimate),
        table.skipped ? 1 : 0,
        table.parked,
        table.fault && JSON.stringify(table.fault),
        job.revision,
      ],
    );
  }
}
