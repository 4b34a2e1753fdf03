import { z } from 'zod';
import { type CatalogTable, catalogTableSchema } from '../../../../client/contract/jobs/data-sources.ts';
import { catalogAnswer } from '../../answers.ts';
import { optionalText } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';
import { askedSide, connectFields, exampleConnect } from './data-source-id.ts';

const body = z.object({ ...connectFields, dbName: optionalText, schema: optionalText });

export const listTables = openCall(
  'datasource/listtables',
  {
    summary: 'Tables of a schema, or of all, with their size and whether they have a key.',
    body,
    example: { ...exampleConnect, dbName: 'shop', schema: 'public' },
    data: z.array(catalogTableSchema),
  },
  async ({ dataSourceId, dbName, schema }, { uid }, services) => {
    const side = await askedSide(services, uid, dataSourceId);
    const schemas = schema === '' ? [] : [schema];
    const tables = await services.jobs.ask(uid, { kind: 'catalog', side, schemas }, catalogAnswer);
    return tables.map(
      ({ schema: schemaName, name, key, size }): CatalogTable => ({
        dbName,
        schemaName,
        tableName: name,
        hasPk: key.length > 0,
        indexMeta: null,
        mqTopicPartitions: null,
        rows: Math.round(size.rows),
        bytes: Math.round(size.bytes),
      }),
    );
  },
);
