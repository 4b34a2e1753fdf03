import { z } from 'zod';
import { jobParameters } from '../../job-parameters.ts';
import { jobOf } from '../../jobs.ts';
import { id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';

const body = z.object({ dataJobId: id });

const parameter = z
  .object({
    configName: z.string(),
    configValue: z.string(),
    defaultValue: z.string(),
    valueRange: z.string(),
    description: z.string(),
    taskType: z.null(),
    endPointType: z.literal('INDEPENDENT'),
    dynamic: z.boolean(),
    readOnly: z.boolean(),
    configType: z.literal('SERVER_CORE'),
    secret: z.boolean(),
    needCreate: z.boolean(),
  })
  .meta({ id: 'JobParameter' });

export const listKvConfigsByJobId = openCall(
  'datajob/listkvconfigsbyjobid',
  { summary: 'Parameters of a job with their values.', body, example: { dataJobId: 1 }, data: z.array(parameter) },
  async ({ dataJobId }, { uid }, { database }) => {
    const { request } = await jobOf(database, uid, dataJobId);
    return jobParameters.map(({ name, description, range, standard, read }) => ({
      configName: name,
      configValue: read(request.wanted),
      defaultValue: standard,
      valueRange: range,
      description,
      taskType: null,
      endPointType: 'INDEPENDENT' as const,
      dynamic: false,
      readOnly: false,
      configType: 'SERVER_CORE' as const,
      secret: false,
      needCreate: false,
    }));
  },
);
