import type pg from 'pg';
import { z } from 'zod';
import { type Key, keyText, type Row, UNCHANGED } from '../../change.ts';
import { keyColumns, told } from '../../sql/columns.ts';
import { quoteName } from '../../sql/names.ts';
import { givenRows } from './cells.ts';
import { deleteKeys } from './load.ts';
import { askJson } from './sessions.ts';
import { sameKey, type TargetTable } from './target-table.ts';

const index = z.object({
  /** What is indexed, as SQL over the columns of the table, with the operator that says that two are equal. */
  parts: z.array(z.object({ sql: z.string(), equal: z.string() })),
  condition: z.string().nullable(),
  nullsAreEqual: z.boolean(),
});

/** Unique indexes of a table, without those that look at a column which the database computes: no row tells it. */
const indexesQuery = `
  SELECT json_build_object(
    'parts', (
      SELECT json_agg(json_build_object('sql', pg_get_indexdef(i.indexrelid, k.place::int, false), 'equal', (
        SELECT format('OPERATOR(%I.%s)', on_.nspname, o.oprname)
        FROM pg_opclass AS class JOIN pg_am AS am ON am.oid = class.opcmethod
          JOIN pg_amop AS m ON m.amopfamily = class.opcfamily AND m.amoplefttype = class.opcintype
            AND m.amoprighttype = class.opcintype AND m.amopstrategy = 3 AND m.amoppurpose = 's'
          JOIN pg_operator AS o ON o.oid = m.amopopr JOIN pg_namespace AS on_ ON on_.oid = o.oprnamespace
        WHERE class.oid = k.class AND am.amname = 'btree')) ORDER BY k.place)
      FROM unnest(i.indclass::oid[]) WITH ORDINALITY AS k (class, place) WHERE k.place <= i.indnkeyatts),
    'condition', pg_get_expr(i.indpred, i.indrelid),
    'nullsAreEqual', coalesce((to_jsonb(i) ->> 'indnullsnotdistinct')::boolean, false))::text
  FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND i.indisunique AND NOT i.indisexclusion AND NOT EXISTS (
    SELECT FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attgenerated <> '' AND (a.attnum = ANY (i.indkey)
      OR EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid
        AND d.refobjid = c.oid AND d.refobjsubid = a.attnum)))`;

type UniqueIndex = z.infer<typeof index>;

/**
 * Deletes rows whose unique values other rows have now, within the caller's transaction.
 * @param rows in whole, or in part: then the rest is what the table has under their key
 * @returns the keys of the deleted rows
 */
export async function evictHolders(session: pg.ClientBase, target: TargetTable, rows: readonly Row[]): Promise<Key[]> {
  const { schema, name } = target.table;
  const indexes = await askJson(session, index, indexesQuery, [schema, name]);
  const holders = new Map<string, Key>();
  const byColumns = Map.groupBy(rows, (row) =>
    told(target.table, row)
      .map(({ index: column }) => column)
      .join(),
  );
  for (const alike of byColumns.values())
    for (const unique of indexes)
      for (const key of await findHolders(session, target, unique, alike)) holders.set(keyText(key), key);
  const keys = [...holders.values()];
  if (keys.length > 0) await deleteKeys(session, target, keys);
  return keys;
}

/** @param rows that tell the same columns */
async function findHolders(
  session: pg.ClientBase,
  target: TargetTable,
  { parts, condition, nullsAreEqual }: UniqueIndex,
  rows: readonly Row[],
): Promise<Key[]> {
  const [first = []] = rows;
  const columns = target.table.columns.flatMap(({ generated }, column) => (generated ? [] : [column]));
  const toldColumns = columns.filter((column) => first[column] !== UNCHANGED && first[column] !== undefined);
  const nameOf = (column: number) => quoteName(target.table.columns[column]?.name ?? '');
  const given = givenRows(target, toldColumns, rows);
  const cells = columns.map((column) => `${toldColumns.includes(column) ? 'given' : 'own'}.${nameOf(column)}`);
  const isWhole = toldColumns.length === columns.length;
  const whole = isWhole
    ? given.sql
    : `(SELECT ${cells.join(', ')} FROM ${given.sql} LEFT JOIN ${target.only} AS own ON ${sameKey(target, 'own', 'given')}) AS given`;
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
