import type { Queries } from '../../storage/database.ts';
import { scheduleTask } from '../tasks/schedule-task.ts';

/**
 * Has a page of the payment service expire once the caller's transaction commits: a request to that service has no place
 * in a transaction. @param page its id there; null if none was opened
 */
export async function expirePageSoon(queries: Queries, now: number, page: string | null): Promise<void> {
  if (page !== null) await scheduleTask(queries, { kind: 'expire-page', key: page, payload: '', dueAt: now });
}
