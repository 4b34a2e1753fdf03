import pg from 'pg';
import { z } from 'zod';
import { EngineError } from '../../errors.ts';
import { quoteTable } from '../../sql/names.ts';
import { type Table, tableName } from '../../table.ts';
import { keyIndex } from './catalog.ts';
import { askJson } from './sessions.ts';

/** A key column with its index's operators, as SQL: those of citext and some others are not in pg_catalog. */
const keyColumn = z.object({
  name: z.string(),
  type: z.string(),
  less: z.string(),
  lessOrEqual: z.string(),
  equal: z.string(),
  greaterOrEqual: z.string(),
  greater: z.string(),
});

const described = z.object({ partitioned: z.boolean(), key: z.array(keyColumn).nullable() });

const describeKey = `
  SELECT json_build_object('partitioned', c.relkind = 'p', 'key', (
    SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
      'less', op.texts[1], 'lessOrEqual', op.texts[2], 'equal', op.texts[3],
      'greaterOrEqual', op.texts[4], 'greater', op.texts[5]) ORDER BY k.place)
    FROM (${keyIndex}) AS i,
      unnest(i.indkey::int2[], i.indclass::oid[]) WITH ORDINALITY AS k (number, class, place)
      JOIN pg_opclass AS class ON class.oid = k.class
      JOIN pg_attribute AS a ON a.attrelid = $1 AND a.attnum = k.number,
      LATERAL (
        SELECT array_agg(format('OPERATOR(%I.%s)', n.nspname, o.oprname) ORDER BY m.amopstrategy) AS texts
        FROM pg_amop AS m JOIN pg_operator AS o ON o.oid = m.amopopr JOIN pg_namespace AS n ON n.oid = o.oprnamespace
        WHERE m.amopfamily = class.opcfamily AND m.amoplefttype = class.opcintype
          AND m.amoprighttype = class.opcintype AND m.amoppurpose = 's') AS op
    WHERE k.place <= i.indnkeyatts))::text
  FROM pg_class AS c WHERE c.oid = $1::oid`;

/** SQL for a key cell: a parameter or a literal. */
type CellSql = (column: number) => string;

/** A key's cells as the parameters from `$first` on. */
export function parameters(first: number): CellSql {
  return (column) => `$${first + column}`;
}

/** SQL for the rows of one table in key order, which only the database knows. */
export interface KeyOrder {
  /** The table, with ONLY unless it is the root of partitions. */
  from: string;
  /** The same for LOCK TABLE. */
  columns: readonly string[];
  orderBy: string;
  /** A condition: after this key. */
  behind(key: CellSql): string;
  /** A condition: this key or before it. */
  upTo(key: CellSql): string;
  /** A condition: this key. */
  is(key: CellSql): string;
}

/** @throws EngineError TABLE_MISSING if the table is gone */
export async function readKeyOrder(session: pg.ClientBase, table: Table): Promise<KeyOrder> {
  const [known] = await askJson(session, described, describeKey, [table.id]);
  if (!known) throw new EngineError('TABLE_MISSING', { side: 'source', table: tableName(table) });
  const key = known.key ?? [];
  const name = quoteTable(table);
  const from = known.partitioned ? name : `ONLY ${name}`;
  const columns = key.map((column) => pg.escapeIdentifier(column.name));
  const value = (column: number, cell: CellSql) => `CAST(${cell(column)} AS ${key[column]?.type})`;
  const is = (cell: CellSql) =>
    key.map(({ equal }, column) => `${columns[column]} ${equal} ${value(column, cell)}`).join(' AND ');
  if (key.every(({ less }) => less === 'OPERATOR(pg_catalog.<)')) {
    // Keys are compared as row values, which an index serves best.
    const row = `(${columns.join(', ')})`;
    const values = (cell: CellSql) => `(${columns.map((_, column) => value(column, cell)).join(', ')})`;
    return {
      from,
      columns,
      orderBy: columns.join(', '),
      is,
      behind: (cell) => `${row} > ${values(cell)}`,
      upTo: (cell) => `${row} <= ${values(cell)}`,
    };
  }
  // Column by column; the condition on the first one is for the index.
  const chain = (cell: CellSql, strict: 'less' | 'greater', last: keyof typeof keyColumn.shape) =>
    key
      .map((own, column) => {
        const operator = column === key.length - 1 ? own[last] : own[strict];
        const equal = key
          .slice(0, column)
          .map((before, place) => `${columns[place]} ${before.equal} ${value(place, cell)} AND `);
        return `${equal.join('')}${columns[column]} ${operator} ${value(column, cell)}`;
      })
      .join(' OR ');
  return {
    from,
    columns,
    orderBy: key.map(({ less }, column) => `${columns[column]} USING ${less}`).join(', '),
    is,
    behind: (cell) =>
      `${columns[0]} ${key[0]?.greaterOrEqual} ${value(0, cell)} AND (${chain(cell, 'greater', 'greater')})`,
    upTo: (cell) =>
      `${columns[0]} ${key[0]?.lessOrEqual} ${value(0, cell)} AND (${chain(cell, 'less', 'lessOrEqual')})`,
  };
}
