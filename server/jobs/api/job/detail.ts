import { z } from 'zod';
import { jobDetailSchema, sampleSpans } from '../../../../client/contract/jobs/jobs.ts';
import { eventsOf } from '../../events.ts';
import { jobOf } from '../../jobs.ts';
import { presentJob } from '../../present-job.ts';
import { id } from '../../request-fields.ts';
import { samplesOf } from '../../samples.ts';
import { tablesOf } from '../../tables.ts';
import { innerCall } from '../define-job-call.ts';

const mostEvents = 200;

export const jobDetail = innerCall(
  'job/detail',
  {
    summary: 'A job with its tables, samples and events.',
    body: z.strictObject({ jobId: id, span: z.enum(sampleSpans).default('HOUR') }),
    example: { jobId: 1, span: 'HOUR' },
    data: jobDetailSchema,
  },
  async ({ jobId, span }, { uid }, services) => {
    const { database, now } = services;
    return {
      job: await presentJob(services, uid, await jobOf(database, uid, jobId)),
      tables: await tablesOf(services, jobId, 0),
      samples: await samplesOf(services, jobId, span, now()),
      events: await eventsOf(services, jobId, 0, mostEvents),
    };
  },
);
