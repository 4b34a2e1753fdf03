import { z } from 'zod';
import { databaseOf } from '../../data-source-address.ts';
import { dataSourcesToShow } from '../../data-sources.ts';
import { readableJobs } from '../../readable-jobs.ts';
import { optionalText } from '../../request-fields.ts';
import type { JobServices } from '../../services.ts';
import { openCall } from '../define-job-call.ts';

const carriedTable = z
  .object({
    id: z.int(),
    srcDsInstanceId: z.int(),
    srcDsInstanceName: z.string(),
    srcDsType: z.string(),
    srcDb: z.string(),
    srcSchema: z.string(),
    srcTransferObjName: z.string(),
    srcFullTransferObjName: z.string(),
    dstDsInstanceId: z.int(),
    dstDsInstanceName: z.string(),
    dstDsType: z.string(),
    dstDb: z.string(),
    dstSchema: z.string(),
    dstTransferObjName: z.string(),
    dstFullTransferObjName: z.string(),
    filterExpr: z.string().nullable(),
    specifiedPks: z.string(),
    dataJobId: z.int(),
    dataJobName: z.string(),
    dataJobDesc: z.string(),
  })
  .meta({ id: 'CarriedTable' });

const targetsOfTable = z
  .object({
    srcTransferObjName: z.string(),
    targetSchemaObjs: z.array(
      z.object({
        dataJobId: z.int(),
        dataJobName: z.string(),
        dataJobDesc: z.string(),
        srcDsInstanceId: z.string(),
        dstDsInstanceId: z.string(),
        db: z.string(),
        schema: z.string(),
        transferObjName: z.string(),
      }),
    ),
  })
  .meta({ id: 'TargetsOfTable' });

/** Every table of every job of an account, with both ends. */
async function carriedTables(services: JobServices, uid: string) {
  const { jobs } = services;
  const sources = new Map((await dataSourcesToShow(services, 'uid = $1', [uid])).map((one) => [one.id, one]));
  const endOf = (id: number) => {
    const source = sources.get(id);
    return {
      id,
      name: source?.instance_id ?? '',
      type: jobs.cards.find(({ family }) => family === source?.family)?.name ?? '',
      database: source ? databaseOf(source.settings) : '',
    };
  };
  return (await readableJobs(services, 'uid = $1', [uid])).flatMap((job) =>
    (job.tables ?? []).map((table, index) => ({
      job,
      table,
      index,
      from: endOf(job.source_id),
      to: endOf(job.target_id),
    })),
  );
}

export const schemaCalls = [
  openCall(
    'schema/listTransObjsByMeta',
    {
      summary: 'Tables that jobs carry, found by their names on either side.',
      body: z.object({
        srcDb: optionalText,
        srcSchema: optionalText,
        srcTransObj: optionalText,
        dstDb: optionalText,
        dstSchema: optionalText,
        dstTranObj: optionalText,
      }),
      data: z.array(carriedTable),
    },
    async (wanted, { uid }, services) => {
      const fits = (part: string, name: string) => part === '' || part === name;
      const tables = (await carriedTables(services, uid)).filter(
        ({ table, from, to }) =>
          fits(wanted.srcDb, from.database) &&
          fits(wanted.srcSchema, table.schema) &&
          fits(wanted.srcTransObj, table.name) &&
          fits(wanted.dstDb, to.database) &&
          fits(wanted.dstSchema, table.target.schema) &&
          fits(wanted.dstTranObj, table.target.name),
      );
      return tables.map(({ job, table, index, from, to }) => ({
        id: job.id * 10_000 + index,
        srcDsInstanceId: from.id,
        srcDsInstanceName: from.name,
        srcDsType: from.type,
        srcDb: from.database,
        srcSchema: table.schema,
        srcTransferObjName: table.name,
        srcFullTransferObjName: fullName(from.database, table),
        dstDsInstanceId: to.id,
        dstDsInstanceName: to.name,
        dstDsType: to.type,
        dstDb: to.database,
        dstSchema: table.target.schema,
        dstTransferObjName: table.target.name,
        dstFullTransferObjName: fullName(to.database, table.target),
        filterExpr: table.filter,
        specifiedPks: '',
        dataJobId: job.id,
        dataJobName: job.name,
        dataJobDesc: job.description,
      }));
    },
  ),
  openCall(
    'schema/querybytransferobjname',
    {
      summary: 'Where a source table goes.',
      body: z.object({ transferObjName: z.string() }),
      example: { transferObjName: 'orders' },
      data: targetsOfTable,
    },
    async ({ transferObjName }, { uid }, services) => {
      const tables = (await carriedTables(services, uid)).filter(({ table }) => table.name === transferObjName);
      return {
        srcTransferObjName: transferObjName,
        targetSchemaObjs: tables.map(({ job, table, from, to }) => ({
          dataJobId: job.id,
          dataJobName: job.name,
          dataJobDesc: job.description,
          srcDsInstanceId: from.name,
          dstDsInstanceId: to.name,
          db: to.database,
          schema: table.target.schema,
          transferObjName: table.target.name,
        })),
      };
    },
  ),
];

function fullName(database: string, { schema, name }: { schema: string; name: string }): string {
  return [database, schema, name].filter(Boolean).join('.');
}
