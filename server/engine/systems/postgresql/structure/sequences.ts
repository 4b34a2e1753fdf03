import pg from 'pg';
import type { Statement } from '../../../sink.ts';
import { quoteName, quoteTable } from '../../../sql/names.ts';
import { type Table, tableName } from '../../../table.ts';
import { askRow } from '../sessions.ts';
import type { ColumnStructure, SequenceStructure } from './read-tables.ts';

/** A sequence's options, for CREATE SEQUENCE and identity columns. */
export function sequenceOptions({ start, increment, least, most, cache, cycles }: SequenceStructure): string {
  return `START WITH ${start} INCREMENT BY ${increment} MINVALUE ${least} MAXVALUE ${most} CACHE ${cache}${cycles ? ' CYCLE' : ''}`;
}

/** The statement that creates a column's sequence; identity columns create their own. */
export function createSequence(target: Table, sequence: SequenceStructure, name: string): Statement {
  return {
    kind: 'sequence',
    phase: 'before',
    table: tableName(target),
    sql: `CREATE SEQUENCE IF NOT EXISTS ${name} AS ${sequence.type} ${sequenceOptions(sequence)}`,
    exists: false,
  };
}

/** A query for the sequence that the default of a column uses. @param table a literal */
function sequenceOfDefault(table: string, column: string): string {
  return `SELECT q.oid::pg_catalog.regclass FROM pg_catalog.pg_attribute AS a
    JOIN pg_catalog.pg_attrdef AS f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
    JOIN pg_catalog.pg_depend AS d ON d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND d.objid = f.oid
    JOIN pg_catalog.pg_class AS q ON d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND q.oid = d.refobjid
    WHERE a.attrelid = pg_catalog.to_regclass(${table}) AND a.attname = ${pg.escapeLiteral(column)} AND q.relkind = 'S'
    LIMIT 1`;
}

/**
 * The statement that advances a target sequence to the source's value, never backwards.
 * @param name the sequence at the target, if no default of the column uses one; an identity column's is looked up
 * @throws EngineError
 */
export async function setSequence(
  session: pg.ClientBase,
  target: Table,
  column: ColumnStructure,
  wanted: string,
  name: string,
): Promise<Statement[]> {
  const { sequence } = column;
  if (!sequence) return [];
  const [value, isCalled] = await askRow(
    session,
    `SELECT last_value, is_called FROM ${quoteName(sequence.schema)}.${quoteName(sequence.name)}`,
  );
  const table = pg.escapeLiteral(quoteTable(target));
  const own = column.identity
    ? `pg_catalog.pg_get_serial_sequence(${table}, ${pg.escapeLiteral(wanted)})::pg_catalog.regclass`
    : `coalesce((${sequenceOfDefault(table, wanted)}), ${pg.escapeLiteral(name)}::text::pg_catalog.regclass)`;
  const behind = sequence.increment.startsWith('-') ? '>' : '<';
  const last = 'pg_catalog.pg_sequence_last_value(s.id)';
  const isStartedElsewhere = `${value} <> (SELECT seqstart FROM pg_catalog.pg_sequence WHERE seqrelid = s.id)`;
  return [
    {
      kind: 'sequence',
      phase: 'after',
      table: tableName(target),
      sql:
        isCalled === 't'
          ? `SELECT pg_catalog.setval(s.id, ${value}, true) FROM (SELECT ${own} AS id) AS s WHERE ${last} IS NULL OR ${last} ${behind} ${value}`
          : `SELECT pg_catalog.setval(s.id, ${value}, false) FROM (SELECT ${own} AS id) AS s WHERE ${last} IS NULL AND ${isStartedElsewhere}`,
      exists: false,
    },
  ];
}
