import { type JobRow, move } from '../jobs.ts';
import { sharesPlaces } from '../pool.ts';
import type { RowServices } from '../readable-rows.ts';
import {
  allCommands,
  messageOf,
  removeCommands,
  removeCommandsOf,
  retriesOf,
  type TableCommand,
} from '../table-commands.ts';
import type { Child } from './child.ts';

/** A job process, as far as it takes commands. */
export interface CommandTaker {
  job: Pick<JobRow, 'type'>;
  child: Pick<Child, 'isStopping' | 'send'>;
  /** What a complete job runs for; its process got it at its start, and takes nothing else. */
  retries: readonly TableCommand[] | undefined;
  /** Commands that the process got; they are kept until it has carried them out, or for the next process. */
  sent: Set<number>;
}

/** Hands each process the commands for its tables, once. @param running the processes by job id */
export async function passCommands(services: RowServices, running: ReadonlyMap<number, CommandTaker>): Promise<void> {
  const commands = await allCommands(services);
  for (const command of commands) {
    const taker = running.get(command.job_id);
    if (!taker || taker.retries || taker.child.isStopping || taker.sent.has(command.id)) continue;
    // A full copy reads rows as they were when it began: once it is complete, they are retried as they are then.
    const isKept = command.action === 'retry' && sharesPlaces(taker.job);
    taker.child.send(messageOf(command, !isKept));
    taker.sent.add(command.id);
  }
  const left = new Set(commands.map(({ id }) => id));
  for (const { sent } of running.values()) for (const id of sent) if (!left.has(id)) sent.delete(id);
}

/**
 * Removes the commands of a complete job, in the caller's transaction; if rows are still to be retried, the job is
 * started again.
 * @param carriedOut what its process ran for
 */
export async function completeCommands(
  services: RowServices,
  jobId: number,
  carriedOut: readonly TableCommand[],
): Promise<void> {
  const queries = services.database;
  await removeCommands(queries, carriedOut);
  // Commands that came while the process ended, or to a copy that read an older moment, are carried out now.
  const left = await retriesOf(services, jobId);
  if (left.length > 0) await move(queries, jobId, 'rows retried', { nextTryAt: null });
  else await removeCommandsOf(queries, jobId);
}
