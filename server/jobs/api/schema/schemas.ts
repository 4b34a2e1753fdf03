import { z } from 'zod';
import { databaseOf } from '../../data-source-address.ts';
import { dataSourcesToShow } from '../../data-sources.ts';
import { readableJobs } from '../../readable-jobs.ts';
import { optionalText } from '../../request-fields.ts';
import type { JobServices } from '../../services.ts';
import { openCall } from '../define-job-call.ts';

/** Every table of every job of an account, with both ends. */
async function carriedTables(services: JobServices, uid: string) {
  const { jobs } = services;
  const sources = new Map((await dataSourcesToShow(services, 'uid = $1', [uid])).map((one) => [one.id, one]));
  const endOf = (id: number) => {
    const source = sources.get(id);
    return {
      DsInstanceId: id,
      DsInstanceName: source?.instance_id ?? '',
      DsType: jobs.cards.find(({ family }) => family === source?.family)?.name ?? '',
      Db: source ? databaseOf(source.settings) : '',
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
    },
    async (wanted, { uid }, services) => {
      const fits = (part: string, name: string) => part === '' || part === name;
      const tables = (await carriedTables(services, uid)).filter(
        ({ table, from, to }) =>
          fits(wanted.srcDb, from.Db) &&
          fits(wanted.srcSchema, table.schema) &&
          fits(wanted.srcTransObj, table.name) &&
          fits(wanted.dstDb, to.Db) &&
          fits(wanted.dstSchema, table.target.schema) &&
          fits(wanted.dstTranObj, table.target.name),
      );
      return tables.map(({ job, table, index, from, to }) => ({
        id: job.id * 10_000 + index,
        ...withPrefix('src', { ...from, Schema: table.schema, TransferObjName: table.name }),
        ...withPrefix('dst', { ...to, Schema: table.target.schema, TransferObjName: table.target.name }),
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
    },
    async ({ transferObjName }, { uid }, services) => {
      const tables = (await carriedTables(services, uid)).filter(({ table }) => table.name === transferObjName);
      return {
        srcTransferObjName: transferObjName,
        targetSchemaObjs: tables.map(({ job, table, from, to }) => ({
          dataJobId: job.id,
          dataJobName: job.name,
          dataJobDesc: job.description,
          srcDsInstanceId: from.DsInstanceName,
          dstDsInstanceId: to.DsInstanceName,
          db: to.Db,
          schema: table.target.schema,
          transferObjName: table.target.name,
        })),
      };
    },
  ),
];

function withPrefix(prefix: string, fields: { Db: string; Schema: string; TransferObjName: string }) {
  const all = Object.entries({
    ...fields,
    FullTransferObjName: [fields.Db, fields.Schema, fields.TransferObjName].filter(Boolean).join('.'),
  });
  return Object.fromEntries(all.map(([name, value]) => [prefix + name, value]));
}
