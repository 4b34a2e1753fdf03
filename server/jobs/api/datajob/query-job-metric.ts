import { z } from 'zod';
import { copyProgress } from '../../../../client/contract/jobs/copy-progress.ts';
import { statuses } from '../../../../client/contract/jobs/jobs.ts';
import { jobOf } from '../../jobs.ts';
import { presentJob } from '../../present-job.ts';
import { samplesOf } from '../../samples.ts';
import { tablesOf } from '../../tables.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const queryJobMetric = openCall(
  'datajob/queryjobmetric',
  {
    summary: 'How a job is doing: lag in ms, share of the rows copied, rows per second and remaining copy time in ms.',
    body: jobIdBody,
    example: exampleJobId,
    data: z
      .object({
        healthy: z.boolean(),
        curTaskType: z.enum(['FULL', 'INCREMENT']),
        increDelayMs: z.number().nullable(),
        fullAvgProgress: z.int().describe('Percent.'),
        fullRps: z.int().nullable().describe('null unless it is copying, as `fullLeftMs`.'),
        fullLeftMs: z.int().nullable(),
        checkedPercent: z.null(),
        ccDataTaskStatus: z.enum(statuses),
      })
      .meta({ id: 'JobMetric' }),
  },
  async ({ jobId }, { uid }, services) => {
    const row = await jobOf(services.database, uid, jobId);
    const job = await presentJob(services, uid, row);
    const tables = await tablesOf(services, jobId, 0);
    const isCopied = row.phase === 'INCRE' || row.phase === 'COMPLETE';
    const now = services.now();
    // The newest interval is not over.
    const samples = (await samplesOf(services, jobId, 'HOUR', now)).filter(({ at }) => at <= now);
    const { rows: copied, all, rate, leftMs } = copyProgress(tables, samples);
    const isCopying = row.status === 'RUNNING' && row.phase === 'FULL';
    return {
      healthy: !job.haveException,
      curTaskType: row.phase === 'INCRE' || row.phase === 'CATCH_UP' ? ('INCREMENT' as const) : ('FULL' as const),
      increDelayMs: job.lagMs,
      fullAvgProgress: isCopied ? 100 : all === 0 ? 0 : Math.floor((copied / all) * 100),
      fullRps: isCopying ? Math.round(rate) : null,
      fullLeftMs: isCopying && leftMs !== null ? Math.round(leftMs) : null,
      checkedPercent: null,
      ccDataTaskStatus: job.currTaskStatus,
    };
  },
);
