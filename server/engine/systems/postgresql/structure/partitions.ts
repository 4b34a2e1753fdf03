import type { Statement } from '../../../sink.ts';
import { quoteTable } from '../../../sql/names.ts';
import { tableName } from '../../../table.ts';
import type { DivisionStructure } from './read-tables.ts';
import { hasColumns, type TableMapping, withTargetNames } from './table-mapping.ts';

/** Whether the target table can be partitioned like the source's. */
export function isDivided(mapping: TableMapping): boolean {
  const { division, partitions } = mapping.source;
  const divisions = [division, ...partitions.map((partition) => partition.division)].filter((one) => one !== null);
  return division !== null && divisions.every((one) => canDivide(mapping, one));
}

/** An expression may name any column. */
function canDivide(mapping: TableMapping, { calls, isPlain, columns }: DivisionStructure): boolean {
  return !calls && hasColumns(mapping, columns) && (isPlain || (!mapping.isRenamed && !mapping.isPartial));
}

export function partitionBy(mapping: TableMapping, division: DivisionStructure | null): string {
  return division ? ` PARTITION BY ${withTargetNames(mapping, division.key, division.columns)}` : '';
}

/** What PARTITION OF takes from the parent apart from names and types; indexes and an identity come with ATTACH. */
const likeParent =
  'INCLUDING COMPRESSION INCLUDING CONSTRAINTS INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING STORAGE';

/**
 * None for a table that the target has without partitions. A partition of an existing table is attached, since
 * PARTITION OF would wait for all its readers, and make everyone else wait behind it.
 */
export function partitionStatements(mapping: TableMapping): Statement[] {
  const { source, target, have } = mapping;
  if ((have && !have.partitions) || !isDivided(mapping)) return [];
  const names = new Map([[source.id, quoteTable(target)]]);
  return source.partitions.map((partition) => {
    const schema = partition.schema === source.schema ? target.schema : partition.schema;
    const own = { schema, name: partition.name };
    names.set(partition.id, quoteTable(own));
    const parent = names.get(partition.parentId);
    const by = partitionBy(mapping, partition.division);
    return {
      kind: 'partition',
      phase: 'before',
      table: tableName(own),
      root: tableName(target),
      sql: have
        ? `CREATE TABLE ${quoteTable(own)} (LIKE ${parent} ${likeParent})${by}; ALTER TABLE ${parent} ATTACH PARTITION ${quoteTable(own)} ${partition.bound}`
        : `CREATE TABLE ${quoteTable(own)} PARTITION OF ${parent} ${partition.bound}${by}`,
      exists: have?.partitions?.includes(tableName(own)) ?? false,
    };
  });
}
