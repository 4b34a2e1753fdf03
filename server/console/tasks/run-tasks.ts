import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { ChannelDown, MessageRefused, SendingStopped } from '../../senders/message.ts';
import { StoreUserFault } from '../../storage/store-user-fault.ts';
import type { ConsoleServices } from '../services.ts';
import { isPaused, type Lane, lanes, nextTurn, openLane, pauseLane, returnProbe, type Turn } from './lanes.ts';
import type { TaskKind } from './schedule-task.ts';
import { GivenUp, type TaskHandler } from './task-handler.ts';
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
  'expire-page',
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
  lane_faults: z.number(),
});

type Task = z.infer<typeof taskRow>;

/**
 * Takes the task that has been due longest; of several processes, one gets it. A probe is another task each time: one
 * that the mail server cannot digest would keep the lane paused.
 */
function takeTask({ database }: ConsoleServices, now: number, lane: Lane, turn: Turn) {
  const next =
    turn === 'open' ? 'AND due_at <= $2 ORDER BY urgent DESC, due_at' : 'ORDER BY urgent DESC, lane_faults, due_at';
  return database.one(
    taskRow,
    `UPDATE task SET taken_until = $1, attempts = attempts + 1
     WHERE taken_until <= $2 AND id = (
       SELECT id FROM task WHERE taken_until <= $2 AND lane = $3 ${next}, id LIMIT 1
     )
     RETURNING id, kind, task_key, payload, attempts, lane_faults`,
    [now + leaseMs, now, lane],
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
 * Runs the due tasks of a lane, one after the other. A task that fails is retried, later each time and without end:
 * what was promised to a customer is not given up, unless its handler does so.
 * @param isStopped whether to take no further task
 * @returns how many were run, successfully or not
 */
async function runLane(services: ConsoleServices, lane: Lane, isStopped: () => boolean): Promise<number> {
  const { database, now } = services;
  for (let count = 0; count < mostAtOnce; count += 1) {
    if (isStopped()) return count;
    const turn = await nextTurn(database, lane, now());
    if (!turn) return count;
    const task = await takeTask(services, now(), lane, turn);
    if (!task) {
      // Whatever comes next finds out by itself.
      if (turn === 'probe') await openLane(database, lane, now());
      return count;
    }
    await runTask(services, task, lane, turn);
  }
  return mostAtOnce;
}

/** Runs the due tasks of all lanes once. @returns how many were run */
export async function runDueTasks(services: ConsoleServices): Promise<number> {
  let count = 0;
  for (const lane of lanes) count += await runLane(services, lane, () => false);
  return count;
}

async function runTask(services: ConsoleServices, task: Task, lane: Lane, turn: Turn): Promise<void> {
  const { database, log, now } = services;
  const failure = await handle(services, task);
  const cause = causeOf(failure);
  // One that failed so before, while another one has got through since, fails for a reason of its own.
  const isOfLane =
    cause instanceof ChannelDown &&
    lane !== 'others' &&
    (turn === 'probe' || task.lane_faults === 0 || (await isPaused(database, lane)));
  // First: a process that takes a task at once finds the lane paused.
  if (isOfLane) await pauseLane(database, lane, turn, now());
  if (failure instanceof GivenUp) {
    log.error({ ...failure.about, ...(cause !== undefined && { err: cause }) }, failure.message);
    await database.run('DELETE FROM task WHERE id = $1', [task.id]);
  } else if (isOfLane) {
    await database.run(
      'UPDATE task SET taken_until = 0, attempts = attempts - 1, lane_faults = lane_faults + 1 WHERE id = $1',
      [task.id],
    );
  } else if (failure !== undefined) {
    const retryAt = now() + Math.min(firstRetryMs * 2 ** (task.attempts - 1), longestRetryMs);
    log[levelOf(failure, task.attempts)](
      { ...reasonOf(failure), task: task.kind, attempts: task.attempts },
      'a task failed and will be retried',
    );
    await database.run('UPDATE task SET due_at = $1, taken_until = 0, lane_faults = lane_faults + $2 WHERE id = $3', [
      retryAt,
      turn === 'probe' ? 1 : 0,
      task.id,
    ]);
  }
  if (turn === 'probe' && !isOfLane) await endProbe(services, lane, failure);
}

/** @returns why it failed, or undefined */
async function handle(services: ConsoleServices, task: Task): Promise<unknown> {
  const { database } = services;
  try {
    const handler = Object.hasOwn(handlers, task.kind) ? handlers[task.kind] : undefined;
    if (!handler) throw new Error(`This version does not know tasks of the kind ${task.kind}.`);
    const nextDueAt = await handler(services, { key: task.task_key, payload: task.payload });
    if (nextDueAt === undefined) await database.run('DELETE FROM task WHERE id = $1', [task.id]);
    else {
      await database.run('UPDATE task SET due_at = $1, taken_until = 0, attempts = 0 WHERE id = $2', [
        nextDueAt,
        task.id,
      ]);
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The failure itself, or the last one of a task that was given up; undefined if that was not tried. */
const causeOf = (failure: unknown) => (failure instanceof GivenUp ? failure.cause : failure);

/** What the log says about a failure: of an error for users what it came from, such as the payment service's answer. */
function reasonOf(failure: unknown): object {
  if (!(failure instanceof AppError) || failure.cause === undefined) return { err: failure };
  return { code: failure.code, err: failure.cause };
}

/** Opens a lane whose probe has reached the other side, even if only to be refused. */
async function endProbe({ database, now }: ConsoleServices, lane: Lane, failure: unknown): Promise<void> {
  const cause = causeOf(failure);
  if (failure === undefined || cause instanceof MessageRefused) await openLane(database, lane, now());
  else if (cause === undefined) await returnProbe(database, lane, now());
  else await pauseLane(database, lane, 'probe', now());
}

/** A refused message is logged once, not on each try; a stop is no fault. */
function levelOf(error: unknown, attempts: number): 'debug' | 'error' {
  if (error instanceof ChannelDown || error instanceof SendingStopped) return 'debug';
  return error instanceof MessageRefused && attempts > 1 ? 'debug' : 'error';
}

/** Looks for due tasks until it is stopped. @returns stops it, after the running tasks */
export function startTasks(services: ConsoleServices): () => Promise<void> {
  const stops = lanes.map((lane) => startLane(services, lane));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

function startLane(services: ConsoleServices, lane: Lane): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let lookedAt = Number.POSITIVE_INFINITY;
  const fault = new StoreUserFault(services.log, {
    lasts: 'tasks could not be looked up',
    over: 'tasks are looked up again',
  });
  const lookOnce = async () => {
    // At the first look, and when the clock is set back while this process runs.
    if (services.now() < lookedAt) await forgetFastClock(services);
    lookedAt = services.now();
    await runLane(services, lane, () => stopped);
  };
  const look = () => {
    running = lookOnce()
      .then(
        () => fault.succeeded(),
        (error: unknown) => {
          fault.failed(error, { lane });
        },
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
