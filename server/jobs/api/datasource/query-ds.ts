import { dataSourceSchema } from '../../../../client/contract/jobs/data-sources.ts';
import { dataSourceOf } from '../../data-sources.ts';
import { presentDataSource } from '../../present-data-source.ts';
import { openCall } from '../define-job-call.ts';
import { dataSourceIdBody, exampleDataSourceId } from './data-source-id.ts';

export const queryDataSource = openCall(
  'datasource/queryds',
  {
    summary: 'One data source, without its secrets.',
    body: dataSourceIdBody,
    example: exampleDataSourceId,
    data: dataSourceSchema,
  },
  async ({ dataSourceId }, { uid }, services) =>
    presentDataSource(services, uid, await dataSourceOf(services.database, uid, dataSourceId)),
);
