import { z } from 'zod';
import { requireOwner } from '../../access.ts';
import { JobError } from '../../errors.ts';
import { flagField, id } from '../../request-fields.ts';
import { changeWorker, goneAfterMs, listWorkers, requireIdle, workerSchema } from '../../workers.ts';
import { openCall } from '../define-job-call.ts';

const workerId = z.object({ workerId: id });
const example = { workerId: 1 };

/** Calls about the server processes that run jobs; only the owner of the installation can change them. */
export const workerCalls = [
  openCall(
    'worker/listworkers',
    {
      summary: 'Server processes that run jobs.',
      body: z.object({ clusterId: id }),
      example: { clusterId: 1 },
      data: z.array(workerSchema),
    },
    (_body, _caller, services) => listWorkers(services),
  ),
  openCall(
    'worker/startWorker',
    { summary: 'Allows a worker to take jobs.', body: workerId, example, data: z.null() },
    async (body, { uid }, services) => {
      await requireOwner(services, uid);
      await changeWorker(services.database, body.workerId, 'takes_jobs', 1);
      return null;
    },
  ),
  openCall(
    'worker/stopWorker',
    { summary: 'Keeps a worker that runs no jobs from taking any.', body: workerId, example, data: z.null() },
    async (body, { uid }, services) => {
      await requireOwner(services, uid);
      await requireIdle(services.database);
      await changeWorker(services.database, body.workerId, 'takes_jobs', 0);
      return null;
    },
  ),
  openCall(
    'worker/deleteWorker',
    { summary: 'Removes a worker that is gone.', body: workerId, example, data: z.null() },
    async (body, { uid }, services) => {
      await requireOwner(services, uid);
      const gone = await services.database.run('DELETE FROM job_worker WHERE id = $1 AND seen_at <= $2', [
        body.workerId,
        services.now() - goneAfterMs,
      ]);
      if (gone === 0)
        throw new JobError('NOT_POSSIBLE', 'This worker is still running: stop its server process first.');
      return null;
    },
  ),
  openCall(
    'worker/modifyMemOverSoldPercent',
    {
      summary: "The share of its machine's memory that a worker reports as available to jobs; no job waits for it.",
      body: workerId.extend({ memOverSoldPercent: z.coerce.number().int().min(50).max(400) }),
      example: { ...example, memOverSoldPercent: 100 },
      data: z.null(),
    },
    async (body, { uid }, services) => {
      await requireOwner(services, uid);
      await changeWorker(services.database, body.workerId, 'memory_percent', body.memOverSoldPercent);
      return null;
    },
  ),
  openCall(
    'worker/updateWorkerAlertConfig',
    {
      summary: 'Stores how the owner wants to be notified about a worker.',
      body: workerId
        .extend({ phone: flagField, email: flagField, im: flagField, sms: flagField })
        .partial({ phone: true, email: true, im: true, sms: true }),
      example: { ...example, email: true },
      data: z.null(),
    },
    async ({ workerId: worker, ...ways }, { uid }, services) => {
      await requireOwner(services, uid);
      await changeWorker(services.database, worker, 'alerts', JSON.stringify(ways));
      return null;
    },
  ),
];
