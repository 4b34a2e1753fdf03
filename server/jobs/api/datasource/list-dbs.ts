import { z } from 'zod';
import { type CatalogDatabase, catalogDatabaseSchema } from '../../../../client/contract/jobs/data-sources.ts';
import { databasesAnswer } from '../../answers.ts';
import { openCall } from '../define-job-call.ts';
import { askedSide, connectFields, exampleConnect } from './data-source-id.ts';

export const listDatabases = openCall(
  'datasource/listdbs',
  {
    summary: 'Databases and schemas of a data source.',
    body: z.object(connectFields),
    example: exampleConnect,
    data: z.array(catalogDatabaseSchema),
  },
  async ({ dataSourceId }, { uid }, services) => {
    const side = await askedSide(services, uid, dataSourceId);
    const databases = await services.jobs.ask(uid, { kind: 'databases', side }, databasesAnswer);
    return databases.map(({ name, schemas }): CatalogDatabase => ({ dbName: name, schemas }));
  },
);
