import { z } from 'zod';
import { dayOf } from '../../../client/contract/dates.ts';
import type { Queries } from '../../storage/database.ts';
import { importUsage, jobReport, type UsageRecord } from './import-usage.ts';

const minuteMs = 60_000;

/** What a job's process reports, once a second. */
interface JobUsage extends Omit<UsageRecord, 'id' | 'day'> {
  /** Names the process, unlike any other of any job of that name. */
  process: string;
  /** Rises with each report of the process; they are stored in this order, perhaps more than once. */
  number: number;
  /** The job's technical name. */
  job: string;
  /** When it was reported, in epoch milliseconds. */
  at: number;
}

const countedRow = z.object({ last_report: z.number() });

/** Adds a report to the process's record of that minute; a repeated report counts once. */
export async function addJobUsage(queries: Queries, { process, number, job, at, ...usage }: JobUsage): Promise<void> {
  const prefix = `${jobReport}${job}:${process}`;
  const record = { ...usage, day: dayOf(at), id: `${prefix}:${usage.item}:${Math.floor(at / minuteMs)}` };
  const added = await queries.run(
    `INSERT INTO usage_record (id, uid, day, data_job_id, data_job_name, item, units, last_report)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (id) DO UPDATE SET units = usage_record.units + excluded.units, last_report = excluded.last_report
       WHERE usage_record.last_report < excluded.last_report AND usage_record.bill_id IS NULL`,
    [record.id, record.uid, record.day, record.dataJobId, record.dataJobName, record.item, record.rows, number],
  );
  if (added === 1) return;
  const counted = await queries.one(countedRow, 'SELECT last_report FROM usage_record WHERE id = $1', [record.id]);
  // What is billed no longer changes: a late report gets a record of its own.
  if (!counted || counted.last_report < number) await importUsage(queries, { ...record, id: `${prefix}:${number}` });
}
