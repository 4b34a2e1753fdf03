import { z } from 'zod';
import type { Queries } from '../storage/database.ts';
import type { JobState } from './state.ts';

const countRow = z.object({ used: z.number(), active: z.number() });
const activeStatuses = ['WAIT_START', 'RUNNING', 'WAIT_STOP', 'WAIT_RESTART'] as const;

/** Whether a job takes a link: from its creation until it is complete or deleted. */
export function takesLink({ lifeCycle, phase }: JobState): boolean {
  return lifeCycle !== 'DELETING' && lifeCycle !== 'DELETED' && phase !== 'COMPLETE';
}

/** Whether the job process runs or is about to. */
export function isActive({ status }: JobState): boolean {
  return activeStatuses.some((active) => active === status);
}

/**
 * Links of the whole installation; practice pairs take none.
 * @returns how many are taken, and how many of their jobs run or are about to
 */
export async function countLinks(queries: Queries): Promise<{ used: number; active: number }> {
  const active = activeStatuses.map((status) => `'${status}'`).join(', ');
  const counts = await queries.one(
    countRow,
    `SELECT count(*) AS used, count(CASE WHEN status IN (${active}) THEN 1 END) AS active FROM data_job
     WHERE practice = 0 AND life_cycle NOT IN ('DELETING', 'DELETED') AND phase <> 'COMPLETE'`,
  );
  return counts ?? { used: 0, active: 0 };
}
