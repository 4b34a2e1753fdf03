import { z } from 'zod';
import { accountOf } from '../../../console/account/accounts.ts';
import { presentJobs } from '../../present-job.ts';
import { flagField, id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';
import { filteredJobs, jobFilter } from './list.ts';

const body = z.object({
  ...jobFilter,
  pageNum: id,
  pageSize: z.coerce.number().int().min(1).max(20),
  dataTaskStatus: z.string().nullish(),
  orderAsc: flagField.default(false),
});

export const listJobsByPage = openCall(
  'datajob/listbypage',
  { summary: 'One page of the jobs of the account.', body, example: { pageNum: 1, pageSize: 20 } },
  async ({ pageNum, pageSize, dataTaskStatus, orderAsc, ...filter }, { uid }, services) => {
    const all = await filteredJobs(services, uid, filter);
    const wanted = all.filter(({ status }) => !dataTaskStatus || status === dataTaskStatus);
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
