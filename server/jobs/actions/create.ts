import { z } from 'zod';
import { takeOwnTurn } from '../../console/account/take-turn.ts';
import { allowedLinks } from '../../console/licensing/installation.ts';
import type { Queries } from '../../storage/database.ts';
import { makingSteps } from '../console-jobs.ts';
import { JobError } from '../errors.ts';
import { nextId, randomName } from '../ids.ts';
import { type NewJob, requestHash } from '../new-job.ts';
import { readSelection, requireAllActions } from '../selection.ts';
import type { JobServices } from '../services.ts';
import { pairOf, requireTargetDatabase } from '../spec.ts';
import { requireLink } from './require-link.ts';

/** How long a repeated request gets the first job's id: clients repeat it after a timeout. */
const sameForMs = 10 * 60_000;
const mostJobs = 1_000;
const idRow = z.object({ id: z.number() });
const countRow = z.object({ n: z.number() });

interface WantedJob {
  uid: string;
  request: NewJob;
  /** The request as it was sent: texts are returned unchanged. */
  raw: unknown;
}

/** Stores a job that is then created step by step. @returns its id */
export async function createJob(services: JobServices, wanted: WantedJob): Promise<number> {
  const { database, now, jobs } = services;
  const { uid, request } = wanted;
  const selection = readSelection(request);
  requireAllActions(request);
  const allowed = await allowedLinks(services);
  const id = await database.transaction(async (queries) => {
    await takeOwnTurn(queries, uid);
    const { target } = await pairOf({ database: queries, jobs }, uid, request);
    requireTargetDatabase(selection, target);
    const same = await queries.one(
      idRow,
      `SELECT id FROM data_job WHERE uid = $1 AND request_hash = $2 AND created_at > $3 AND life_cycle <> 'DELETING'
       ORDER BY id LIMIT 1`,
      [uid, requestHash(request), now() - sameForMs],
    );
    if (same) return same.id;
    await requireLink(queries, allowed, 'link');
    return storeJob(queries, wanted, randomName('canal', 11), now(), false);
  });
  jobs.wake();
  return id;
}

/** Stores a job and the steps of its creation. @returns its id */
export async function storeJob(
  queries: Queries,
  { uid, request, raw }: WantedJob,
  name: string,
  now: number,
  practice: boolean,
): Promise<number> {
  const count = await queries.one(countRow, 'SELECT count(*) AS n FROM data_job WHERE uid = $1', [uid]);
  if ((count?.n ?? 0) >= mostJobs) throw new JobError('TOO_MANY', `An account has at most ${mostJobs} jobs.`);
  const id = await nextId(queries);
  await queries.run(
    `INSERT INTO data_job (id, name, uid, description, type, source_id, target_id, request, request_hash, life_cycle,
       phase, status, practice, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'CREATING', 'CREATED', 'INIT', $10, $11)`,
    [
      id,
      name,
      uid,
      request.dataJobDesc,
      request.jobType,
      request.srcDsId,
      request.dstDsId,
      JSON.stringify(raw),
      requestHash(request),
      practice ? 1 : 0,
      now,
    ],
  );
  const consoleJobId = await nextId(queries);
  await queries.run("INSERT INTO console_job (id, job_id, state, created_at) VALUES ($1, $2, 'WAIT_START', $3)", [
    consoleJobId,
    id,
    now,
  ]);
  for (let step = 1; step <= makingSteps.length; step += 1) {
    await queries.run("INSERT INTO console_task (id, console_job_id, step, state) VALUES ($1, $2, $3, 'WAIT_START')", [
      await nextId(queries),
      consoleJobId,
      step,
    ]);
  }
  return id;
}
