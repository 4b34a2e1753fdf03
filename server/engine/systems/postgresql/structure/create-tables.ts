import type { Statement } from '../../../sink.ts';
import { quoteName, quoteTable } from '../../../sql/names.ts';
import { tableName } from '../../../table.ts';
import { addColumn, columnSql } from './columns.ts';
import { canCarry, keyStatements } from './constraints.ts';
import { canCarryIndex, keyIndexes } from './indexes.ts';
import { isDivided, partitionBy, partitionStatements } from './partitions.ts';
import type { ColumnStructure, SequenceStructure } from './read-tables.ts';
import { createSequence } from './sequences.ts';
import { isCarried, sequenceName, targetName, type Way, wantedColumns } from './way.ts';

/** Sequences, the table with its partitions, and its key. */
export function tableStatements(way: Way): Statement[] {
  const { target, have } = way;
  const common = { phase: 'before', table: tableName(target) } as const;
  const left = notCarried(way);
  const wanted = wantedColumns(way);
  if (have) {
    const missing = wanted.filter((column) => !have.columns.some(({ name }) => name === targetName(way, column.name)));
    return [
      { ...common, kind: 'table', sql: createTable(way, wanted), exists: true },
      ...sequenceStatements(way, missing, 'make'),
      ...missing.map((column): Statement => addColumn(way, column)),
      ...sequenceStatements(way, missing, 'own'),
      ...partitionStatements(way),
      ...keyStatements(way),
    ];
  }
  return [
    ...sequenceStatements(way, wanted, 'make'),
    {
      ...common,
      kind: 'table',
      sql: createTable(way, wanted),
      exists: false,
      ...(left.length > 0 && { note: `Not replicated: ${left.join(', ')}.` }),
    },
    ...sequenceStatements(way, wanted, 'own'),
    ...partitionStatements(way),
    ...keyStatements(way),
  ];
}

/** Creates the sequences that column defaults use, or assigns them to their columns. */
function sequenceStatements(way: Way, columns: readonly ColumnStructure[], what: 'make' | 'own'): Statement[] {
  const common = { kind: 'sequence', phase: 'before', table: tableName(way.target), exists: false } as const;
  return columns.flatMap((column): Statement[] => {
    const { identity, sequence } = column;
    if (!sequence || identity) return [];
    if (what === 'make') return [createSequence(way.target, sequence, sequenceName(way, sequence))];
    return sequence.owned ? [{ ...common, sql: ownedBy(way, column, sequence) }] : [];
  });
}

function createTable(way: Way, columns: readonly ColumnStructure[]): string {
  const list = columns.map((column) => `\n  ${columnSql(way, column)}`).join(',');
  const partition = isDivided(way) ? partitionBy(way, way.source.division) : '';
  return `CREATE TABLE ${quoteTable(way.target)} (${list}\n)${partition}`;
}

function ownedBy(way: Way, column: ColumnStructure, sequence: SequenceStructure): string {
  return `ALTER SEQUENCE ${sequenceName(way, sequence)} OWNED BY ${quoteTable(way.target)}.${quoteName(targetName(way, column.name))}`;
}

function notCarried(way: Way): string[] {
  const { source, names } = way;
  return [
    ...source.left,
    ...(source.division && !isDivided(way) ? ['partitions'] : []),
    ...source.columns
      .filter((column) => names.has(column.name) && column.expression && !isCarried(way, column))
      .map(({ name, generated }) => (generated ? `generated column ${name}` : `default of ${name}`)),
    ...source.constraints.filter((constraint) => !canCarry(way, constraint)).map(({ name }) => `constraint ${name}`),
    ...source.indexes
      .filter((index) => !canCarryIndex(way, index) && !keyIndexes(way).includes(index))
      .map(({ name }) => `index ${name}`),
  ];
}
