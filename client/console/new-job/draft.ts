import type { DataSource } from '../../contract/jobs/data-sources.ts';
import type { Job, JobType } from '../../contract/jobs/jobs.ts';
import type { MappingRule, NewJob, SchemaNode } from '../../contract/jobs/new-job.ts';

/** What is chosen for a job that is not made yet; texts alone, so that it can be kept as a draft. */
export interface JobDraft {
  source: string;
  target: string;
  /** Database at each side; empty where a data source is one. */
  sourceDb: string;
  targetDb: string;
  /** The target's schema; empty: the same names. */
  targetSchema: string;
  /** Lines of `schema.table`, or `table` where there are no schemas. */
  tables: string;
  type: JobType;
  structure: 'yes' | 'no';
  initialLoad: 'yes' | 'no';
  ddl: 'safe' | 'ignore' | 'stop';
  conflict: 'REPLACE' | 'IGNORE';
  name: string;
}

export const emptyDraft: JobDraft = {
  source: '',
  target: '',
  sourceDb: '',
  targetDb: '',
  targetSchema: '',
  tables: '',
  type: 'SYNC',
  structure: 'yes',
  initialLoad: 'yes',
  ddl: 'safe',
  conflict: 'REPLACE',
  name: '',
};

/** The tables of a draft, each once. */
export function tablesOf({ tables }: JobDraft): string[] {
  return [...new Set(tables.split('\n').map((line) => line.trim()))].filter(Boolean);
}

/** The draft as the call takes it; undefined while something is missing. */
export function newJobOf(draft: JobDraft, sources: readonly DataSource[]): NewJob | undefined {
  const source = sources.find(({ id }) => String(id) === draft.source);
  const target = sources.find(({ id }) => String(id) === draft.target);
  const tables = tablesOf(draft);
  if (!source || !target || tables.length === 0) return undefined;
  return {
    clusterId: 1,
    srcDsId: source.id,
    dstDsId: target.id,
    srcHostType: source.hostType,
    dstHostType: target.hostType,
    srcSchema: JSON.stringify([schemaNode(draft.sourceDb, tables)]),
    dstSchema: '',
    mappingDef: JSON.stringify(mappingOf(draft, tables)),
    jobType: draft.type,
    specId: 0,
    structMigration: draft.structure === 'yes' || draft.type === 'STRUCT_MIGRATION',
    initialSync: draft.initialLoad === 'yes',
    filterDDL: draft.ddl === 'ignore',
    ddl: draft.ddl,
    srcDsCharset: 'UTF8',
    tarDsCharset: 'UTF8',
    dataJobDesc: draft.name,
    autoStart: true,
    keyConflictStrategy: draft.conflict,
  };
}

function splitName(name: string): { schema: string; table: string } {
  const at = name.indexOf('.');
  return at === -1 ? { schema: '', table: name } : { schema: name.slice(0, at), table: name.slice(at + 1) };
}

function schemaNode(db: string, names: readonly string[]): SchemaNode {
  const bySchema = Map.groupBy(names.map(splitName), ({ schema }) => schema);
  const alone = bySchema.get('');
  if (alone) return { db, tables: alone.map(({ table }) => ({ table })) };
  return {
    db,
    schemas: [...bySchema].map(([schema, tables]) => ({ schema, tables: tables.map(({ table }) => ({ table })) })),
  };
}

const path = (value: string, parent?: string) =>
  JSON.stringify(parent === undefined ? { value } : { value, parent: { value: parent } });

/** Another database or schema at the target. */
function mappingOf({ sourceDb, targetDb, targetSchema }: JobDraft, names: readonly string[]): MappingRule[] {
  const rules: MappingRule[] = [];
  if (targetDb && targetDb !== sourceDb)
    rules.push({ method: 'DB_DB', serializeMapping: { [path(sourceDb)]: path(targetDb) } });
  const schemas = [...new Set(names.map((name) => splitName(name).schema))].filter(Boolean);
  if (targetSchema && schemas.length > 0)
    rules.push({
      method: 'SCHEMA_SCHEMA',
      serializeMapping: Object.fromEntries(
        schemas.map((schema) => [path(schema, sourceDb), path(targetSchema, targetDb || sourceDb)]),
      ),
    });
  return rules;
}

/** A draft with the choices of a job that there is. */
export function draftLike(job: Job): Partial<JobDraft> {
  const nodes: SchemaNode[] = JSON.parse(job.sourceSchema);
  const tables = nodes.flatMap(({ schemas = [], tables: alone = [] }) => [
    ...alone.map(({ table }) => table),
    ...schemas.flatMap(({ schema, tables: named = [] }) => named.map(({ table }) => `${schema}.${table}`)),
  ]);
  return {
    source: String(job.sourceDsVO.id),
    target: String(job.targetDsVO.id),
    sourceDb: nodes[0]?.db ?? '',
    targetDb: mappedTo(job.mappingConfig, 'DB_DB') || job.targetDsVO.database,
    targetSchema: mappedTo(job.mappingConfig, 'SCHEMA_SCHEMA'),
    tables: tables.join('\n'),
    type: job.dataJobType,
    structure: job.structMigration ? 'yes' : 'no',
    initialLoad: job.initialSync ? 'yes' : 'no',
    ddl: job.ddl,
    conflict: job.keyConflictStrategy,
  };
}

/** The name at the target that a rule gives; the form has one for all schemas. */
function mappedTo(mappingConfig: string, method: MappingRule['method']): string {
  const rules: MappingRule[] = JSON.parse(mappingConfig || '[]');
  const [target = ''] = rules.flatMap((rule) =>
    rule.method === method ? Object.values(rule.serializeMapping ?? {}) : [],
  );
  return target === '' ? '' : String(JSON.parse(target).value);
}
