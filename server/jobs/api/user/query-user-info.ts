import { z } from 'zod';
import { accountOf } from '../../../console/account/accounts.ts';
import { openCall } from '../define-job-call.ts';

export const queryUserInfo = openCall(
  'user/queryuserinfo',
  {
    summary: 'Name of the calling account.',
    body: z.object({ uid: z.string() }),
    example: { uid: '1' },
    data: z.object({ username: z.string() }),
  },
  async (_body, { uid }, { database }) => ({ username: (await accountOf(database, uid))?.username ?? '' }),
);
