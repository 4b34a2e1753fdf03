import { randomUUID } from 'node:crypto';
import type { Queries } from '../../storage/database.ts';

/** Kinds of work that is done later; each has one handler in `task-handlers.ts`. */
export type TaskKind =
  | 'send-message'
  | 'close-order'
  | 'licence-reminder'
  | 'bills'
  | 'collect-invoice'
  | 'subscription-period'
  | 'update-customer'
  | 'delete-old';

export interface NewTask {
  kind: TaskKind;
  /** Of one kind, a key is scheduled once; a second time changes nothing. */
  key: string;
  /** Text that the handler understands, usually JSON. */
  payload: string;
  /** Epoch milliseconds. */
  dueAt: number;
}

/** Notes work to be done later, in the caller's transaction: it is done if and only if that commits. */
export async function scheduleTask(queries: Queries, { kind, key, payload, dueAt }: NewTask): Promise<void> {
  await queries.run(
    'INSERT INTO task (id, kind, task_key, payload, due_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (kind, task_key) DO NOTHING',
    [randomUUID(), kind, key, payload, dueAt],
  );
}
