import { z } from 'zod';
import { jobOf } from '../../jobs.ts';
import { presentJob } from '../../present-job.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const queryJobSchemaById = openCall(
  'datajob/queryjobschemabyid',
  {
    summary: 'What a job selects and how it is mapped, as JSON text.',
    body: jobIdBody,
    example: exampleJobId,
    data: z
      .object({
        sourceSchema: z.string(),
        targetSchema: z.string(),
        mappingConfig: z.string(),
        defaultTopic: z.string(),
        defaultTopicPartition: z.int(),
        schemaWhiteListLevel: z.string(),
        srcSchemaLessFormat: z.string(),
        dstSchemaLessFormat: z.string(),
        dstDsCaseSensitive: z.string(),
        ccSubTables: z.null(),
      })
      .meta({ id: 'JobSelection' }),
  },
  async ({ jobId }, { uid }, services) => {
    const job = await presentJob(services, uid, await jobOf(services.database, uid, jobId));
    return {
      sourceSchema: job.sourceSchema,
      targetSchema: job.targetSchema,
      mappingConfig: job.mappingConfig,
      defaultTopic: '',
      defaultTopicPartition: 0,
      schemaWhiteListLevel: '',
      srcSchemaLessFormat: '',
      dstSchemaLessFormat: '',
      dstDsCaseSensitive: '',
      ccSubTables: null,
    };
  },
);
