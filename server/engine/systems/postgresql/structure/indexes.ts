import type { Statement, StatementText } from '../../../sink.ts';
import { otherName, quoteName, quoteTable } from '../../../sql/names.ts';
import { tableName } from '../../../table.ts';
import { indexDefinition } from '../index-names.ts';
import type { IndexStructure } from './read-tables.ts';
import { hasColumns, type TableMapping, targetName, withTargetNames } from './table-mapping.ts';

/** Unique indexes on the key's columns, other than the primary key. */
export function keyIndexes(mapping: TableMapping) {
  const key = mapping.target.key.map((column) => mapping.target.columns[column]?.name);
  return mapping.source.indexes.filter(
    ({ isUnique, isPlain, columns }) =>
      isUnique &&
      isPlain &&
      columns.length === key.length &&
      columns.every((column) => key.includes(targetName(mapping, column))),
  );
}

export type Named = Pick<Statement, 'sql' | 'steps' | 'named' | 'makes'>;

/** What must exist under a name to count as the same. */
export type Sameness = Pick<NonNullable<Statement['named']>, 'definition' | 'isConstraint'>;

/** A statement that creates an index, and an alternative in case its name is taken by something else. */
export function underName(
  { target }: TableMapping,
  name: string,
  textOf: (name: string) => StatementText,
  sameness: Sameness,
): Named {
  const { schema, name: table } = target;
  const otherwise = textOf(otherName(target, name));
  return { ...textOf(name), named: { schema, table, name, ...sameness, otherwise } };
}

export const inSteps = (steps: readonly string[]): StatementText => ({ sql: steps.join(';\n'), steps });

export function indexStatements(mapping: TableMapping): Statement[] {
  const ofKey = keyIndexes(mapping);
  return mapping.source.indexes
    .filter((index) => !ofKey.includes(index) && canCarryIndex(mapping, index))
    .map((index) => ({
      kind: 'index',
      phase: 'after',
      table: tableName(mapping.target),
      ...createIndex(mapping, index, mapping.besideWriters),
      exists: false,
    }));
}

/** An expression or a condition may name any column. */
export function canCarryIndex(mapping: TableMapping, { calls, isPlain, columns, included }: IndexStructure): boolean {
  return (
    !calls &&
    ((!mapping.isRenamed && !mapping.isPartial) || (isPlain && hasColumns(mapping, [...columns, ...included])))
  );
}

type IndexText = Pick<IndexStructure, 'definition' | 'columns' | 'included'>;

export function createIndex(mapping: TableMapping, index: IndexStructure, isOnline = false): Named {
  const textOf = (as: string) => {
    const sql = createIndexAs(mapping, index, as, isOnline);
    return isOnline ? inSteps([sql]) : { sql };
  };
  return underName(mapping, index.name, textOf, { definition: nameless(mapping, index) });
}

/** For a partitioned table, the partitions get theirs with it. @param isOnline concurrently, outside any transaction */
export function createIndexAs(mapping: TableMapping, index: IndexText, as: string, isOnline: boolean): string {
  const unique = index.definition.startsWith('CREATE UNIQUE') ? 'UNIQUE ' : '';
  const online = isOnline ? 'CONCURRENTLY ' : '';
  const [, rest] = indexText(mapping, index);
  return `CREATE ${unique}INDEX ${online}IF NOT EXISTS ${quoteName(as)} ON ${quoteTable(mapping.target)}${rest}`;
}

/** An index's definition at the target, whatever its name. */
export function nameless(mapping: TableMapping, index: IndexText): string {
  return indexDefinition(indexText(mapping, index).join(''));
}

/** The server's own text up to the table, and the rest with the target's columns. */
function indexText(mapping: TableMapping, { definition, columns, included }: IndexText): [head: string, rest: string] {
  const { sqlName } = mapping.source;
  const own = definition.indexOf(' USING ', definition.indexOf(sqlName) + sqlName.length);
  return [definition.slice(0, own), withTargetNames(mapping, definition.slice(own), [...columns, ...included])];
}
