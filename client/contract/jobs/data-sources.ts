import type { LifeCycle } from './jobs.ts';

/** A system that jobs read or write; secrets are never returned. */
export interface DataSource {
  id: number;
  /** `pg-`, `sl-` and 15 characters. */
  instanceId: string;
  instanceDesc: string;
  /** Name of the system, e.g. PostgreSQL. */
  dataSourceType: string;
  /** Family of the engine, e.g. postgresql. */
  family: string;
  deployType: string;
  region: string;
  hostType: 'PRIVATE' | 'PUBLIC';
  /** `host:port`; empty if there is none. */
  privateHost: string;
  publicHost: string;
  accountName: string;
  securityType: string;
  version: string;
  consoleJobId: number;
  consoleTaskState: 'SUCCESS';
  lifeCycleState: LifeCycle;
  uid: string;
  owner: string;
  gmtCreated: string;
  /** The family's settings without its secrets; names as in `Family.settings`. */
  settings: Record<string, unknown>;
  /** Names of secrets that are stored. */
  secretsSet: string[];
  /** Those of them that are not empty. */
  secretsFilled: string[];
  /** The last test; null before the first. */
  tested: { at: number; success: boolean; sentence: string } | null;
  /** Names of jobs that use it; it cannot be deleted while there are any. */
  usedBy: string[];
}

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

/** A kind of system that jobs can read or write. */
export interface Family {
  family: string;
  /** Display name, and the type's name in the open API. */
  name: string;
  source: boolean;
  target: boolean;
  /** Families that it can be copied to. */
  targets: string[];
  /** JSON Schema (2020-12) of the settings, with `title`, `description` and `default`. */
  settings: Record<string, unknown>;
  /** Settings that are encrypted at rest and never sent back. */
  secrets: string[];
}

export interface CatalogDatabase {
  dbName: string;
  schemas: string[];
}

export interface CatalogTable {
  dbName: string;
  schemaName: string;
  tableName: string;
  /** Without a key it can be copied, but not followed. */
  hasPk: boolean;
  indexMeta: null;
  mqTopicPartitions: null;
  /** Estimated by the database. */
  rows: number;
  bytes: number;
}

/** By database (or `database.schema`), then by table. */
export interface CatalogColumns {
  tableMetaDataMap: Record<string, Record<string, CatalogColumn[]>>;
  noPkTableNameList: string[];
}

export interface CatalogColumn {
  columnName: string;
  dataType: string;
  /** As in DDL: `numeric(10,2)`. */
  dataTypeWithLength: string;
  isNullable: boolean;
  pk: boolean;
  /** Computed by the database, never written. */
  generated: boolean;
}
