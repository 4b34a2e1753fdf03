import { jobOf } from '../../jobs.ts';
import { presentJobs } from '../../present-job.ts';
import { tablesOf } from '../../tables.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const queryJobMetric = openCall(
  'datajob/queryjobmetric',
  {
    summary: 'How a job is doing: lag in ms and share of the rows that are copied.',
    body: jobIdBody,
    example: exampleJobId,
  },
  async ({ jobId }, { uid }, services) => {
    const row = await jobOf(services.database, uid, jobId);
    const [job] = await presentJobs(services, uid, [row]);
    const tables = await tablesOf(services.database, jobId, 0);
    const isCopied = row.phase === 'INCRE' || row.phase === 'COMPLETE';
    // An estimate may be too small: what is copied is not more than all.
    const all = tables.reduce((sum, { rows, estimate }) => sum + Math.max(rows, estimate), 0);
    const copied = tables.reduce((sum, { rows }) => sum + rows, 0);
    return {
      healthy: job?.haveException === false,
      curTaskType: row.phase === 'INCRE' || row.phase === 'CATCH_UP' ? 'INCREMENT' : 'FULL',
      increDelayMs: job?.lagMs ?? null,
      fullAvgProgress: isCopied ? 100 : all === 0 ? 0 : Math.floor((copied / all) * 100),
      checkedPercent: null,
      ccDataTaskStatus: job?.currTaskStatus ?? row.status,
    };
  },
);
