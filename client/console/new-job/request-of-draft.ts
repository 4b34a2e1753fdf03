import type { DataSource } from '../../contract/jobs/data-sources.ts';
import type { MappingRule, NewJob, SchemaNode, TableNode } from '../../contract/jobs/new-job.ts';
import type { JobDraft } from './draft.ts';
import { faultOfDraft } from './draft-faults.ts';
import {
  byTable,
  isLeftOut,
  isPattern,
  newNamesOf,
  onlySchema,
  partsOf,
  splitName,
  tablesOf,
  withoutPrefix,
} from './draft-lines.ts';
import { mappingPath } from './mapping-path.ts';
import { chosenOf, nameFor } from './sides-of-draft.ts';

/** The draft as the call's request; undefined while something is missing or wrong. */
export function newJobOf(draft: JobDraft, sources: readonly DataSource[]): NewJob | undefined {
  const source = chosenOf(sources, draft.source);
  const target = chosenOf(sources, draft.target);
  const tables = tablesOf(draft);
  if (!source || !target || tables.length === 0 || faultOfDraft(draft) !== undefined) return undefined;
  return {
    clusterId: 1,
    srcDsId: source.id,
    dstDsId: target.id,
    srcHostType: source.hostType,
    dstHostType: target.hostType,
    srcSchema: JSON.stringify([schemaNode(draft, tables)]),
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
    dataJobDesc: draft.name.trim() || nameFor(draft, sources),
    autoStart: true,
    keyConflictStrategy: draft.conflict,
    addNewTables: draft.type === 'SYNC' && draft.addNew === 'yes' && tables.some(isPattern),
  };
}

function schemaNode(draft: JobDraft, names: readonly string[]): SchemaNode {
  const db = draft.sourceDb;
  const filters = byTable(draft.filters);
  const columns = byTable(draft.columns);
  const leftOut = partsOf(draft.tables, '\n').filter(isLeftOut).map(withoutPrefix);
  const bySchema = Map.groupBy(names, (name) => splitName(name).schema);
  const nodes = (schema: string, of: readonly string[]) => [
    ...of.map((name) => tableNode(splitName(name).table, filters.get(name), columns.get(name))),
    ...leftOut
      .filter((name) => splitName(name).schema === schema)
      .map((name) => ({ ...tableNode(splitName(name).table), inBlackList: true })),
  ];
  const alone = bySchema.get('');
  if (alone && bySchema.size === 1) return { db, tables: nodes('', alone) };
  return {
    db,
    schemas: [...bySchema].map(([schema, tables]) => ({ schema: schema || onlySchema, tables: nodes(schema, tables) })),
  };
}

function tableNode(table: string, filter?: string, columns = ''): TableNode {
  const wanted = partsOf(columns, ',');
  return {
    table,
    ...(isPattern(table) && { tablePattern: table }),
    ...(wanted.length > 0 && {
      columns: wanted.map((column) => ({
        column: withoutPrefix(column),
        ...(isLeftOut(column) && { inBlackList: true }),
      })),
    }),
    ...(filter && { dataFilter: { type: 'SQL_WHERE', expression: filter } }),
  };
}

/** The mapping rules for names that differ at the target. */
function mappingOf(draft: JobDraft, names: readonly string[]): MappingRule[] {
  const { sourceDb, targetDb, targetSchema, letters } = draft;
  const rules: MappingRule[] = [];
  if (targetDb) rules.push({ method: 'DB_DB', serializeMapping: { [mappingPath(sourceDb)]: mappingPath(targetDb) } });
  const schemas = [...new Set(names.map((name) => splitName(name).schema))].filter(Boolean);
  if (targetSchema && schemas.length > 0)
    rules.push({
      method: 'SCHEMA_SCHEMA',
      serializeMapping: Object.fromEntries(
        schemas.map((schema) => [mappingPath(schema, sourceDb), mappingPath(targetSchema, targetDb || sourceDb)]),
      ),
    });
  else if (letters !== 'MIRROR' && schemas.length > 0) rules.push({ method: 'SCHEMA_SCHEMA', commonGenRule: letters });
  const renamed = newNamesOf(draft).names;
  for (const method of ['TABLE_TABLE', 'COLUMN_COLUMN'] as const) {
    const own = renamed.filter(({ column }) => (column === null) === (method === 'TABLE_TABLE'));
    if (own.length === 0 && letters === 'MIRROR') continue;
    const serializeMapping = Object.fromEntries(
      own.map(({ table, column, to }) => {
        const { schema, table: name } = splitName(table);
        return [mappingPath(...[column ?? '', name, schema].filter(Boolean)), mappingPath(to)];
      }),
    );
    rules.push({ method, serializeMapping, commonGenRule: letters });
  }
  return rules;
}
