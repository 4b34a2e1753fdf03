import { z } from 'zod';
import type { JobType } from './jobs.ts';

/**
 * The input of `create`, `precheckbasic`, `precheckdetail` and `plan`. Schemas and mapping are JSON as text:
 * `SchemaNode[]` and `MappingRule[]`.
 */
export interface NewJob {
  /** Id of the only cluster, see cluster/listclusters; 1. */
  clusterId: number;
  srcDsId: number;
  dstDsId: number;
  srcHostType: 'PRIVATE' | 'PUBLIC';
  dstHostType: 'PRIVATE' | 'PUBLIC';
  srcSchema: string;
  /** Only its databases and schemas are read, in the order of `srcSchema`; empty: the same names. */
  dstSchema: string;
  mappingDef: string;
  jobType: JobType;
  /** See constant/listspecs; 0: 256 MB. */
  specId: number;
  structMigration: boolean;
  /** SYNC: whether existing rows are copied. */
  initialSync: boolean;
  /** true: structure changes are ignored. `ddl` takes precedence if given. */
  filterDDL: boolean;
  ddl?: 'safe' | 'ignore' | 'stop';
  srcDsCharset: string;
  tarDsCharset: string;
  dataJobDesc?: string;
  /** Whether it starts once it is created; otherwise `activefsm` or `start` starts it. */
  autoStart?: boolean;
  /** What happens to rows that are in the target before the first chunk. */
  keyConflictStrategy?: 'IGNORE' | 'REPLACE';
  /** SYNC: whether new tables that match a pattern are added; false. */
  addNewTables?: boolean;
  /** Chunks that are copied at the same time, 1 to 16; 4. */
  parallel?: number;
}

/** A source database with its selected content. Families without schemas (SQLite) have `tables` directly. */
export interface SchemaNode {
  db: string;
  schemas?: { schema: string; tables?: TableNode[]; inBlackList?: boolean }[];
  tables?: TableNode[];
  inBlackList?: boolean;
}

/** A source table; a schema without tables means all of them. */
export interface TableNode {
  table: string;
  /** `orders_*`: every table whose name matches; `table` is a label then. */
  tablePattern?: string;
  /** true: it is left out, or everything that matches its pattern is, whatever selects it. */
  inBlackList?: boolean;
  /** Columns that are replicated; if only columns with `inBlackList` are listed, or none, all others are. */
  columns?: { column: string; inBlackList?: boolean }[];
  /** `expression` is SQL of the source: rows that do not match it are not at the target. */
  dataFilter?: { type: 'SQL_WHERE'; expression: string } | null;
}

export type MappingMethod = 'DB_DB' | 'SCHEMA_SCHEMA' | 'TABLE_TABLE' | 'COLUMN_COLUMN';

export interface MappingRule {
  method: MappingMethod;
  /** JSON text of the source's path → JSON text of the target's: `{ value, parent: { value, parent } }`. */
  serializeMapping?: Record<string, string>;
  commonGenRule?: 'MIRROR' | 'TO_LOWER_CASE' | 'TO_UPPER_CASE';
}

export const findingSchema = z
  .object({
    title: z.string().describe('The same as `sentence`.'),
    preCheckType: z.string(),
    success: z.boolean().describe('Not a fault.'),
    checked: z.boolean(),
    side: z.enum(['source', 'target']),
    result: z.enum(['passed', 'warning', 'fault']).describe('`fault` keeps the job from starting, `warning` does not.'),
    sentence: z.string().describe('What was checked and what was found.'),
    sql: z.string().nullable().describe('What a database administrator can run to fix it.'),
    table: z.string().nullable(),
    needsConsent: z
      .boolean()
      .describe('Whether a person must agree to it before the job is created; anyone who calls `create` has agreed.'),
  })
  .meta({ id: 'Finding', description: 'One item that a check examined.' });
export type Finding = z.infer<typeof findingSchema>;

const plannedStatementSchema = z
  .object({
    kind: z.enum([
      'schema',
      'type',
      'table',
      'partition',
      'key',
      'column',
      'index',
      'check',
      'foreign-key',
      'sequence',
    ]),
    phase: z.enum(['before', 'after']).describe('Before the copy, or after the tables have caught up.'),
    table: z.string(),
    sql: z.string(),
    exists: z.boolean().describe('The target already has it: it is not run.'),
    note: z.string().nullable().describe('How well a type or an object matches, if not exactly.'),
  })
  .meta({ id: 'PlannedStatement' });

export const jobPlanSchema = z
  .object({ statements: z.array(plannedStatementSchema) })
  .meta({ id: 'JobPlan', description: 'The statements that would create the structure at the target.' });
export type JobPlan = z.infer<typeof jobPlanSchema>;
