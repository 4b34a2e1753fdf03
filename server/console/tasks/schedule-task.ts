import { randomUUID } from 'node:crypto';
import type { Queries } from '../../storage/database.ts';

/** Kinds of deferred work; each has one handler in `task-handlers.ts`. */
export type TaskKind =
  | 'send-message'
  | 'close-order'
  | 'licence-reminder'
  | 'bills'
  | 'collect-invoice'
  | 'subscription-period'
  | 'poll-checkout'
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
}

/** Schedules work for later, in the caller's transaction: it is done if and only if that commits. */
export async function scheduleTask(queries: Queries, { kind, key, payload, dueAt }: NewTask): Promise<void> {
  await queries.run(
    'INSERT INTO task (id, kind, task_key, payload, due_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (kind, task_key) DO NOTHING',
    [randomUUID(), kind, key, payload, dueAt],
  );
}
