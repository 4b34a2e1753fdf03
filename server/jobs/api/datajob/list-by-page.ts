import { z } from 'zod';
import { jobSchema, phases, statuses } from '../../../../client/contract/jobs/jobs.ts';
import { accountOf } from '../../../console/account/accounts.ts';
import { presentJobs } from '../../present-job.ts';
import type { ShownJob } from '../../readable-jobs.ts';
import { flagField, optionalText, wordFilter } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';
import { filteredJobs, jobFilter } from './list.ts';

const body = z.object({
  ...jobFilter,
  pageNum: z.coerce.number().int().min(1),
  pageSize: z.coerce.number().int().min(1).max(20),
  dataTaskStatus: wordFilter([...statuses, 'WAIT_COMPLETE']),
  transferObjName: optionalText,
  orderType: wordFilter(['GMT_CREATE', 'PROCESS']),
  orderAsc: flagField.default(false),
});

/** Whether a job carries a table with this text in its name. */
function carries({ tables }: ShownJob, text: string): boolean {
  return text === '' || (tables?.some(({ name }) => name.toLowerCase().includes(text)) ?? false);
}

export const listJobsByPage = openCall(
  'datajob/listbypage',
  {
    summary:
      'One page of the jobs of the account that match a filter; `transferObjName` is part of the name of a source table. They are ordered by creation, or with `orderType` PROCESS by phase; the last first without `orderAsc`.',
    body,
    example: { pageNum: 1, pageSize: 20 },
    data: z.object({
      jobVos: z.array(jobSchema),
      allJobCounts: z.int().describe('Jobs on all pages.'),
      uidUsernameVos: z.array(z.object({ uid: z.string(), username: z.string() })),
    }),
  },
  async ({ pageNum, pageSize, dataTaskStatus, transferObjName, orderType, orderAsc, ...filter }, { uid }, services) => {
    const all = await filteredJobs(services, uid, filter);
    const wanted = all.filter(
      (job) => (!dataTaskStatus || job.status === dataTaskStatus) && carries(job, transferObjName.toLowerCase()),
    );
    if (orderType === 'PROCESS') wanted.sort((one, other) => phases.indexOf(one.phase) - phases.indexOf(other.phase));
    const ordered = orderAsc ? wanted : wanted.toReversed();
    const from = (pageNum - 1) * pageSize;
    const account = await accountOf(services.database, uid);
    return {
      jobVos: await presentJobs(services, uid, ordered.slice(from, from + pageSize)),
      allJobCounts: wanted.length,
      uidUsernameVos: [{ uid, username: account?.username ?? '' }],
    };
  },
);
