import { dayOf } from '../../../client/contract/dates.ts';
import type { AllowedLinks } from '../../console/licensing/installation.ts';
import type { Queries } from '../../storage/database.ts';
import { JobError } from '../errors.ts';
import { countLinks } from '../links.ts';

/**
 * Ensures that the licence allows another job to be created or started; running jobs are left alone, whatever it allows
 * by now.
 * @param queries of the transaction in which the job is created or started
 * @param need a free link, or to run with the one that the job has
 * @throws JobError LICENCE_LINKS with why and what to do
 */
export async function requireLink(queries: Queries, allowed: AllowedLinks, need: 'link' | 'run'): Promise<void> {
  const { links } = allowed;
  if (links === null) return;
  // Of two concurrent calls, the second waits here for the first and counts it.
  await queries.run('UPDATE installation SET one = one');
  const { used, active } = await countLinks(queries);
  if (need === 'link' ? used < links : active < links) return;
  throw new JobError('LICENCE_LINKS', sentenceOf(links, allowed.ended, need));
}

function sentenceOf(links: number, ended: number | null, need: 'link' | 'run'): string {
  const ending = ended === null ? '' : `Its licence ended on ${dayOf(ended)}. `;
  const remedy = 'Its owner can enter an authorization code in the console under Settings → Licence';
  if (need === 'run') {
    return `This installation may run ${links} links, and that many jobs are running. ${ending}${remedy}; or stop another job.`;
  }
  return `This installation may have ${links} links, and all are taken: a job takes one until it is complete or deleted. ${ending}${remedy}; or delete a job that is no longer needed.`;
}
