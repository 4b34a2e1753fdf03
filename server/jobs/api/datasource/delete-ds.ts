import { z } from 'zod';
import { takeTurn } from '../../../console/account/take-turn.ts';
import { dataSourceOf } from '../../data-sources.ts';
import { JobError } from '../../errors.ts';
import { openCall } from '../define-job-call.ts';
import { dataSourceIdBody, exampleDataSourceId } from './data-source-id.ts';

export const deleteDataSource = openCall(
  'datasource/deleteds',
  {
    summary: 'Deletes a data source that no job uses.',
    body: dataSourceIdBody,
    example: exampleDataSourceId,
    data: z.null(),
  },
  async ({ dataSourceId }, { uid }, { database }) => {
    await database.transaction(async (queries) => {
      // A job that uses it may be created at the same time.
      await takeTurn(queries, uid);
      const source = await dataSourceOf(queries, uid, dataSourceId);
      const deleted = await queries.run(
        `DELETE FROM data_source WHERE id = $1
         AND NOT EXISTS (SELECT 1 FROM data_job WHERE source_id = $1 OR target_id = $1)`,
        [source.id],
      );
      if (deleted === 0) throw new JobError('DATA_SOURCE_IN_USE');
    });
    return null;
  },
);
