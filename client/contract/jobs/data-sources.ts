import { z } from 'zod';
import { hostTypes, lifeCycles } from './jobs.ts';

export const dataSourceSchema = z
  .object({
    id: z.int(),
    instanceId: z.string().describe('`pg-`, `sl-` and 15 characters.'),
    instanceDesc: z.string(),
    dataSourceType: z.string().describe('Name of the system, e.g. PostgreSQL.'),
    family: z.string().describe('Family of the engine, e.g. postgresql.'),
    deployType: z.string(),
    region: z.string(),
    hostType: z.enum(hostTypes),
    privateHost: z.string().describe('`host:port`; empty if there is none.'),
    publicHost: z.string().describe('`host:port`; empty if there is none.'),
    accountName: z.string(),
    securityType: z.string(),
    version: z.string(),
    consoleJobId: z.int(),
    consoleTaskState: z.literal('SUCCESS'),
    lifeCycleState: z.enum(lifeCycles),
    uid: z.string(),
    owner: z.string(),
    gmtCreated: z.string(),
    settings: z
      .record(z.string(), z.unknown())
      .describe("The family's settings without its secrets; names as in `settings` of a Family."),
    secretsSet: z.array(z.string()).describe('Names of secrets that are stored.'),
    secretsFilled: z.array(z.string()).describe('Those of them that are not empty.'),
    tested: z
      .object({ at: z.int().describe('Epoch milliseconds.'), success: z.boolean(), sentence: z.string() })
      .nullable()
      .describe('The last test; null before the first.'),
    usedBy: z.array(z.string()).describe('Names of jobs that use it; it cannot be deleted while there are any.'),
  })
  .meta({ id: 'DataSource', description: 'A system that jobs read or write; secrets are never returned.' });
export type DataSource = z.infer<typeof dataSourceSchema>;

/** As JSON body, or its text as the part `dataSourceAddData` of a multipart form. */
export interface NewDataSource {
  /** Name of the system or its family. */
  type: string;
  instanceDesc: string;
  /** The family's settings, including secrets; see `Family.settings`. */
  settings: Record<string, unknown>;
}

/** Identifies a data source in calls that connect. */
export interface DataSourceOf {
  clusterId: number;
  dataSourceId: number;
  hostType: 'PRIVATE' | 'PUBLIC';
}

export const familySchema = z
  .object({
    family: z.string(),
    name: z.string().describe("Display name, and the type's name in the open API."),
    source: z.boolean(),
    target: z.boolean(),
    targets: z.array(z.string()).describe('Families that it can be copied to.'),
    settings: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema (2020-12) of the settings, with `title`, `description` and `default`.'),
    secrets: z.array(z.string()).describe('Settings that are encrypted at rest and never sent back.'),
  })
  .meta({ id: 'Family', description: 'A kind of system that jobs can read or write.' });
export type Family = z.infer<typeof familySchema>;

export const catalogDatabaseSchema = z
  .object({ dbName: z.string(), schemas: z.array(z.string()) })
  .meta({ id: 'CatalogDatabase' });
export type CatalogDatabase = z.infer<typeof catalogDatabaseSchema>;

export const catalogTableSchema = z
  .object({
    dbName: z.string(),
    schemaName: z.string(),
    tableName: z.string(),
    hasPk: z.boolean().describe('Without a key it can be copied, but not followed.'),
    indexMeta: z.null(),
    mqTopicPartitions: z.null(),
    rows: z.int().describe('Estimated by the database.'),
    bytes: z.int(),
  })
  .meta({ id: 'CatalogTable' });
export type CatalogTable = z.infer<typeof catalogTableSchema>;

const catalogColumnSchema = z
  .object({
    columnName: z.string(),
    dataType: z.string(),
    dataTypeWithLength: z.string().describe('As in DDL: `numeric(10,2)`.'),
    isNullable: z.boolean(),
    pk: z.boolean(),
    generated: z.boolean().describe('Computed by the database, never written.'),
  })
  .meta({ id: 'CatalogColumn' });
export type CatalogColumn = z.infer<typeof catalogColumnSchema>;

export const catalogColumnsSchema = z
  .object({
    tableMetaDataMap: z
      .record(z.string(), z.record(z.string(), z.array(catalogColumnSchema)))
      .describe('By database (or `database.schema`), then by table.'),
    noPkTableNameList: z.array(z.string()),
  })
  .meta({ id: 'CatalogColumns' });
export type CatalogColumns = z.infer<typeof catalogColumnsSchema>;
