import type { Statement } from '../../../sink.ts';
import { quoteName, quoteTable } from '../../../sql/names.ts';
import { listed, tableName } from '../../../table.ts';
import { addColumn, columnSql } from './columns.ts';
import { canCarry, keyStatements } from './constraints.ts';
import { canCarryIndex, keyIndexes } from './indexes.ts';
import { isDivided, partitionBy, partitionStatements } from './partitions.ts';
import type { ColumnStructure, SequenceStructure } from './read-tables.ts';
import { createSequence } from './sequences.ts';
import { isCarried, sequenceName, type TableMapping, targetName, wantedColumns } from './table-mapping.ts';

/** Sequences, the table with its partitions, and its key. */
export function tableStatements(mapping: TableMapping): Statement[] {
  const { target, have } = mapping;
  const common = { phase: 'before', table: tableName(target) } as const;
  const left = notCarried(mapping);
  const wanted = wantedColumns(mapping);
  if (have) {
    const missing = wanted.filter(
      (column) => !have.columns.some(({ name }) => name === targetName(mapping, column.name)),
    );
    return [
      { ...common, kind: 'table', sql: createTable(mapping, wanted), exists: true },
      ...sequenceStatements(mapping, missing, 'make'),
      ...missing.map((column): Statement => addColumn(mapping, column)),
      ...sequenceStatements(mapping, missing, 'own'),
      ...partitionStatements(mapping),
      ...keyStatements(mapping),
    ];
  }
  return [
    ...sequenceStatements(mapping, wanted, 'make'),
    {
      ...common,
      kind: 'table',
      sql: createTable(mapping, wanted),
      exists: false,
      ...(left.length > 0 && { note: `Not replicated: ${left.join(', ')}.` }),
    },
    ...sequenceStatements(mapping, wanted, 'own'),
    ...partitionStatements(mapping),
    ...keyStatements(mapping),
  ];
}

/** Creates the sequences that column defaults use, or assigns them to their columns. */
function sequenceStatements(
  mapping: TableMapping,
  columns: readonly ColumnStructure[],
  what: 'make' | 'own',
): Statement[] {
  const common = { kind: 'sequence', phase: 'before', table: tableName(mapping.target), exists: false } as const;
  return columns.flatMap((column): Statement[] => {
    const { identity, sequence } = column;
    if (!sequence || identity) return [];
    if (what === 'make') return [createSequence(mapping.target, sequence, sequenceName(mapping, sequence))];
    return sequence.owned ? [{ ...common, sql: ownedBy(mapping, column, sequence) }] : [];
  });
}

function createTable(mapping: TableMapping, columns: readonly ColumnStructure[]): string {
  const list = columns.map((column) => `\n  ${columnSql(mapping, column)}`).join(',');
  const partition = isDivided(mapping) ? partitionBy(mapping, mapping.source.division) : '';
  return `CREATE TABLE ${quoteTable(mapping.target)} (${list}\n)${partition}`;
}

function ownedBy(mapping: TableMapping, column: ColumnStructure, sequence: SequenceStructure): string {
  return `ALTER SEQUENCE ${sequenceName(mapping, sequence)} OWNED BY ${quoteTable(mapping.target)}.${quoteName(targetName(mapping, column.name))}`;
}

function notCarried(mapping: TableMapping): string[] {
  const { source, names } = mapping;
  return [
    ...source.left,
    ...(source.leftOfPartitions.length > 0 ? [listed(source.leftOfPartitions)] : []),
    ...(source.division && !isDivided(mapping) ? ['partitions'] : []),
    ...source.columns
      .filter((column) => names.has(column.name) && column.expression && !isCarried(mapping, column))
      .map(({ name, generated }) => (generated ? `generated column ${name}` : `default of ${name}`)),
    ...source.constraints
      .filter((constraint) => !canCarry(mapping, constraint))
      .map(({ name }) => `constraint ${name}`),
    ...source.indexes
      .filter((index) => !canCarryIndex(mapping, index) && !keyIndexes(mapping).includes(index))
      .map(({ name }) => `index ${name}`),
  ];
}
