import { z } from 'zod';
import { jobSchema, jobTypes } from '../../../../client/contract/jobs/jobs.ts';
import { presentJobs } from '../../present-job.ts';
import { jobsToShow, type ShownJob } from '../../readable-jobs.ts';
import { id, optionalText, wordFilter } from '../../request-fields.ts';
import type { JobServices } from '../../services.ts';
import { openCall } from '../define-job-call.ts';

/** Filters for job lists; empty, 0 and null match anything. */
export const jobFilter = {
  dataJobId: id.nullish(),
  dataJobName: optionalText,
  dataJobType: wordFilter([...jobTypes, 'CHECK', 'REVISE']),
  desc: optionalText,
  sourceInstanceId: id.nullish(),
  targetInstanceId: id.nullish(),
};

const filterSchema = z.object(jobFilter);

/** Jobs of an account that match a filter, in order of creation. */
export async function filteredJobs(
  services: JobServices,
  uid: string,
  filter: z.infer<typeof filterSchema>,
): Promise<ShownJob[]> {
  const jobs = await jobsToShow(services, 'uid = $1', [uid]);
  const has = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());
  return jobs.filter(
    (job) =>
      (!filter.dataJobId || job.id === filter.dataJobId) &&
      has(job.name, filter.dataJobName) &&
      (!filter.dataJobType || job.type === filter.dataJobType) &&
      has(job.description, filter.desc) &&
      (!filter.sourceInstanceId || job.source_id === filter.sourceInstanceId) &&
      (!filter.targetInstanceId || job.target_id === filter.targetInstanceId),
  );
}

export const listJobs = openCall(
  'datajob/list',
  { summary: 'All jobs of the account that match a filter.', body: filterSchema, data: z.array(jobSchema) },
  async (body, { uid }, services) => presentJobs(services, uid, await filteredJobs(services, uid, body)),
);
