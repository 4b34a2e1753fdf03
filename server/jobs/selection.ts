import { z } from 'zod';
import { fitsPattern } from '../../client/contract/jobs/table-pattern.ts';
import type { TableSelection } from '../engine/job.ts';
import { tableName } from '../engine/table.ts';
import { JobError } from './errors.ts';
import type { NewJob, TableNode } from './new-job.ts';

/** What is selected in one source schema; without tables, all of them. */
interface SelectedSchema {
  schema: string;
  tables: readonly TableNode[];
  /** What is left out, whatever selects it. */
  leftOut: readonly TableNode[];
}

export interface Selection {
  /** Empty if the family has no databases. */
  sourceDatabase: string;
  targetDatabase: string;
  /** Whether the request names the target's database; otherwise it is called like the source's. */
  namesTarget: boolean;
  schemas: SelectedSchema[];
}

/** The only schema of systems without schemas. */
const onlySchema = 'main';

interface Path {
  value: string;
  parent?: Path | null | undefined;
}
const pathSchema: z.ZodType<Path> = z.lazy(() => z.object({ value: z.string(), parent: pathSchema.nullish() }));

/** Names of a path from the object up to its database. @throws JobError BAD_VALUE */
function namesOf(text: string): string[] {
  const parsed = pathSchema.safeParse(safeJson(text));
  if (!parsed.success)
    throw new JobError('BAD_VALUE', 'A name in the mapping is not JSON of the form {value, parent}.');
  const names: string[] = [];
  for (let path: Path | null | undefined = parsed.data; path; path = path.parent) names.push(path.value);
  return names;
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const generated = {
  MIRROR: (name: string) => name,
  TO_LOWER_CASE: (name: string) => name.toLowerCase(),
  TO_UPPER_CASE: (name: string) => name.toUpperCase(),
};
type Rule = keyof typeof generated;
const letters = { MIRROR: undefined, TO_LOWER_CASE: 'lower', TO_UPPER_CASE: 'upper' } as const;

/** A new name that a mapping gives; both paths from the object upwards. */
interface Renaming {
  method: string;
  from: string[];
  to: string[];
}

/** How target names are derived from source names. */
export class Mapping {
  readonly #renamings = new Map<string, Renaming>();
  /** By the name of their table, since a job may have thousands of both; those that name none apply to every table. */
  readonly #columns: ReadonlyMap<string | undefined, Renaming[]>;
  readonly #rules = new Map<string, Rule>();

  /** @throws JobError BAD_VALUE for a method or a rule that is not offered */
  constructor(rules: NewJob['mappingDef']) {
    for (const { method, serializeMapping, commonGenRule } of rules) {
      if (!['DB_DB', 'SCHEMA_SCHEMA', 'TABLE_TABLE', 'COLUMN_COLUMN'].includes(method)) {
        throw new JobError('BAD_VALUE', `The mapping ${method} is not offered between systems of one family.`);
      }
      const rule = commonGenRule || 'MIRROR';
      if (!isRule(rule)) throw new JobError('BAD_VALUE', `The rule ${rule} is not offered here.`);
      this.#rules.set(method, rule);
      for (const [source, target] of Object.entries(serializeMapping ?? {})) {
        const [from, to] = [namesOf(source), namesOf(target)];
        this.#renamings.set(keyOf(method, from), { method, from, to });
      }
    }
    const columns = [...this.#renamings.values()].filter(({ method }) => method === 'COLUMN_COLUMN');
    this.#columns = Map.groupBy(columns, ({ from: [, table] }) => table);
  }

  /** Target names from the object upwards. @param names the source names */
  of(method: string, names: readonly string[]): string[] {
    // A mapping may leave out the uppermost levels.
    for (let levels = names.length; levels > 0; levels -= 1) {
      const found = this.#renamings.get(keyOf(method, names.slice(0, levels)));
      if (found) return found.to;
    }
    const [name = ''] = names;
    return [generated[this.#rules.get(method) ?? 'MIRROR'](name)];
  }

  /** Columns of a table that have a different name at the target. @param table its names from the table upwards */
  columnsOf(table: readonly string[]): Record<string, string> {
    const found = [undefined, table[0]]
      .flatMap((name) => this.#columns.get(name) ?? [])
      .filter(({ from: [, ...path] }) => isPathOf(path, table));
    // The one that names more levels takes precedence.
    const ordered = found.toSorted((one, other) => one.from.length - other.from.length);
    return Object.fromEntries(ordered.map(({ from: [column = ''], to: [name = ''] }) => [column, name]));
  }

  /** Source names that a method's entries give a new one, each from the object upwards. */
  entriesOf(method: string): string[][] {
    return [...this.#renamings.values()].filter((one) => one.method === method).map(({ from }) => from);
  }

  /** The case of the other columns. */
  get letters(): TableSelection['letters'] {
    return letters[this.#rules.get('COLUMN_COLUMN') ?? 'MIRROR'];
  }
}

const keyOf = (method: string, names: readonly string[]) => JSON.stringify([method, ...names]);

/** Whether an entry's path is that of an object; it may leave out the uppermost levels. */
export function isPathOf(path: readonly string[], object: readonly string[]): boolean {
  return path.every((name, level) => name === object[level]);
}

function isRule(text: string): text is Rule {
  return Object.hasOwn(generated, text);
}

/** What a request selects, without asking the source. @throws JobError BAD_VALUE */
export function readSelection(request: NewJob): Selection {
  const [node, more] = request.srcSchema.filter(({ inBlackList }) => !inBlackList);
  if (!node || more) throw new JobError('BAD_VALUE', 'A job carries tables of one database: create one job for each.');
  const mapping = new Mapping(request.mappingDef);
  const closed = new Set(node.schemas?.filter(({ inBlackList }) => inBlackList).map(({ schema }) => schema));
  const schemas = node.schemas
    ? node.schemas.filter(({ schema }) => !closed.has(schema))
    : [{ schema: onlySchema, tables: node.tables }];
  const named = mapping.of('DB_DB', [node.db])[0] ?? '';
  return {
    sourceDatabase: node.db,
    targetDatabase: named === node.db ? (request.dstSchema[0]?.db ?? named) : named,
    namesTarget: request.dstSchema.length > 0 || request.mappingDef.some(({ method }) => method === 'DB_DB'),
    schemas: schemas.map(({ schema, tables }) => ({
      schema,
      tables: (tables ?? []).filter(({ inBlackList }) => !inBlackList),
      leftOut: (tables ?? []).filter(({ inBlackList }) => inBlackList),
    })),
  };
}

const allActions = ['INSERT', 'UPDATE', 'DELETE'];

/** @throws JobError BAD_VALUE for a table of which only some kinds of changes are wanted */
export function requireAllActions({ srcSchema }: NewJob): void {
  const tables = srcSchema.flatMap(({ schemas, tables: alone }) => [
    ...(alone ?? []),
    ...(schemas ?? []).flatMap((schema) => schema.tables ?? []),
  ]);
  const some = tables.find(
    ({ actions, blackActs }) =>
      (blackActs ?? []).length > 0 || (actions && allActions.some((action) => !actions.includes(action))),
  );
  if (!some) return;
  throw new JobError(
    'BAD_VALUE',
    `A job carries inserts, updates and deletes, and leaves none of them out: give the table ${some.table} no actions, or all of ${allActions.join(', ')}, and no blackActs.`,
  );
}

/** Whether the tables of a selection are known without asking the source. */
export function isSpelledOut({ schemas }: Selection): boolean {
  return schemas.every(({ tables }) => tables.length > 0 && tables.every(({ tablePattern }) => !tablePattern));
}

/** Schemas that a pattern applies to, or that are selected as a whole. */
export function patternSchemas({ schemas }: Selection): string[] {
  return schemas
    .filter(({ tables }) => tables.length === 0 || tables.some(({ tablePattern }) => tablePattern))
    .map(({ schema }) => schema);
}

interface Named {
  schema: string;
  name: string;
}

/**
 * The tables of a job with their target names.
 * @param catalog tables of the source; not read if everything is spelled out
 * @throws JobError BAD_VALUE if nothing is selected, or two tables would clash at the target
 */
export function selectTables(request: NewJob, selection: Selection, catalog: readonly Named[]): TableSelection[] {
  const mapping = new Mapping(request.mappingDef);
  const { sourceDatabase } = selection;
  const tables = selection.schemas.flatMap((selected) =>
    matching(selected, catalog).map((node) => selectTable(mapping, sourceDatabase, selected.schema, node)),
  );
  if (tables.length === 0) throw new JobError('BAD_VALUE', 'No source table is selected.');
  if (tables.length > 10_000) throw new JobError('BAD_VALUE', 'A job carries at most 10 000 tables.');
  const sources = new Set<string>();
  const targets = new Set<string>();
  for (const table of tables) {
    // Identified by schema and name with a dot between, which names may contain too.
    const [source, target] = [tableName(table), tableName(table.target)];
    if (targets.has(target)) throw new JobError('BAD_VALUE', `Two tables would become ${target} at the target.`);
    if (sources.has(source))
      throw new JobError(
        'BAD_VALUE',
        `Two source tables are both ${source}, because of a dot in a name: create a job for each.`,
      );
    targets.add(target);
    sources.add(source);
  }
  return tables;
}

/** Whether a node means a table of its schema. */
export function isOfNode({ table, tablePattern }: TableNode, name: string): boolean {
  return tablePattern ? fitsPattern(tablePattern, name) : table === name;
}

/** The nodes of a schema with patterns and “all” resolved; a table named itself takes precedence over a pattern. */
function matching({ schema, tables: nodes, leftOut }: SelectedSchema, catalog: readonly Named[]): TableNode[] {
  const found = new Map<string, TableNode>();
  const isLeftOut = (name: string) => leftOut.some((node) => isOfNode(node, name));
  for (const node of nodes) if (!node.tablePattern && !isLeftOut(node.table)) found.set(node.table, node);
  const patterns = nodes.length === 0 ? [{ table: '*', tablePattern: '*' }] : nodes;
  for (const node of patterns) {
    if (!node.tablePattern) continue;
    for (const { schema: where, name } of catalog) {
      if (where === schema && !found.has(name) && !isLeftOut(name) && fitsPattern(node.tablePattern, name))
        found.set(name, { ...node, table: name });
    }
  }
  return [...found.values()];
}

function selectTable(mapping: Mapping, database: string, schema: string, node: TableNode): TableSelection {
  const path = [node.table, schema, database];
  const [name = node.table, mappedSchema] = mapping.of('TABLE_TABLE', path);
  const [byRule = schema] = mapping.of('SCHEMA_SCHEMA', [schema, database]);
  const [without = [], columns = []] = [true, false].map((black) =>
    (node.columns ?? []).filter(({ inBlackList }) => (inBlackList ?? false) === black).map(({ column }) => column),
  );
  return {
    schema,
    name: node.table,
    target: { schema: mappedSchema ?? byRule, name },
    columns: columns.length > 0 ? columns : null,
    ...(without.length > 0 && { without }),
    renamed: mapping.columnsOf(path),
    ...(mapping.letters && { letters: mapping.letters }),
    filter: node.dataFilter?.expression || null,
  };
}
