import { z } from 'zod';
import { findOwner, isOwner } from '../console/account/owner.ts';
import type { Queries } from '../storage/database.ts';
import { JobError } from './errors.ts';
import type { JobServices } from './services.ts';

const found = z.object({ uid: z.string() });

/** Admits only the owner, admitted accounts, or all if set so. @throws JobError JOBS_NOT_ALLOWED with whom to ask */
export async function requireJobs(services: JobServices, uid: string): Promise<void> {
  if (await mayHaveJobs(services, uid)) return;
  const owner = await findOwner(services.database);
  throw new JobError(
    'JOBS_NOT_ALLOWED',
    `On this installation, jobs are limited to its owner and accounts that the owner admits. Ask ${owner?.username ?? 'its operator'}; the operator admits you with: npm run account -- admit <your e-mail>`,
  );
}

/** Whether an account is the owner, was admitted, or everyone may have jobs. */
export async function mayHaveJobs({ config, database }: JobServices, uid: string): Promise<boolean> {
  if (config.jobsFor === 'all') return true;
  if (await isOwner(database, uid)) return true;
  return (await database.one(found, 'SELECT uid FROM job_admission WHERE uid = $1', [uid])) !== undefined;
}

/** Accounts that are allowed jobs individually, by uid. */
export async function jobAccess(queries: Queries): Promise<ReadonlyMap<string, 'owner' | 'admitted'>> {
  const owner = await findOwner(queries);
  const admitted = await queries.all(found, 'SELECT uid FROM job_admission');
  return new Map([
    ...admitted.map(({ uid }) => [uid, 'admitted'] as const),
    ...(owner ? [[owner.uid, 'owner'] as const] : []),
  ]);
}

/** Only the owner of the installation may change what all accounts share. @throws JobError JOBS_NOT_ALLOWED */
export async function requireOwner({ database }: JobServices, uid: string): Promise<void> {
  if (!(await isOwner(database, uid)))
    throw new JobError('JOBS_NOT_ALLOWED', 'Only the owner of this installation can change its workers.');
}

/** Admits an account to jobs; a second time changes nothing. */
export async function admit(queries: Queries, uid: string, now: number): Promise<void> {
  await queries.run('INSERT INTO job_admission (uid, admitted_at) VALUES ($1, $2) ON CONFLICT (uid) DO NOTHING', [
    uid,
    now,
  ]);
}

/** Withdraws the admission; running jobs continue, but calls are no longer answered. @returns whether there was one */
export async function withdrawAdmission(queries: Queries, uid: string): Promise<boolean> {
  return (await queries.run('DELETE FROM job_admission WHERE uid = $1', [uid])) === 1;
}
