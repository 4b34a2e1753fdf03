import { z } from 'zod';
import { changeSettings, dataSourceOf } from '../../data-sources.ts';
import { JobError } from '../../errors.ts';
import { id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';
import { tellNewConnection } from './tell-new-connection.ts';

const values = z
  .record(
    z.string().max(64),
    z.union([z.string().max(100_000), z.number(), z.boolean()], 'must be text, a number, true or false.'),
  )
  .default({});
const body = z.object({ dataSourceId: id, updateConfigs: values, needCreateConfigs: values });

export const upsertDataSourceConfig = openCall(
  'datasource/upsertdsconfig',
  {
    summary: 'Changes settings of a data source; running jobs apply them at their next start.',
    body,
    example: { dataSourceId: 1, updateConfigs: { port: 5433 } },
    data: z.null(),
  },
  async ({ dataSourceId, updateConfigs, needCreateConfigs }, caller, services) => {
    const { uid } = caller;
    const { database, jobs, secretKey } = services;
    await database.transaction(async (queries) => {
      // Before they are read: another call may change another setting at the same time.
      await queries.run('UPDATE data_source SET tested = NULL WHERE id = $1 AND uid = $2', [dataSourceId, uid]);
      const source = await dataSourceOf(queries, uid, dataSourceId);
      const card = jobs.cards.find(({ family }) => family === source.family);
      if (!card) throw new JobError('NOT_OFFERED');
      if (source.practice) throw new JobError('NOT_OFFERED', 'The settings of a practice pair cannot be changed.');
      const changes = Object.entries({ ...updateConfigs, ...needCreateConfigs }).map(([name, value]) => [
        name,
        // Clients send every value as text.
        typeof source.settings[name] === 'number' ? Number(value) : value,
      ]);
      const changed = await changeSettings(queries, secretKey, card, source, Object.fromEntries(changes));
      if (changed.keepsSecret) await tellNewConnection(queries, services, caller, source, changed.settings);
    });
    return null;
  },
);
