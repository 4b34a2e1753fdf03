import pg from 'pg';
import type { Statement } from '../../../sink.ts';
import { quoteName, quoteTable } from '../../../sql/names.ts';
import { tableName } from '../../../table.ts';
import type { ColumnStructure } from './read-tables.ts';
import { sequenceOptions } from './sequences.ts';
import { isCarried, sequenceName, type TableMapping, targetName } from './table-mapping.ts';

/**
 * Existing rows have no value for a column without a default until they are copied again, so the column allows NULL.
 * Nor does the present default say what they contain, so it is set after the column is added, and replaces its
 * domain's.
 */
export function addColumn(mapping: TableMapping, column: ColumnStructure): Statement {
  const { notNull, expression, identity, generated } = column;
  const isBare = notNull && expression === null && !identity;
  const takesNull = isBare || (!notNull && !identity && !generated);
  const parts = takesNull ? addNull(mapping, column) : [`ADD COLUMN ${columnSql(mapping, column)}`];
  const steps = parts.map((part) => `ALTER TABLE ${quoteTable(mapping.target)} ${part}`);
  return {
    kind: 'column',
    phase: 'before',
    table: tableName(mapping.target),
    sql: steps.join('; '),
    ...(steps.length > 1 && { steps }),
    exists: false,
    ...(isBare && { note: 'It allows NULL: existing rows have no value for it.' }),
  };
}

/** ALTER TABLE actions, one statement each, that add a column which is NULL in every row. */
function addNull(mapping: TableMapping, column: ColumnStructure): string[] {
  const add = `ADD COLUMN ${columnSql(mapping, { ...column, notNull: false, expression: null })}`;
  const alter = `ALTER COLUMN ${quoteName(targetName(mapping, column.name))}`;
  if (column.expression !== null && isCarried(mapping, column))
    return [`${add} DEFAULT NULL, ${alter} SET DEFAULT ${defaultOf(mapping, column)}`];
  return column.isDomain ? [`${add} DEFAULT NULL`, `${alter} DROP DEFAULT`] : [add];
}

export function columnSql(mapping: TableMapping, column: ColumnStructure): string {
  const { type, collation, notNull, identity, generated, expression, sequence } = column;
  const parts = [quoteName(targetName(mapping, column.name)), type];
  if (collation) parts.push(`COLLATE ${collation}`);
  if (generated) parts.push(`GENERATED ALWAYS AS (${expression}) ${generated === 's' ? 'STORED' : 'VIRTUAL'}`);
  if (identity) {
    const options = sequence ? ` (${sequenceOptions(sequence)})` : '';
    parts.push(`GENERATED ${identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY${options}`);
  }
  if (!generated && !identity && expression !== null && isCarried(mapping, column)) {
    parts.push(`DEFAULT ${defaultOf(mapping, column)}`);
  }
  if (notNull) parts.push('NOT NULL');
  return parts.join(' ');
}

/** A default that uses a sequence names the target's own. */
function defaultOf(mapping: TableMapping, { expression, sequence }: ColumnStructure): string {
  if (!sequence || !expression) return expression ?? '';
  const asText = (name: string) => `${pg.escapeLiteral(name)}::regclass`;
  return expression.replaceAll(asText(sequence.sqlName), () => asText(sequenceName(mapping, sequence)));
}
