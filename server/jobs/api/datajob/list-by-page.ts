import { z } from 'zod';
import { accountOf } from '../../../console/account/accounts.ts';
import { presentJobs } from '../../present-job.ts';
import type { ShownJob } from '../../readable-jobs.ts';
import { flagField, id, optionalText } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';
import { filteredJobs, jobFilter } from './list.ts';

const body = z.object({
  ...jobFilter,
  pageNum: id,
  pageSize: z.coerce.number().int().min(1).max(20),
  dataTaskStatus: z.string().nullish(),
  transferObjName: optionalText,
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
      'One page of the jobs of the account that match a filter; `transferObjName` is part of the name of a source table.',
    body,
    example: { pageNum: 1, pageSize: 20 },
  },
  async ({ pageNum, pageSize, dataTaskStatus, transferObjName, orderAsc, ...filter }, { uid }, services) => {
    const all = await filteredJobs(services, uid, filter);
    const wanted = all.filter(
      (job) => (!dataTaskStatus || job.status === dataTaskStatus) && carries(job, transferObjName.toLowerCase()),
    );
    const ordered = orderAsc ? wanted : wanted.toReversed();
    const from = (Math.max(pageNum, 1) - 1) * pageSize;
    const account = await accountOf(services.database, uid);
    return {
      jobVos: await presentJobs(services, uid, ordered.slice(from, from + pageSize)),
      allJobCounts: wanted.length,
      uidUsernameVos: [{ uid, username: account?.username ?? '' }],
    };
  },
);
