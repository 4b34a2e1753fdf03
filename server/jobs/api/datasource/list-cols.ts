import { z } from 'zod';
import {
  type CatalogColumn,
  type CatalogColumns,
  catalogColumnsSchema,
} from '../../../../client/contract/jobs/data-sources.ts';
import { catalogAnswer } from '../../answers.ts';
import { optionalText } from '../../request-fields.ts';
import { openCall } from '../define-job-call.ts';
import { askedSide, connectFields, exampleConnect } from './data-source-id.ts';

const body = z.object({
  ...connectFields,
  schemas: z
    .array(z.object({ db: optionalText, schema: optionalText, tables: z.array(z.string()).max(10_000).nullish() }))
    .max(1_000),
});

export const listColumns = openCall(
  'datasource/listcols',
  {
    summary: 'Columns of tables, by database (or `database.schema`) and table.',
    body,
    example: { ...exampleConnect, schemas: [{ db: 'shop', schema: 'public', tables: ['orders'] }] },
    data: catalogColumnsSchema,
    large: true,
  },
  async ({ dataSourceId, schemas }, { uid }, services) => {
    const side = await askedSide(services, uid, dataSourceId);
    const names = schemas.map(({ schema }) => schema).filter(Boolean);
    const catalog = await services.jobs.ask(uid, { kind: 'catalog', side, schemas: names }, catalogAnswer);
    const answer: CatalogColumns = { tableMetaDataMap: {}, noPkTableNameList: [] };
    for (const { db, schema, tables } of schemas) {
      const found = catalog.filter(
        (table) => (schema === '' || table.schema === schema) && (!tables?.length || tables.includes(table.name)),
      );
      const group = [db, schema].filter(Boolean).join('.');
      answer.tableMetaDataMap[group] = Object.fromEntries(
        found.map(({ name, columns, key }) => [
          name,
          columns.map(
            (column, index): CatalogColumn => ({
              columnName: column.name,
              dataType: column.type.replace(/\(.*?\)/, ''),
              dataTypeWithLength: column.type,
              isNullable: column.nullable,
              pk: key.includes(index),
              generated: column.generated,
            }),
          ),
        ]),
      );
      answer.noPkTableNameList.push(...found.filter(({ key }) => key.length === 0).map(({ name }) => name));
    }
    return answer;
  },
);
