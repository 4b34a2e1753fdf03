import type { Statement, StatementText } from '../../../sink.ts';
import { otherName, quoteName, quoteTable } from '../../../sql/names.ts';
import { tableName } from '../../../table.ts';
import { indexDefinition } from '../index-names.ts';
import type { IndexStructure } from './read-tables.ts';
import { hasColumns, targetName, type Way, withTargetNames } from './way.ts';

/** Unique indexes on the key's columns, other than the primary key. */
export function keyIndexes(way: Way) {
  const key = way.target.key.map((column) => way.target.columns[column]?.name);
  return way.source.indexes.filter(
    ({ isUnique, isPlain, columns }) =>
      isUnique &&
      isPlain &&
      columns.length === key.length &&
      columns.every((column) => key.includes(targetName(way, column))),
  );
}

export type Named = Pick<Statement, 'sql' | 'steps' | 'named' | 'makes'>;

/** What must exist under a name to count as the same. */
export type Sameness = Pick<NonNullable<Statement['named']>, 'definition' | 'isConstraint'>;

/** A statement that creates an index, and an alternative in case its name is taken by something else. */
export function underName(
  { target }: Way,
  name: string,
  textOf: (name: string) => StatementText,
  sameness: Sameness,
): Named {
  const { schema, name: table } = target;
  const otherwise = textOf(otherName(target, name));
  return { ...textOf(name), named: { schema, table, name, ...sameness, otherwise } };
}

export const inSteps = (steps: readonly string[]): StatementText => ({ sql: steps.join(';\n'), steps });

export function indexStatements(way: Way): Statement[] {
  const ofKey = keyIndexes(way);
  return way.source.indexes
    .filter((index) => !ofKey.includes(index) && canCarryIndex(way, index))
    .map((index) => ({
      kind: 'index',
      phase: 'after',
      table: tableName(way.target),
      ...createIndex(way, index, way.besideWriters),
      exists: false,
    }));
}

/** An expression or a condition may name any column. */
export function canCarryIndex(way: Way, { calls, isPlain, columns, included }: IndexStructure): boolean {
  return !calls && ((!way.isRenamed && !way.isPartial) || (isPlain && hasColumns(way, [...columns, ...included])));
}

type IndexText = Pick<IndexStructure, 'definition' | 'columns' | 'included'>;

export function createIndex(way: Way, index: IndexStructure, isOnline = false): Named {
  const textOf = (as: string) => {
    const sql = createIndexAs(way, index, as, isOnline);
    return isOnline ? inSteps([sql]) : { sql };
  };
  return underName(way, index.name, textOf, { definition: nameless(way, index) });
}

/** For a partitioned table, the partitions get theirs with it. @param isOnline concurrently, outside any transaction */
export function createIndexAs(way: Way, index: IndexText, as: string, isOnline: boolean): string {
  const unique = index.definition.startsWith('CREATE UNIQUE') ? 'UNIQUE ' : '';
  const online = isOnline ? 'CONCURRENTLY ' : '';
  const [, rest] = indexText(way, index);
  return `CREATE ${unique}INDEX ${online}IF NOT EXISTS ${quoteName(as)} ON ${quoteTable(way.target)}${rest}`;
}

/** An index's definition at the target, whatever its name. */
export function nameless(way: Way, index: IndexText): string {
  return indexDefinition(indexText(way, index).join(''));
}

/** The server's own text up to the table, and the rest with the target's columns. */
function indexText(way: Way, { definition, columns, included }: IndexText): [head: string, rest: string] {
  const { sqlName } = way.source;
  const own = definition.indexOf(' USING ', definition.indexOf(sqlName) + sqlName.length);
  return [definition.slice(0, own), withTargetNames(way, definition.slice(own), [...columns, ...included])];
}
