import { z } from 'zod';
import { RecurringFault } from '../../recurring-fault.ts';
import { AddressRefused, NotTaken } from '../../senders/message.ts';
import type { ConsoleServices } from '../services.ts';
import type { TaskKind } from './schedule-task.ts';
import type { TaskHandler } from './task-handler.ts';
import { taskHandlers } from './task-handlers.ts';

/** How long a process holds a task before another one may take it. */
const leaseMs = 5 * 60_000;
const lookEveryMs = 1_000;
const firstRetryMs = 5_000;
const longestRetryMs = 3_600_000;
const mostAtOnce = 100;
/** Kinds that are never due later than after the longest retry. */
const dueSoon: readonly TaskKind[] = [
  'send-message',
  'bills',
  'delete-old',
  'poll-checkout',
  'poll-refunds',
  'update-customer',
];
/** By the kind as it is stored, which another version may have written. */
const handlers: Readonly<Record<string, TaskHandler>> = taskHandlers;

const taskRow = z.object({
  id: z.string(),
  kind: z.string(),
  task_key: z.string(),
  payload: z.string(),
  attempts: z.number(),
});

/** Lanes do not wait for each other: a silent payment service holds up no messages. */
const lanes = {
  messages: `kind = 'send-message'`,
  others: `kind <> 'send-message'`,
  all: 'true',
};
type Lane = keyof typeof lanes;

/** Takes the task that has been due longest; of several processes, one gets it. */
function takeTask({ database }: ConsoleServices, now: number, lane: Lane) {
  return database.one(
    taskRow,
    `UPDATE task SET taken_until = $1, attempts = attempts + 1
     WHERE taken_until <= $2 AND id = (
       SELECT id FROM task WHERE due_at <= $2 AND taken_until <= $2 AND ${lanes[lane]} ORDER BY due_at, id LIMIT 1
     )
     RETURNING id, kind, task_key, payload, attempts`,
    [now + leaseMs, now],
  );
}

/**
 * Frees what is due or taken for so much longer than it ever is that the clock was set back since. Twice as long, since
 * the clocks of several servers may differ.
 */
async function forgetFastClock({ database, now }: ConsoleServices): Promise<void> {
  const kinds = dueSoon.map((kind) => `'${kind}'`).join();
  await database.run('UPDATE task SET taken_until = 0 WHERE taken_until > $1', [now() + 2 * leaseMs]);
  await database.run(`UPDATE task SET due_at = $1 WHERE due_at > $2 AND kind IN (${kinds})`, [
    now(),
    now() + 2 * longestRetryMs,
  ]);
}

/**
 * Runs the due tasks, one after the other. A task that fails is retried, later each time and without end: what was
 * promised to a customer is not given up, unless its handler does so.
 * @param isStopped whether to take no further task
 * @returns how many were run, successfully or not
 */
export async function runDueTasks(
  services: ConsoleServices,
  lane: Lane = 'all',
  isStopped = () => false,
): Promise<number> {
  const { database, log, now } = services;
  for (let count = 0; count < mostAtOnce; count += 1) {
    if (isStopped()) return count;
    const task = await takeTask(services, now(), lane);
    if (!task) return count;
    const handler = Object.hasOwn(handlers, task.kind) ? handlers[task.kind] : undefined;
    try {
      if (!handler) throw new Error(`This version does not know tasks of the kind ${task.kind}.`);
      const nextDueAt = await handler(services, { key: task.task_key, payload: task.payload });
      if (nextDueAt === undefined) await database.run('DELETE FROM task WHERE id = $1', [task.id]);
      else {
        await database.run('UPDATE task SET due_at = $1, taken_until = 0, attempts = 0 WHERE id = $2', [
          nextDueAt,
          task.id,
        ]);
      }
    } catch (error) {
      const retryAt = now() + Math.min(firstRetryMs * 2 ** (task.attempts - 1), longestRetryMs);
      log[levelOf(error, task.attempts)](
        { err: error, task: task.kind, attempts: task.attempts },
        'a task failed and will be retried',
      );
      await database.run('UPDATE task SET due_at = $1, taken_until = 0 WHERE id = $2', [retryAt, task.id]);
    }
  }
  return mostAtOnce;
}

/** A wrong address is logged once, not on each try. */
function levelOf(error: unknown, attempts: number): 'debug' | 'error' {
  return error instanceof NotTaken || (error instanceof AddressRefused && attempts > 1) ? 'debug' : 'error';
}

/** Looks for due tasks until it is stopped. @returns stops it, after the running tasks */
export function startTasks(services: ConsoleServices): () => Promise<void> {
  const stops = (['messages', 'others'] as const).map((lane) => startLane(services, lane));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

function startLane(services: ConsoleServices, lane: Lane): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let lookedAt = Number.POSITIVE_INFINITY;
  const fault = new RecurringFault(services.log, {
    lasts: 'tasks could not be looked up',
    over: 'tasks are looked up again',
  });
  const lookOnce = async () => {
    // At the first look, and when the clock is set back while this process runs.
    if (services.now() < lookedAt) await forgetFastClock(services);
    lookedAt = services.now();
    await runDueTasks(services, lane, () => stopped);
  };
  const look = () => {
    running = lookOnce()
      .then(
        () => fault.succeeded(),
        (error: unknown) => fault.failed(error, { lane }),
      )
      .then(() => {
        if (!stopped) timer = setTimeout(look, lookEveryMs).unref();
      });
  };
  look();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
