import { z } from 'zod';
import { dayOf } from '../../../client/contract/dates.ts';
import { addJobUsage } from '../../console/billing/add-job-usage.ts';
import { byName, type Sample, type TableReport } from '../../engine/protocol.ts';
import type { Queries } from '../../storage/database.ts';
import { StoreUserFault } from '../../storage/store-user-fault.ts';
import { addEvent } from '../events.ts';
import { type JobRow, move } from '../jobs.ts';
import { addNewTables } from '../new-tables.ts';
import { addSample } from '../samples.ts';
import type { JobServices } from '../services.ts';
import { removeCommands } from '../table-commands.ts';
import type { RunningReport } from './child.ts';

type ReportedJob = Pick<JobRow, 'id' | 'name' | 'uid' | 'description' | 'practice'>;

const gatherMs = 200;
const againMs = 2_000;
/** How often the store may refuse a report while it accepts others of the same job. */
const mostRefusals = 3;
/** Events of a job that wait while its reports cannot be stored; beyond this, the oldest are dropped. */
const mostEvents = 1_000;

interface Waiting {
  job: ReportedJob;
  report: RunningReport;
  /** When it was reported, in epoch milliseconds. */
  at: number;
  refusals: number;
  /** The store may have accepted it, with its answer lost. */
  isTried: boolean;
}

/** Stores what children report: all reports of a job at one moment in one transaction, in order of arrival. */
export class Reports {
  readonly #services: JobServices;
  readonly #fault: StoreUserFault;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  /** How often the lock was lost. */
  #losses = 0;
  /** The store accepted nothing at the last try. */
  #isAway = false;

  constructor(services: JobServices) {
    this.#services = services;
    this.#fault = new StoreUserFault(services.log, {
      lasts: 'job reports could not be stored',
      over: 'job reports are stored again',
    });
  }

  add(job: ReportedJob, report: RunningReport): void {
    this.#waiting.push({ job, report, at: this.#services.now(), refusals: 0, isTried: false });
    this.#timer ??= setTimeout(() => void this.flush(), gatherMs);
  }

  /** Another process reports on these jobs now: waiting reports would come after its own. Usage counts once. */
  forget(): void {
    this.#losses++;
    this.#waiting = this.#waiting.filter(isUsage);
  }

  /** Stores what has been reported until now. What a failing store did not accept is logged and retried. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = this.#last.then(() => this.#store());
    return this.#last;
  }

  async #store(): Promise<void> {
    const jobs = byJob(this.#waiting.splice(0));
    const [first] = jobs.keys();
    if (first === undefined) return;
    const left: Waiting[] = [];
    const losses = this.#losses;
    // A store that was away is tested with a write that may be lost, so that untried reports can be merged.
    let isWell = !this.#isAway || (await this.#takesWrites(first));
    for (const [job, own] of jobs) {
      // Otherwise each job would wait for a store that accepts nothing.
      if (isWell) isWell = await this.#storeOf(job, own, left, losses);
      else left.push(...own);
    }
    this.#isAway = !isWell;
    this.#services.jobs.wake();
    if (left.length === 0) return this.#fault.succeeded();
    const own = losses === this.#losses ? left : left.filter(isUsage);
    this.#waiting = [...byJob([...own, ...this.#waiting]).values()].flatMap((one) => usageTogether(worthKeeping(one)));
    this.#timer ??= setTimeout(() => void this.flush(), againMs);
  }

  /** @param left gets what must be retried @param losses as for `#storeTogether` @returns false if the store accepts nothing */
  async #storeOf(job: number, own: readonly Waiting[], left: Waiting[], losses: number): Promise<boolean> {
    const { log } = this.#services;
    try {
      await this.#storeTogether(own, losses);
      return true;
    } catch (error) {
      if (!(await this.#takesWrites(job))) {
        left.push(...own);
        return false;
      }
      this.#fault.failed(error, { job });
    }
    for (const [place, one] of own.entries()) {
      try {
        await this.#storeTogether([one], losses);
      } catch (error) {
        one.refusals++;
        if (one.refusals < mostRefusals) {
          left.push(...own.slice(place));
          return true;
        }
        // A report that the store never accepts does not hold back the others.
        log.error({ err: error, job, report: one.report.kind }, 'a job report was dropped');
      }
    }
    return true;
  }

  /** @param losses how often the lock had been lost when these were taken from those that wait */
  async #storeTogether(own: readonly Waiting[], losses: number): Promise<void> {
    const { database } = this.#services;
    for (const one of own) one.isTried = true;
    await database.transaction(async (queries) => {
      // A process that stood still learns here at the earliest that another one reports on the job now.
      for (const one of own) if (losses === this.#losses || isUsage(one)) await storeReport(queries, one);
    });
  }

  /** Whether the reports are at fault, not the store. */
  async #takesWrites(job: number): Promise<boolean> {
    const { database } = this.#services;
    try {
      await database.transaction((queries) =>
        queries.run('UPDATE data_job SET revision = revision + 1 WHERE id = $1', [job]),
      );
      return true;
    } catch (error) {
      this.#fault.failed(error, { job });
      return false;
    }
  }
}

/** The reports of one job that nothing newer has superseded: an old sample is of no use. */
function worthKeeping(own: readonly Waiting[]): Waiting[] {
  const tables = new Set<string>();
  let isPhaseTold = false;
  let events = 0;
  const kept: Waiting[] = [];
  for (const one of own.toReversed()) {
    const { report } = one;
    if (report.kind === 'sample' || (report.kind === 'phase' && isPhaseTold)) continue;
    if (report.kind === 'event' && ++events > mostEvents) continue;
    isPhaseTold ||= report.kind === 'phase';
    if (report.kind !== 'tables') {
      kept.push(one);
      continue;
    }
    const news = report.tables.filter(({ id }) => !tables.has(id));
    for (const { id } of news) tables.add(id);
    if (news.length > 0) kept.push({ ...one, report: { ...report, tables: news } });
  }
  return kept.reverse();
}

/** Merges usage that the store cannot have accepted yet into one report per item and day. */
function usageTogether(kept: readonly Waiting[]): Waiting[] {
  const sums = new Map<string, { rows: number }>();
  return kept.flatMap((one) => {
    const { report } = one;
    if (report.kind !== 'usage' || one.isTried) return [one];
    const key = `${report.item} ${dayOf(one.at)}`;
    const sum = sums.get(key);
    if (sum) {
      sum.rows += report.rows;
      return [];
    }
    const own = { ...report };
    sums.set(key, own);
    return [{ ...one, report: own }];
  });
}

const byJob = (reports: readonly Waiting[]) => Map.groupBy(reports, ({ job }) => job.id);

const isUsage = ({ report }: Waiting) => report.kind === 'usage';

const nameRow = z.object({ description: z.string() });

async function storeReport(queries: Queries, { job, report, at }: Waiting): Promise<void> {
  switch (report.kind) {
    case 'phase':
      await queries.run(
        `UPDATE data_job SET phase = $1, revision = revision + 1
         WHERE id = $2 AND status IN ('RUNNING', 'WAIT_STOP', 'WAIT_RESTART')`,
        [report.phase, job.id],
      );
      return;
    case 'tables':
      await addRefusals(queries, job.id, report.tables, at);
      return storeTables(queries, job.id, report.tables);
    case 'sample':
      if ((await storeLastSample(queries, job.id, report.sample)) === 1)
        await addSample(queries, job.id, report.sample);
      return;
    case 'event':
      return addEvent(queries, job.id, report);
    case 'carried':
      return removeCommands(queries, [{ id: report.order }]);
    case 'restart':
      if (report.order !== undefined) await removeCommands(queries, [{ id: report.order }]);
      await move(queries, job.id, 'restart', { nextTryAt: null });
      return;
    case 'found':
      return addNewTables(queries, job.id, report.tables, at);
    case 'usage': {
      // The practice pair is free.
      if (job.practice || report.rows === 0) return;
      // It may have been renamed since its process started.
      const now = await queries.one(nameRow, 'SELECT description FROM data_job WHERE id = $1', [job.id]);
      await addJobUsage(queries, {
        process: report.process,
        number: report.number,
        job: job.name,
        at,
        uid: job.uid,
        dataJobId: String(job.id),
        dataJobName: (now?.description ?? job.description) || job.name,
        item: report.item,
        rows: Math.round(report.rows),
      });
    }
  }
}

/** A sample shows that the job works again, so it clears the last fault. */
function storeLastSample(queries: Queries, id: number, sample: Sample): Promise<number> {
  return queries.run(
    `UPDATE data_job SET sample = $1, sampled_at = $2, fault = NULL, revision = revision + 1,
       has_checkpoint = CASE WHEN $4 = 1 THEN 1 ELSE has_checkpoint END
     WHERE id = $3`,
    [JSON.stringify(sample), sample.at, id, sample.position === null ? 0 : 1],
  );
}

const faultRow = z.object({ fault: z.string().nullable() });

/** Each start refuses a table again; this is reported once, and again only for another reason. */
async function addRefusals(
  queries: Queries,
  jobId: number,
  tables: readonly TableReport[],
  now: number,
): Promise<void> {
  for (const { source, fault, isRefused } of tables) {
    if (!isRefused || !fault) continue;
    const before = await queries.one(
      faultRow,
      "SELECT fault FROM job_table WHERE job_id = $1 AND source = $2 AND state = 'blocked'",
      [jobId, source],
    );
    if (before?.fault === JSON.stringify(fault)) continue;
    const sentence = `${fault.sentence} ${fault.hint}`;
    await addEvent(queries, jobId, { at: now, level: 'error', table: source, sentence });
  }
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
    // While the source does not have a table, it is only known by its name.
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
         parked = excluded.parked, revision = excluded.revision,
         -- A process that starts knows that a table is blocked, but not why.
         fault = CASE excluded.state WHEN 'blocked' THEN coalesce(excluded.fault, job_table.fault) ELSE excluded.fault END`,
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
