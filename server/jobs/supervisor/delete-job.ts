import { nothingAnswer } from '../answers.ts';
import type { Asker } from '../ask-turns.ts';
import type { JobRow } from '../jobs.ts';
import { removePracticeFiles } from '../practice/files.ts';
import { removeRow } from '../remove-job.ts';
import type { JobServices } from '../services.ts';
import { specOf } from '../spec.ts';

/** Enough for a distant and busy source. */
const releaseMs = 60_000;

/** Removes what a job keeps on both sides: slot, publication, triggers, mark. */
export async function releaseJob(services: JobServices, job: JobRow, asker: Asker): Promise<void> {
  // Nothing was created for a job that never ran.
  if (!job.tables || job.phase === 'CREATED') return;
  const question = { kind: 'release', spec: await specOf(services, job) } as const;
  await services.jobs.ask(job.uid, question, nothingAnswer, { limitMs: releaseMs, asker });
}

/** Deletes a job once both sides are clean; a practice pair goes with its files and data sources no other job uses. */
export async function deleteJob(services: JobServices, job: JobRow): Promise<void> {
  if (!job.practice) await releaseJob(services, job, 'deleting');
  else removePracticeFiles(services, job.name);
  await services.database.transaction((queries) => removeRow(queries, job));
}
