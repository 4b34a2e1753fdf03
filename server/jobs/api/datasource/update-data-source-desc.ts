import { z } from 'zod';
import { dataSourceOf } from '../../data-sources.ts';
import { id } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';

const body = z.object({ dataSourceId: id, instanceDesc: z.string().max(255) });

export const updateDataSourceDescription = openCall(
  'datasource/updatedatasourcedesc',
  {
    summary: 'Changes the description of a data source.',
    body,
    example: { dataSourceId: 1, instanceDesc: 'Shop' },
    data: z.null(),
  },
  async ({ dataSourceId, instanceDesc }, { uid }, { database }) => {
    const source = await dataSourceOf(database, uid, dataSourceId);
    await database.run('UPDATE data_source SET description = $1 WHERE id = $2', [instanceDesc, source.id]);
    return null;
  },
);
