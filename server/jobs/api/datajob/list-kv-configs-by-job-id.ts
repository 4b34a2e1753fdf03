import { z } from 'zod';
import { jobParameters } from '../../job-parameters.ts';
import { jobOf } from '../../jobs.ts';
import { id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';

const body = z.object({ dataJobId: id });

export const listKvConfigsByJobId = openCall(
  'datajob/listkvconfigsbyjobid',
  { summary: 'Parameters of a job with their values.', body, example: { dataJobId: 1 } },
  async ({ dataJobId }, { uid }, { database }) => {
    const { request } = await jobOf(database, uid, dataJobId);
    return jobParameters.map(({ name, description, range, standard, read }) => ({
      configName: name,
      configValue: read(request.wanted),
      defaultValue: standard,
      valueRange: range,
      description,
      taskType: null,
      endPointType: 'INDEPENDENT',
      dynamic: false,
      readOnly: false,
      configType: 'SERVER_CORE',
      secret: false,
      needCreate: false,
    }));
  },
);
