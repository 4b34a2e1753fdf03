import type { DataSource } from '../../contract/jobs/data-sources.ts';
import type { Job, JobType } from '../../contract/jobs/jobs.ts';
import type { MappingRule, NewJob, SchemaNode, TableNode } from '../../contract/jobs/new-job.ts';
import { fitsPattern } from '../../contract/jobs/table-pattern.ts';
import { dataSourceName } from '../jobs/words.ts';

type Letters = NonNullable<MappingRule['commonGenRule']>;

/** The choices for a job that does not exist yet; text only, so it can be kept as a draft. */
export interface JobDraft {
  source: string;
  target: string;
  /** Database on each side; empty if the data source is itself a database. */
  sourceDb: string;
  targetDb: string;
  /** The target's schema; empty: same names as at the source. */
  targetSchema: string;
  /**
   * Lines of `schema.table`, or `table` without schemas; an asterisk stands for any characters of the table name.
   * A line that starts with an exclamation mark leaves out what it names.
   */
  tables: string;
  /** Lines of `schema.table: column, column`; a column that starts with an exclamation mark is left out. */
  columns: string;
  /** Lines of `schema.table: condition`. */
  filters: string;
  /** Lines of `schema.table -> name` and `schema.table.column -> name`. */
  names: string;
  /** The letter case of all other names at the target. */
  letters: Letters;
  /** Whether new tables that match a pattern are added later. */
  addNew: 'yes' | 'no';
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
  columns: '',
  filters: '',
  names: '',
  letters: 'MIRROR',
  addNew: 'no',
  type: 'SYNC',
  structure: 'yes',
  initialLoad: 'yes',
  ddl: 'safe',
  conflict: 'REPLACE',
  name: '',
};

/** A draft from its kept form; a choice that this version does not offer falls back to that of a new job. */
export function draftOf(kept: Record<string, string>): JobDraft {
  const chosen = <Name extends keyof JobDraft>(name: Name, offered: readonly JobDraft[Name][]) =>
    offered.find((one) => one === kept[name]) ?? emptyDraft[name];
  const { source, target, sourceDb, targetDb, targetSchema, tables, columns, filters, names, name } = {
    ...emptyDraft,
    ...kept,
  };
  return {
    ...{ source, target, sourceDb, targetDb, targetSchema, tables, columns, filters, names, name },
    letters: chosen('letters', ['MIRROR', 'TO_LOWER_CASE', 'TO_UPPER_CASE']),
    addNew: chosen('addNew', ['yes', 'no']),
    type: chosen('type', ['SYNC', 'MIGRATION', 'STRUCT_MIGRATION']),
    structure: chosen('structure', ['yes', 'no']),
    initialLoad: chosen('initialLoad', ['yes', 'no']),
    ddl: chosen('ddl', ['safe', 'ignore', 'stop']),
    conflict: chosen('conflict', ['REPLACE', 'IGNORE']),
  };
}

/** Prefix of what is left out. */
const out = '!';
const isOut = (text: string) => text.startsWith(out);
const nameOf = (text: string) => (isOut(text) ? text.slice(out.length).trim() : text);
const partsOf = (text: string, separator: string) => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

/** Schema name that lists show for a system without schemas. */
const onlySchema = 'main';

/** The tables of a draft, without duplicates. */
export function tablesOf({ tables }: JobDraft): string[] {
  return partsOf(tables, '\n').filter((line) => !isOut(line));
}

/** A draft's table lines with another selection; tables that are left out stay so. */
export function withTables({ tables }: JobDraft, chosen: readonly string[]): string {
  return [...chosen, ...partsOf(tables, '\n').filter(isOut)].join('\n');
}

/** Whether a table line is a pattern. */
export function isPattern(name: string): boolean {
  return name.includes('*');
}

/** For a table that no line names: whether a pattern of the draft takes it or leaves it out. */
export function unnamedIn(draft: JobDraft): (name: string) => 'taken' | 'left out' | undefined {
  const tables = new Set(tablesOf(draft));
  const patterns = [...tables].filter(isPattern).map(splitName);
  const leftOut = partsOf(draft.tables, '\n').filter(isOut).map(nameOf).map(splitName);
  return (name) => {
    const { schema, table } = splitName(name);
    const fits = (one: { schema: string; table: string }) => one.schema === schema && fitsPattern(one.table, table);
    if (leftOut.some(fits)) return 'left out';
    return !tables.has(name) && patterns.some(fits) ? 'taken' : undefined;
  };
}

/** The name of a table, or of one of its columns, at the target. */
interface NewName {
  table: string;
  column: string | null;
  to: string;
}

/** The names of a draft; those without a selected table are `stray`. */
export function newNamesOf(draft: JobDraft): { names: NewName[]; stray: string[] } {
  const tables = new Set(tablesOf(draft));
  const names: NewName[] = [];
  const stray: string[] = [];
  for (const line of draft.names.split('\n').filter((one) => one.trim() !== '')) {
    const [from = '', to = ''] = line.split('->').map((part) => part.trim());
    const at = from.lastIndexOf('.');
    if (to !== '' && tables.has(from)) names.push({ table: from, column: null, to });
    else if (to !== '' && tables.has(from.slice(0, Math.max(0, at))))
      names.push({ table: from.slice(0, at), column: from.slice(at + 1), to });
    else stray.push(from);
  }
  return { names, stray };
}

/** A line of `schema.table: …`; without a colon it says nothing. */
interface TableLine {
  line: string;
  table: string;
  says: string | undefined;
}

function linesOf(lines: string): TableLine[] {
  return partsOf(lines, '\n').map((line) => {
    const [table = '', ...rest] = line.split(':');
    return { line, table: table.trim(), says: rest.length === 0 ? undefined : rest.join(':').trim() };
  });
}

/** What lines of `schema.table: …` say, by table name. */
function byTable(lines: string): Map<string, string> {
  return new Map(
    linesOf(lines).flatMap(({ table, says }): [string, string][] => (says === undefined ? [] : [[table, says]])),
  );
}

/** What is wrong with lines of `schema.table: …`: each must be about one selected table, with one line per table. */
export function faultOfLines(draft: JobDraft, lines: string): string | undefined {
  const tables = new Set(tablesOf(draft));
  const read = linesOf(lines);
  for (const { line, table, says } of read) {
    if (says === undefined) return `“${line}” has no colon after its table.`;
    if (!tables.has(table)) return `${table} is not one of the selected tables.`;
    if (says === '') return `Nothing follows the colon after ${table}.`;
  }
  return namedTwice(read.map(({ table }) => table));
}

/** What is wrong with the lines of new names. */
export function faultOfNames(draft: JobDraft): string | undefined {
  const { names, stray } = newNamesOf(draft);
  if (stray[0] !== undefined)
    return `${stray[0]} is neither a selected table nor a column of one, or its new name is missing.`;
  return namedTwice(names.map(({ table, column }) => (column === null ? table : `${table}.${column}`)));
}

function namedTwice(names: readonly string[]): string | undefined {
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  return twice && `${twice} has two lines.`;
}

/** What keeps a draft from becoming a job: skipping a faulty line would carry unwanted rows or columns. */
export function faultOfDraft(draft: JobDraft): string | undefined {
  return faultOfLines(draft, draft.columns) ?? faultOfLines(draft, draft.filters) ?? faultOfNames(draft);
}

/** The data source that a draft names as one of its sides. */
export const chosenOf = (sources: readonly DataSource[], chosen: string) =>
  sources.find(({ id }) => String(id) === chosen);

/** The name of a job that was given none, made from its sides; empty while one is missing. */
export function nameFor(draft: JobDraft, sources: readonly DataSource[]): string {
  const source = chosenOf(sources, draft.source);
  const target = chosenOf(sources, draft.target);
  return source && target ? `${dataSourceName(source)} to ${dataSourceName(target)}` : '';
}

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

function splitName(name: string): { schema: string; table: string } {
  const at = name.indexOf('.');
  return at === -1 ? { schema: '', table: name } : { schema: name.slice(0, at), table: name.slice(at + 1) };
}

function schemaNode(draft: JobDraft, names: readonly string[]): SchemaNode {
  const db = draft.sourceDb;
  const filters = byTable(draft.filters);
  const columns = byTable(draft.columns);
  const leftOut = partsOf(draft.tables, '\n').filter(isOut).map(nameOf);
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
      columns: wanted.map((column) => ({ column: nameOf(column), ...(isOut(column) && { inBlackList: true }) })),
    }),
    ...(filter && { dataFilter: { type: 'SQL_WHERE', expression: filter } }),
  };
}

interface Path {
  value: string;
  parent?: Path;
}

/** @param names from the object up to its database */
function path(...names: string[]): string {
  const nested = names.reduceRight<Path | undefined>(
    (parent, value) => (parent ? { value, parent } : { value }),
    undefined,
  );
  return JSON.stringify(nested);
}

/** The mapping rules for names that differ at the target. */
function mappingOf(draft: JobDraft, names: readonly string[]): MappingRule[] {
  const { sourceDb, targetDb, targetSchema, letters } = draft;
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
  else if (letters !== 'MIRROR' && schemas.length > 0) rules.push({ method: 'SCHEMA_SCHEMA', commonGenRule: letters });
  const renamed = newNamesOf(draft).names;
  for (const method of ['TABLE_TABLE', 'COLUMN_COLUMN'] as const) {
    const own = renamed.filter(({ column }) => (column === null) === (method === 'TABLE_TABLE'));
    if (own.length === 0 && letters === 'MIRROR') continue;
    const serializeMapping = Object.fromEntries(
      own.map(({ table, column, to }) => {
        const { schema, table: name } = splitName(table);
        return [path(...[column ?? '', name, schema].filter(Boolean)), path(to)];
      }),
    );
    rules.push({ method, serializeMapping, commonGenRule: letters });
  }
  return rules;
}

/** The names in the rules that `mappingOf` wrote, as lines. */
function namesLike(rules: readonly MappingRule[]): string {
  const lines = rules
    .filter(({ method }) => method === 'TABLE_TABLE' || method === 'COLUMN_COLUMN')
    .flatMap(({ serializeMapping = {} }) => Object.entries(serializeMapping))
    .map(([from, to]) => {
      const names: string[] = [];
      for (let one: Path | undefined = JSON.parse(from); one; one = one.parent) names.unshift(one.value);
      const target: Path = JSON.parse(to);
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

/** A draft with the choices of an existing job. */
export function draftLike(job: Job): Partial<JobDraft> {
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
      ? [`${name}: ${some.map(({ column, inBlackList }) => `${inBlackList ? out : ''}${column}`).join(', ')}`]
      : [],
  );
  const rules: MappingRule[] = JSON.parse(job.mappingConfig || '[]');
  return {
    source: String(job.sourceDsVO.id),
    target: String(job.targetDsVO.id),
    sourceDb: node?.db ?? '',
    targetDb: mappedTo(rules, 'DB_DB') || job.targetDsVO.database,
    targetSchema: mappedTo(rules, 'SCHEMA_SCHEMA'),
    tables: [...tables.map(({ name }) => name), ...leftOut.map(({ name }) => `${out}${name}`)].join('\n'),
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

/** The target name that a rule gives; the form has one for all schemas. */
function mappedTo(rules: readonly MappingRule[], method: MappingRule['method']): string {
  const [target = ''] = rules.flatMap((rule) =>
    rule.method === method ? Object.values(rule.serializeMapping ?? {}) : [],
  );
  return target === '' ? '' : String(JSON.parse(target).value);
}
