import type { JobType } from './jobs.ts';

/**
 * What `create`, `precheckbasic`, `precheckdetail` and `plan` take. Schemas and mapping are JSON as text: `SchemaNode[]`
 * and `MappingRule[]`.
 */
export interface NewJob {
  /** Id of the only cluster, see cluster/listclusters; 1. */
  clusterId: number;
  srcDsId: number;
  dstDsId: number;
  srcHostType: 'PRIVATE' | 'PUBLIC';
  dstHostType: 'PRIVATE' | 'PUBLIC';
  srcSchema: string;
  /** Only databases and schemas are read of it, in the order of `srcSchema`; empty: the same names. */
  dstSchema: string;
  mappingDef: string;
  jobType: JobType;
  /** See constant/listspecs; 0: 256 MB. */
  specId: number;
  structMigration: boolean;
  /** SYNC: whether the rows that exist are copied. */
  initialSync: boolean;
  /** true: changes of structure are ignored. `ddl` wins where it is given. */
  filterDDL: boolean;
  ddl?: 'safe' | 'ignore' | 'stop';
  srcDsCharset: string;
  tarDsCharset: string;
  dataJobDesc?: string;
  /** Whether it starts once it is made; otherwise `activefsm` or `start` does. */
  autoStart?: boolean;
  /** Rows that are in the target before the first chunk. */
  keyConflictStrategy?: 'IGNORE' | 'REPLACE';
  /** SYNC: whether tables that come later and fit a pattern are added; false. */
  addNewTables?: boolean;
  /** Chunks that are copied at the same time, 1 to 16; 4. */
  parallel?: number;
}

/** A database of the source with what is selected in it. Families without schemas (SQLite) have `tables` at once. */
export interface SchemaNode {
  db: string;
  schemas?: { schema: string; tables?: TableNode[]; inBlackList?: boolean }[];
  tables?: TableNode[];
  inBlackList?: boolean;
}

/** A table of the source; a schema without tables means all of them. */
export interface TableNode {
  table: string;
  /** `orders_*`: every table whose name fits; `table` is a label then. */
  tablePattern?: string;
  /** true: it is left out, or all that fit its pattern are, whatever selects them. */
  inBlackList?: boolean;
  /** Columns that are carried; all where none is named but those with `inBlackList`, which are left out. */
  columns?: { column: string; inBlackList?: boolean }[];
  /** `expression` is SQL of the source: rows that do not meet it are not at the target. */
  dataFilter?: { type: 'SQL_WHERE'; expression: string } | null;
}

export type MappingMethod = 'DB_DB' | 'SCHEMA_SCHEMA' | 'TABLE_TABLE' | 'COLUMN_COLUMN';

export interface MappingRule {
  method: MappingMethod;
  /** JSON text of the source's path → JSON text of the target's: `{ value, parent: { value, parent } }`. */
  serializeMapping?: Record<string, string>;
  commonGenRule?: 'MIRROR' | 'TO_LOWER_CASE' | 'TO_UPPER_CASE';
}

/** One thing that a check looked at. */
export interface Finding {
  /** Words of the open API for `sentence` and `preCheckType`. */
  title: string;
  preCheckType: string;
  /** Not a fault. */
  success: boolean;
  checked: boolean;
  side: 'source' | 'target';
  /** `fault` keeps the job from starting, `warning` does not. */
  result: 'passed' | 'warning' | 'fault';
  /** What was looked at and what was found. */
  sentence: string;
  /** What a database administrator can run against it. */
  sql: string | null;
  table: string | null;
  /** Whether a person has to agree to it before the job is made; whoever calls `create` has agreed. */
  needsConsent: boolean;
}

/** The statements that would make the structure at the target. */
export interface JobPlan {
  statements: PlannedStatement[];
}

export interface PlannedStatement {
  kind: 'schema' | 'type' | 'table' | 'partition' | 'key' | 'column' | 'index' | 'check' | 'foreign-key' | 'sequence';
  /** Before the copy, or after the tables have caught up. */
  phase: 'before' | 'after';
  table: string;
  sql: string;
  /** The target already has it: it is not run. */
  exists: boolean;
  /** How a type or an object fits, where it is not exact. */
  note: string | null;
}
