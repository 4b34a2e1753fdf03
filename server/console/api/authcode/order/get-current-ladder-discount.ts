import { z } from 'zod';
import { calls } from '../../../../../client/contract/calls.ts';
import { ladderRate } from '../../../../../client/contract/price-rules.ts';
import { noBody, signedInCall } from '../../define-call.ts';

const row = z.object({ links: z.number().nullable() });

/** The discount steps, and the one that the account's largest live licence reaches. */
export const getCurrentLadderDiscount = signedInCall(
  calls.getCurrentLadderDiscount,
  noBody,
  async ({ session }, { database, pricing, now }) => {
    const most = await database.one(
      row,
      "SELECT max(links) AS links FROM licence WHERE uid = $1 AND to_at > $2 AND replaced_by IS NULL AND edition = 'ENTERPRISE'",
      [session.uid, now()],
    );
    const links = most?.links ?? 0;
    const own = pricing.ladder.findLast(({ minLinks }) => links >= minLinks);
    return { steps: pricing.ladder, own: { minLinks: own?.minLinks ?? 0, rate: ladderRate(links, pricing.ladder) } };
  },
);
