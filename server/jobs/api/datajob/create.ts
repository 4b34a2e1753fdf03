import { z } from 'zod';
import { createJob } from '../../actions/create.ts';
import { askedJobSchema } from '../../new-job.ts';
import { openCall } from '../define-job-call.ts';

/** A job between two databases of one family. */
export const exampleNewJob = {
  clusterId: 1,
  srcDsId: 1,
  dstDsId: 2,
  srcHostType: 'PRIVATE',
  dstHostType: 'PRIVATE',
  srcSchema: '[{"db":"shop","schemas":[{"schema":"public","tables":[{"table":"orders"}]}]}]',
  dstSchema: '',
  mappingDef: '[]',
  jobType: 'SYNC',
  specId: 0,
  structMigration: true,
  initialSync: true,
  filterDDL: false,
  srcDsCharset: '',
  tarDsCharset: '',
  dataJobDesc: 'Orders to the warehouse',
  autoStart: true,
};

export const createJobCall = openCall(
  'datajob/create',
  {
    summary:
      'Creates a job in steps that consolejob/queryconsolejob reports. The same request within ten minutes returns the first job.',
    body: askedJobSchema,
    example: exampleNewJob,
    data: z.string().describe('The number of the job.'),
    large: true,
  },
  async (request, { uid }, services, raw) => String(await createJob(services, { uid, request, raw })),
);
