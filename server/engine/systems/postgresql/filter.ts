import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { z } from 'zod';
import { type Row, UNCHANGED } from '../../change.ts';
import { quoteTable } from '../../sql/names.ts';
import type { Table } from '../../table.ts';
import { cellText } from './cells.ts';
import { askJson, askRow } from './sessions.ts';
import { textCast } from './text-cast.ts';

const namedColumn = z.object({
  name: z.string(),
  type: z.string(),
  /** What follows `::` when its text becomes a value. */
  cast: z.string(),
  /** As SQL; null if the type has none. */
  collation: z.string().nullable(),
});

/** A condition that the server has proved to be immutable, boolean, and about a single row of the table. */
export interface RowFilter {
  /** In parentheses and on its own lines, so that a trailing comment comments out nothing else. */
  sql: string;
  /** The columns that it names. */
  columns: z.infer<typeof namedColumn>[];
}

/** Why a condition cannot be a filter, for people to read. */
export interface Refusal {
  reason: string;
  /** What a database administrator can run to resolve it. */
  sql?: string;
}

/**
 * Two contexts that a text fits only if it is a single expression: text that breaks out of the second's parentheses
 * does not fit the first, and text that breaks out of the first's CASE does not fit the second. Nothing is run: any
 * single expression on columns is refused for its first column, which does not exist in this statement.
 */
const places = [
  (condition: string) => `SELECT CASE WHEN\n${condition}\nTHEN 1 END LIMIT 0`,
  (condition: string) => `SELECT (\n${condition}\n) LIMIT 0`,
];
const unknownColumn = '42703';

/**
 * Has the server prove a condition by using it for a generated column of a temporary table: such expressions must be
 * immutable and see only their own row. The table is rolled back.
 * @throws the driver's error if something other than the condition is refused
 */
export async function proveFilter(
  session: pg.ClientBase,
  table: Table,
  condition: string,
): Promise<RowFilter | Refusal> {
  for (const place of places) {
    const refusal = await parse(session, place(condition));
    if (refusal) return refusal;
  }
  const sql = `(\n${condition}\n)`;
  const name = `millrace_${randomBytes(8).toString('hex')}`;
  const like = quoteTable(table);
  await session.query('BEGIN');
  try {
    await run(
      session,
      `CREATE TEMPORARY TABLE ${name} (LIKE ${like}, ${name}_is boolean GENERATED ALWAYS AS ${sql} STORED)`,
    );
    const columns = await askJson(session, namedColumn, namedColumns, [`pg_temp.${name}`, `${name}_is`]);
    await session.query('ROLLBACK');
    return { sql, columns };
  } catch (error) {
    await session.query('ROLLBACK');
    if (!(error instanceof pg.DatabaseError)) throw error;
    const refusal = error.code === '42501' ? await missingPrivilege(session) : refusalOf(error);
    if (!refusal) throw error;
    return refusal;
  }
}

/** Whether rows meet a condition; null if the log does not contain a cell that it names. */
export async function judgeRows(
  session: pg.ClientBase,
  { sql, columns }: RowFilter,
  table: Table,
  rows: readonly Row[],
): Promise<(boolean | null)[]> {
  const cells = columns.map(({ name }) => table.columns.findIndex((column) => column.name === name));
  const isTold = (row: Row) => cells.every((place) => row[place] !== undefined && row[place] !== UNCHANGED);
  const told = rows.filter(isTold);
  if (told.length === 0) return rows.map(() => null);
  const list = columns.map(
    ({ name, type, cast, collation }, place) =>
      `CAST(c${place}::${cast} AS ${type})${collation ? ` COLLATE ${collation}` : ''} AS ${pg.escapeIdentifier(name)}`,
  );
  const { rows: answers } = await session.query<[string]>({
    text: `SELECT ${sql} IS TRUE FROM (
        SELECT millrace_place, ${list.join(', ')}
        FROM unnest(${columns.map((_, place) => `$${place + 1}::text[]`).join(', ')})
          WITH ORDINALITY AS told (${columns.map((_, place) => `c${place}`).join(', ')}, millrace_place)) AS millrace_row
      ORDER BY millrace_place`,
    values: cells.map((place) => told.map((row) => cellText(row[place]))),
    rowMode: 'array',
  });
  const verdicts = answers.map(([answer]) => answer === 't')[Symbol.iterator]();
  return rows.map((row) => (isTold(row) ? (verdicts.next().value ?? null) : null));
}

const namedColumns = `
  SELECT json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
    'cast', ${textCast('a.atttypid')}, 'collation', (SELECT format('%I.%I', n.nspname, l.collname)
      FROM pg_collation AS l JOIN pg_namespace AS n ON n.oid = l.collnamespace WHERE l.oid = a.attcollation))::text
  FROM pg_attribute AS a
  WHERE a.attrelid = $1::regclass AND a.attname <> $2 AND EXISTS (
    SELECT FROM pg_depend AS d
    WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum
      -- Either the column itself depends on its inputs, or (from version 15 on) its expression does.
      AND (d.classid = 'pg_attrdef'::regclass OR d.classid = 'pg_class'::regclass AND d.objid = a.attrelid))
  ORDER BY a.attnum`;

/** Runs one statement: with the extended protocol, the server accepts no second one. */
function run(session: pg.ClientBase, text: string): Promise<unknown> {
  const query = { text, queryMode: 'extended' };
  return session.query(query);
}

/** @returns why the text is not an expression on columns; undefined if it is one */
async function parse(session: pg.ClientBase, text: string): Promise<Refusal | undefined> {
  try {
    await run(session, text);
    return { reason: 'it names no column of the table.' };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (error.code === unknownColumn) return undefined;
    return { reason: sentence(error) };
  }
}

/** PostgreSQL's message here contains parts of the condition but never row values, since nothing is evaluated. */
function refusalOf(error: pg.DatabaseError): Refusal | undefined {
  const { code = '' } = error;
  if (code === '42P17') return { reason: 'it is not immutable: for the same row it must always give the same answer.' };
  if (code === '25006') return { reason: 'the server proves it with a temporary table, and does not accept writes.' };
  // The table itself is gone: no name in the condition can refer to another one.
  if (code === '42P01') return undefined;
  return /^(0A|22|42)/.test(code) ? { reason: sentence(error) } : undefined;
}

/** What a user lacks who is not allowed to create temporary tables. */
async function missingPrivilege(session: pg.ClientBase): Promise<Refusal | undefined> {
  const [isGiven, sql] = await askRow(
    session,
    `SELECT has_database_privilege(current_database(), 'TEMPORARY'),
      format('GRANT TEMPORARY ON DATABASE %I TO %I;', current_database(), current_user)`,
  );
  if (isGiven === 't') return undefined;
  return {
    reason: 'the server proves it with a temporary table, which the user is not allowed to create.',
    sql: sql ?? '',
  };
}

function sentence({ message }: pg.DatabaseError): string {
  return `PostgreSQL says: ${message}.`;
}
