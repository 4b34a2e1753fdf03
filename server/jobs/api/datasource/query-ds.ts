import { dataSourceOf } from '../../data-sources.ts';
import { presentDataSources } from '../../present-data-source.ts';
import { openCall } from '../define-job-call.ts';
import { dataSourceIdBody, exampleDataSourceId } from './data-source-id.ts';

export const queryDataSource = openCall(
  'datasource/queryds',
  { summary: 'One data source, without its secrets.', body: dataSourceIdBody, example: exampleDataSourceId },
  async ({ dataSourceId }, { uid }, services) => {
    const row = await dataSourceOf(services.database, uid, dataSourceId);
    const [source] = await presentDataSources(services, uid, [row]);
    return source;
  },
);
