import { z } from 'zod';
import { JobError } from '../../errors.ts';
import { jobParameters } from '../../job-parameters.ts';
import { jobOf } from '../../jobs.ts';
import { newJobSchema } from '../../new-job.ts';
import { id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';

const body = z
  .array(
    z.object({
      dataJobId: id,
      configName: z.string(),
      configValue: z.union([z.string(), z.number(), z.boolean()], 'must be text, a number, true or false.'),
    }),
  )
  .min(1)
  .max(50);

export const upsertKvConfigs = openCall(
  'datajob/upsertkvconfigs',
  {
    summary: 'Sets parameters of a job; they apply from its next start.',
    body,
    example: [{ dataJobId: 1, configName: 'parallel', configValue: '8' }],
    data: z.null(),
  },
  async (configs, { uid }, { database, jobs }) => {
    await database.transaction(async (queries) => {
      for (const { dataJobId, configName, configValue } of configs) {
        // Before it is read: another call may change another parameter at the same time.
        await queries.run('UPDATE data_job SET revision = revision + 1 WHERE id = $1 AND uid = $2', [dataJobId, uid]);
        const job = await jobOf(queries, uid, dataJobId);
        const parameter = jobParameters.find(({ name }) => name === configName);
        if (!parameter) throw new JobError('BAD_VALUE', `There is no parameter ${configName.slice(0, 64)}.`);
        const changed = {
          ...job.request.given,
          [parameter.field]: parameter.write(String(configValue)),
        };
        const parsed = newJobSchema.safeParse(changed);
        if (!parsed.success) throw new JobError('BAD_VALUE', `${configName} takes ${parameter.range}.`);
        await queries.run('UPDATE data_job SET request = $1 WHERE id = $2', [JSON.stringify(changed), job.id]);
      }
    });
    jobs.wake();
    return null;
  },
);
