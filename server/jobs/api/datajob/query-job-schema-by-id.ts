import { jobOf } from '../../jobs.ts';
import { presentJobs } from '../../present-job.ts';
import { openCall } from '../define-job-call.ts';
import { exampleJobId, jobIdBody } from './job-id.ts';

export const queryJobSchemaById = openCall(
  'datajob/queryjobschemabyid',
  { summary: 'What a job selects and how it is mapped, as JSON text.', body: jobIdBody, example: exampleJobId },
  async ({ jobId }, { uid }, services) => {
    const [job] = await presentJobs(services, uid, [await jobOf(services.database, uid, jobId)]);
    return {
      sourceSchema: job?.sourceSchema,
      targetSchema: job?.targetSchema,
      mappingConfig: job?.mappingConfig,
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
