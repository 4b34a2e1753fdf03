import { randomUUID } from 'node:crypto';
import type { Queries } from '../../storage/database.ts';
import type { Lane } from './lanes.ts';

/** Kinds of deferred work; each has one handler in `task-handlers.ts`. */
export type TaskKind =
  | 'send-message'
  | 'close-order'
  | 'licence-reminder'
  | 'bills'
  | 'collect-invoice'
  | 'subscription-period'
  | 'poll-checkout'
  | 'expire-page'
  | 'poll-refunds'
  | 'update-customer'
  | 'normalise-phones'
  | 'delete-old';

export interface NewTask {
  kind: TaskKind;
  /** Within a kind, a key is scheduled once; a second time changes nothing. */
  key: string;
  /** Text that the handler understands, usually JSON. */
  payload: string;
  /** Epoch milliseconds. */
  dueAt: number;
  lane?: Lane;
  /** Goes before the other due tasks of its lane. */
  urgent?: boolean;
}

/** Schedules work for later, in the caller's transaction: it is done if and only if that commits. */
export async function scheduleTask(
  queries: Queries,
  { kind, key, payload, dueAt, lane = 'others', urgent = false }: NewTask,
): Promise<void> {
  await queries.run(
    `INSERT INTO task (id, kind, task_key, payload, due_at, lane, urgent) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (kind, task_key) DO NOTHING`,
    [randomUUID(), kind, key, payload, dueAt, lane, urgent ? 1 : 0],
  );
}
