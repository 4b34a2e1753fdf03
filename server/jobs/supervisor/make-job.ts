import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { actOnJob } from '../actions/act-on-job.ts';
import { addEvent } from '../events.ts';
import { findJob, type JobRow, move } from '../jobs.ts';
import { makePracticeFiles } from '../practice/files.ts';
import type { JobServices } from '../services.ts';
import { resolveTables } from '../spec.ts';
import { workersTaking } from '../workers.ts';
import { isPassing } from './outcome.ts';

const taskRow = z.object({ id: z.number(), step: z.number() });

/** Who creates a job. */
interface Maker {
  /** Its worker. */
  worker: string;
  /** Whether no other process creates the job meanwhile. */
  mayGoOn: () => boolean;
}

type Step = (services: JobServices, job: JobRow, maker: Maker) => Promise<void>;

/** A question for which there is no time is not asked again sooner. */
const againMs = 1_000;

const steps: readonly Step[] = [
  async (services, job, { mayGoOn }) => {
    if (job.practice) makePracticeFiles(services, job.name);
    const tables = await resolveTables(services, job.uid, job.request.wanted, 'making');
    if (!mayGoOn()) return;
    await services.database.run('UPDATE data_job SET tables = $1 WHERE id = $2', [JSON.stringify(tables), job.id]);
  },
  async (services, _job, { worker }) => {
    const takers = await workersTaking(services, worker);
    if (takers.length === 0) throw new StepFault('No worker takes jobs: start one, then retry this step.');
  },
  async ({ database, now }, job) => {
    if (!(await move(database, job.id, 'made'))) return;
    await addEvent(database, job.id, { at: now(), level: 'info', table: null, sentence: 'The job was created.' });
  },
  async (services, job) => {
    // A user may have started or deleted it by now.
    const waits = job.life_cycle === 'CREATED' && job.status === 'INIT';
    if (waits && job.request.wanted.autoStart) await actOnJob(services, job.uid, job.id, 'activate');
  },
];

class StepFault extends Error {}

/** Runs the remaining steps; the first that fails keeps its message until it is retried. */
export async function makeJob(services: JobServices, consoleJobId: number, jobId: number, maker: Maker): Promise<void> {
  const { database } = services;
  await setState(services, 'console_job', consoleJobId, 'EXECUTE');
  const left = await database.all(
    taskRow,
    "SELECT id, step FROM console_task WHERE console_job_id = $1 AND state <> 'SUCCESS' ORDER BY step",
    [consoleJobId],
  );
  for (const { id, step } of left) {
    await setState(services, 'console_task', id, 'EXECUTE');
    try {
      const job = await findJob(database, jobId);
      if (!job) return;
      await steps[step - 1]?.(services, job, maker);
      if (!maker.mayGoOn()) return;
    } catch (error) {
      const { signal } = services.jobs.stopping;
      // Cut off because this server stops, or has lost the lock: the next server repeats the step.
      if (signal.aborted || !maker.mayGoOn()) return;
      if (!isPassing(error)) return await noteFailure(services, consoleJobId, jobId, { id, step }, error);
      // The next look repeats the step; a stop ends the pause.
      return await delay(againMs, undefined, { signal }).catch(() => undefined);
    }
    await database.run("UPDATE console_task SET state = 'SUCCESS', message = '' WHERE id = $1", [id]);
  }
  await setState(services, 'console_job', consoleJobId, 'SUCCESS');
}

async function noteFailure(
  services: JobServices,
  consoleJobId: number,
  jobId: number,
  { id, step }: z.infer<typeof taskRow>,
  error: unknown,
): Promise<void> {
  const { database, log } = services;
  const known = error instanceof StepFault || (error instanceof AppError && error.status < 500);
  if (!known) log.error({ err: error, job: jobId, step }, 'a step of creating a job failed');
  const message = known ? sentenceOf(error) : 'The server made a mistake. Please retry this step.';
  await database.run("UPDATE console_task SET state = 'FAILED', message = $1 WHERE id = $2", [message, id]);
  await setState(services, 'console_job', consoleJobId, 'FAILED');
  await database.run('UPDATE data_job SET revision = revision + 1 WHERE id = $1', [jobId]);
}

function setState({ database }: JobServices, table: 'console_job' | 'console_task', id: number, state: string) {
  return database.run(`UPDATE ${table} SET state = $1 WHERE id = $2`, [state, id]);
}

function sentenceOf(error: Error): string {
  const fields = error instanceof AppError ? Object.entries(error.fields ?? {}) : [];
  return [error.message, ...fields.map(([name, text]) => `${name}: ${text}`)].join(' ');
}
