import type pg from 'pg';
import { z } from 'zod';
import { type Key, keyText, type Row } from '../../change.ts';
import { keyColumns, told, writable } from '../../sql/columns.ts';
import { quoteName } from '../../sql/names.ts';
import { givenRows } from './cells.ts';
import { deleteKeys } from './load.ts';
import { askJson } from './sessions.ts';
import { sameKey, type TargetTable } from './target-table.ts';

const index = z.object({
  /** What is indexed, as SQL on the table's columns, with the operator that tests two values for equality. */
  parts: z.array(z.object({ sql: z.string(), equal: z.string() })),
  condition: z.string().nullable(),
  nullsAreEqual: z.boolean(),
});

/** A table's unique indexes and those of its exclusion constraints, whose operators replace equality. */
const indexes = `
  SELECT i.* FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND (i.indisunique OR i.indisexclusion)`;

const indexesQuery = `
  SELECT json_build_object(
    'parts', (
      SELECT json_agg(json_build_object('sql', pg_get_indexdef(i.indexrelid, k.place::int, false), 'equal', (
        SELECT format('OPERATOR(%I.%s)', on_.nspname, o.oprname)
        FROM pg_operator AS o JOIN pg_namespace AS on_ ON on_.oid = o.oprnamespace
        WHERE o.oid = CASE WHEN i.indisexclusion
          THEN (SELECT x.conexclop[k.place] FROM pg_constraint AS x WHERE x.conindid = i.indexrelid AND x.conexclop IS NOT NULL)
          ELSE (SELECT m.amopopr
            FROM pg_opclass AS class JOIN pg_am AS am ON am.oid = class.opcmethod
              JOIN pg_amop AS m ON m.amopfamily = class.opcfamily AND m.amoplefttype = class.opcintype
                AND m.amoprighttype = class.opcintype AND m.amopstrategy = 3 AND m.amoppurpose = 's'
            WHERE class.oid = k.class AND am.amname = 'btree') END)) ORDER BY k.place)
      FROM unnest(i.indclass::oid[]) WITH ORDINALITY AS k (class, place) WHERE k.place <= i.indnkeyatts),
    'condition', pg_get_expr(i.indpred, i.indrelid),
    'nullsAreEqual', coalesce((to_jsonb(i) ->> 'indnullsnotdistinct')::boolean, false))::text
  FROM (${indexes}) AS i`;

const column = z.object({
  name: z.string(),
  isComputed: z.boolean(),
  /** The expression it is computed from, or its default, cast to its own type; null if it has none. */
  sql: z.string().nullable(),
});

/**
 * Columns that those indexes use, directly or through a computed column, and that no row contains ($3 are contained).
 */
const untoldQuery = `
  WITH RECURSIVE used (relation, number) AS (
    SELECT i.indrelid, a.attnum FROM (${indexes}) AS i JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum > 0
    WHERE a.attnum = ANY (i.indkey) OR EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass
      AND d.objid = i.indexrelid AND d.refobjid = i.indrelid AND d.refobjsubid = a.attnum)
    UNION
    SELECT relation, dep.refobjsubid::int2 FROM used JOIN pg_attribute AS a ON a.attrelid = relation AND a.attnum = number
      JOIN pg_attrdef AS d ON d.adrelid = relation AND d.adnum = number
      -- Which of the two a server records depends on its version.
      JOIN pg_depend AS dep ON dep.refclassid = 'pg_class'::regclass AND dep.refobjid = relation AND dep.refobjsubid > 0
        AND (dep.classid = 'pg_attrdef'::regclass AND dep.objid = d.oid
          OR dep.classid = 'pg_class'::regclass AND dep.objid = relation AND dep.objsubid = number)
    WHERE a.attgenerated <> '')
  SELECT json_build_object('name', a.attname, 'isComputed', a.attgenerated <> '',
    'sql', format('CAST(%s AS %s)', '(' || pg_get_expr(d.adbin, d.adrelid) || ')', format_type(a.atttypid, a.atttypmod)))::text
  FROM (SELECT DISTINCT relation, number FROM used) AS u JOIN pg_attribute AS a ON a.attrelid = relation AND a.attnum = number
    LEFT JOIN pg_attrdef AS d ON d.adrelid = relation AND d.adnum = number
  WHERE NOT a.attisdropped AND NOT (a.attname = ANY ($3)) ORDER BY a.attnum`;

type UniqueIndex = z.infer<typeof index>;
type UntoldColumn = z.infer<typeof column>;

/**
 * Deletes rows whose unique values now belong to other rows, within the caller's transaction.
 * @param rows whole or partial; the rest of a partial row is what the table has under its key
 * @returns the keys of the deleted rows
 */
export async function evictHolders(session: pg.ClientBase, target: TargetTable, rows: readonly Row[]): Promise<Key[]> {
  const { schema, name } = target.table;
  const uniques = await askJson(session, index, indexesQuery, [schema, name]);
  const carried = writable(target.table).map((place) => place.column.name);
  const untold = await askJson(session, column, untoldQuery, [schema, name, carried]);
  const holders = new Map<string, Key>();
  const byColumns = Map.groupBy(rows, (row) => toldIn(target, row).join());
  for (const alike of byColumns.values())
    for (const unique of uniques)
      for (const key of await findHolders(session, target, { unique, untold }, alike)) holders.set(keyText(key), key);
  const keys = [...holders.values()];
  if (keys.length > 0) await deleteKeys(session, target, keys);
  return keys;
}

/** @param rows that contain the same columns */
async function findHolders(
  session: pg.ClientBase,
  target: TargetTable,
  { unique: { parts, condition, nullsAreEqual }, untold }: { unique: UniqueIndex; untold: readonly UntoldColumn[] },
  rows: readonly Row[],
): Promise<Key[]> {
  const columns = toldIn(target, rows[0] ?? []);
  const given = givenRows(target, columns, rows);
  const whole = wholeRows(target, columns, given.sql, untold);
  const keys = keyColumns(target.table).map((column) => quoteName(column.name));
  const values = parts.map(({ sql }, place) => `(${sql}) AS millrace_${place}`);
  const where = condition === null ? '' : ` WHERE ${condition}`;
  const list = [...keys, ...values].join(', ');
  const equal = parts.map((part, place) => {
    const [own, other] = [`own.millrace_${place}`, `given.millrace_${place}`];
    const same = `${own} ${part.equal} ${other}`;
    return nullsAreEqual ? `(${same} OR ${own} IS NULL AND ${other} IS NULL)` : same;
  });
  const { rows: found } = await session.query<string[]>({
    text: `
      SELECT ${keys.map((key) => `own.${key}`).join(', ')}
      FROM (SELECT ${list} FROM ${target.only}${where}) AS own
        JOIN (SELECT ${list} FROM ${whole}${where}) AS given ON ${equal.join(' AND ')}
      WHERE NOT (${sameKey(target, 'own', 'given')})`,
    values: given.values,
    rowMode: 'array',
  });
  return found;
}

function toldIn({ table }: TargetTable, row: Row): number[] {
  return told(table, row).map((place) => place.index);
}

/**
 * The given rows as the table would store them: cells that they lack come from the table's row with their key or from
 * defaults, and computed columns are computed from these.
 */
function wholeRows(
  target: TargetTable,
  columns: readonly number[],
  given: string,
  untold: readonly UntoldColumn[],
): string {
  const carried = writable(target.table);
  const filled = untold.filter(({ isComputed }) => !isComputed);
  const computed = untold.filter(({ isComputed }) => isComputed);
  const [first] = keyColumns(target.table);
  const isNew = `own.${quoteName(first?.name ?? '')} IS NULL`;
  const cells = [
    ...carried.map((place) => `${columns.includes(place.index) ? 'given' : 'own'}.${quoteName(place.column.name)}`),
    ...filled.map(({ name, sql }) => {
      const own = quoteName(name);
      return sql === null ? `own.${own}` : `CASE WHEN ${isNew} THEN ${sql} ELSE own.${own} END AS ${own}`;
    }),
  ];
  const isWhole = columns.length === carried.length && filled.length === 0;
  const rows = isWhole
    ? given
    : `(SELECT ${cells.join(', ')} FROM ${given} LEFT JOIN ${target.only} AS own ON ${sameKey(target, 'own', 'given')}) AS given`;
  if (computed.length === 0) return rows;
  return `(SELECT *, ${computed.map(({ name, sql }) => `${sql} AS ${quoteName(name)}`).join(', ')} FROM ${rows}) AS given`;
}
