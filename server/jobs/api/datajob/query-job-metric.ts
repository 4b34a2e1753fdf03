import { copyProgress } from '../../../../client/contract/jobs/copy-progress.ts';
import { jobOf } from '../../jobs.ts';
import { presentJobs } from '../../present-job.ts';
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
  },
  async ({ jobId }, { uid }, services) => {
    const row = await jobOf(services.database, uid, jobId);
    const [job] = await presentJobs(services, uid, [row]);
    const tables = await tablesOf(services, jobId, 0);
    const isCopied = row.phase === 'INCRE' || row.phase === 'COMPLETE';
    const now = services.now();
    // The newest interval is not over.
    const samples = (await samplesOf(services, jobId, 'HOUR', now)).filter(({ at }) => at <= now);
    const { rows: copied, all, rate, leftMs } = copyProgress(tables, samples);
    const isCopying = row.status === 'RUNNING' && row.phase === 'FULL';
    return {
      healthy: job?.haveException === false,
      curTaskType: row.phase === 'INCRE' || row.phase === 'CATCH_UP' ? 'INCREMENT' : 'FULL',
      increDelayMs: job?.lagMs ?? null,
      fullAvgProgress: isCopied ? 100 : all === 0 ? 0 : Math.floor((copied / all) * 100),
      fullRps: isCopying ? Math.round(rate) : null,
      fullLeftMs: isCopying && leftMs !== null ? Math.round(leftMs) : null,
      checkedPercent: null,
      ccDataTaskStatus: job?.currTaskStatus ?? row.status,
    };
  },
);
