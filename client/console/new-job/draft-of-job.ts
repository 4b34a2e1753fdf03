import type { Job } from '../../contract/jobs/jobs.ts';
import type { MappingRule, SchemaNode, TableNode } from '../../contract/jobs/new-job.ts';
import type { JobDraft } from './draft.ts';
import { leftOutPrefix, onlySchema } from './draft-lines.ts';
import type { MappingPath } from './mapping-path.ts';

/** A draft with the choices of an existing job. */
export function draftFromJob(job: Job): Partial<JobDraft> {
  const nodes: SchemaNode[] = JSON.parse(job.sourceSchema);
  const [node] = nodes.filter(({ inBlackList }) => !inBlackList);
  const all = node ? tableNodes(node) : [];
  const tables = all.filter(({ node: { inBlackList } }) => !inBlackList);
  const leftOut = all.filter((one) => !tables.includes(one));
  const filters = tables.flatMap(({ name, node: { dataFilter } }) =>
    // A line holds one condition.
    dataFilter ? [`${name}: ${dataFilter.expression.replaceAll('\n', ' ')}`] : [],
  );
  const columns = tables.flatMap(({ name, node: { columns: some } }) =>
    some && some.length > 0
      ? [`${name}: ${some.map(({ column, inBlackList }) => `${inBlackList ? leftOutPrefix : ''}${column}`).join(', ')}`]
      : [],
  );
  const rules: MappingRule[] = JSON.parse(job.mappingConfig || '[]');
  const named: SchemaNode[] = JSON.parse(job.targetSchema || '[]');
  return {
    source: String(job.sourceDsVO.id),
    target: String(job.targetDsVO.id),
    sourceDb: node?.db ?? '',
    targetDb: mappedTo(rules, 'DB_DB') || named[0]?.db || job.targetDsVO.database,
    targetSchema: mappedTo(rules, 'SCHEMA_SCHEMA'),
    tables: [...tables.map(({ name }) => name), ...leftOut.map(({ name }) => `${leftOutPrefix}${name}`)].join('\n'),
    columns: columns.join('\n'),
    filters: filters.join('\n'),
    names: namesLike(rules),
    letters: rules.find(({ method }) => method === 'TABLE_TABLE')?.commonGenRule ?? 'MIRROR',
    type: job.dataJobType,
    structure: job.structMigration ? 'yes' : 'no',
    initialLoad: job.initialSync ? 'yes' : 'no',
    ddl: job.ddl,
    conflict: job.keyConflictStrategy,
    addNew: job.addNewTables ? 'yes' : 'no',
  };
}

/** The names in the rules of a request, as lines. */
function namesLike(rules: readonly MappingRule[]): string {
  const lines = rules
    .filter(({ method }) => method === 'TABLE_TABLE' || method === 'COLUMN_COLUMN')
    .flatMap(({ serializeMapping = {} }) => Object.entries(serializeMapping))
    .map(([from, to]) => {
      const names: string[] = [];
      for (let one: MappingPath | undefined = JSON.parse(from); one; one = one.parent) names.unshift(one.value);
      const target: MappingPath = JSON.parse(to);
      return `${names.join('.')} -> ${target.value}`;
    });
  return lines.join('\n');
}

/** The tables of a database that a request names, as lines; a schema without selected tables stands for all of them. */
function tableNodes({ schemas, tables }: SchemaNode): { name: string; node: TableNode }[] {
  const lines = (of: readonly TableNode[], before: string) =>
    [...(of.every(({ inBlackList }) => inBlackList) ? [{ table: '*', tablePattern: '*' }] : []), ...of].map((node) => ({
      name: `${before}${node.tablePattern || node.table}`,
      node,
    }));
  // With the prefix that the list of the source's tables uses.
  if (!schemas) return lines(tables ?? [], `${onlySchema}.`);
  const closed = new Set(schemas.filter(({ inBlackList }) => inBlackList).map(({ schema }) => schema));
  return schemas
    .filter(({ schema }) => !closed.has(schema))
    .flatMap(({ schema, tables: named }) => lines(named ?? [], `${schema}.`));
}

/** The target name that a rule gives; the form has one for all schemas. */
function mappedTo(rules: readonly MappingRule[], method: MappingRule['method']): string {
  const [target = ''] = rules.flatMap((rule) =>
    rule.method === method ? Object.values(rule.serializeMapping ?? {}) : [],
  );
  return target === '' ? '' : String(JSON.parse(target).value);
}
