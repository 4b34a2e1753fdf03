import type pg from 'pg';
import { z } from 'zod';
import { EngineError } from '../../errors.ts';
import { missingTable } from '../../namesakes.ts';
import { keyColumns } from '../../sql/columns.ts';
import { quoteName, quoteTable } from '../../sql/names.ts';
import { type Table, tableName } from '../../table.ts';
import { alteringOf } from './altering.ts';
import { readNamesakes } from './namesakes.ts';
import { askJson } from './sessions.ts';
import { textCast } from './text-cast.ts';

const operators = {
  less: z.string(),
  lessOrEqual: z.string(),
  equal: z.string(),
  greaterOrEqual: z.string(),
  greater: z.string(),
};

const described = z.object({
  partitioned: z.boolean(),
  /** Another table references it, so it cannot be truncated alone. */
  referenced: z.boolean(),
  mayTruncate: z.boolean(),
  /** A trigger or rule that would alter rows. */
  altering: z.string().nullable(),
  /** How many unique indexes and exclusion constraints there are, including the key's own. */
  uniques: z.number(),
  columns: z.array(z.object({ name: z.string(), cast: z.string(), identityAlways: z.boolean() })),
  /** The unique index on exactly the key's columns. */
  index: z
    .object({
      deferrable: z.boolean(),
      columns: z.array(z.object({ name: z.string(), ...operators })),
    })
    .nullable(),
});

/** Operators are those of the index: citext and others have theirs outside pg_catalog. */
const describeTable = `
  SELECT json_build_object(
    'partitioned', c.relkind = 'p',
    'referenced', EXISTS (
      SELECT FROM pg_constraint AS f WHERE f.contype = 'f' AND f.confrelid = c.oid AND f.conrelid <> c.oid),
    'mayTruncate', has_table_privilege(c.oid, 'TRUNCATE'),
    'altering', ${alteringOf('c.oid')},
    'uniques', (SELECT count(*) FROM pg_index AS i WHERE i.indrelid = c.oid AND (i.indisunique OR i.indisexclusion)),
    'columns', (
      SELECT coalesce(json_agg(json_build_object('name', a.attname, 'cast', ${textCast('a.atttypid')},
        'identityAlways', a.attidentity = 'a')), '[]')
      FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    'index', (
      SELECT json_build_object('deferrable', NOT i.indimmediate, 'columns', (
        SELECT json_agg(json_build_object('name', a.attname, 'less', op.texts[1], 'lessOrEqual', op.texts[2],
          'equal', op.texts[3], 'greaterOrEqual', op.texts[4], 'greater', op.texts[5]))
        FROM unnest(i.indkey::int2[], i.indclass::oid[]) AS k (number, class)
          JOIN pg_opclass AS class ON class.oid = k.class
          JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.number,
          LATERAL (
            SELECT array_agg(format('OPERATOR(%I.%s)', n.nspname, o.oprname) ORDER BY m.amopstrategy) AS texts
            FROM pg_amop AS m JOIN pg_operator AS o ON o.oid = m.amopopr JOIN pg_namespace AS n ON n.oid = o.oprnamespace
            WHERE m.amopfamily = class.opcfamily AND m.amoplefttype = class.opcintype
              AND m.amoprighttype = class.opcintype AND m.amoppurpose = 's') AS op))
      FROM pg_index AS i
      WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
        AND (SELECT m.amname FROM pg_class AS ic JOIN pg_am AS m ON m.oid = ic.relam WHERE ic.oid = i.indexrelid) = 'btree'
        AND (SELECT array_agg(a.attname::text ORDER BY a.attname::text COLLATE "C")
          FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
            JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.number
          WHERE k.place <= i.indnkeyatts) = (SELECT array_agg(k ORDER BY k COLLATE "C") FROM unnest($3::text[]) AS k)
      ORDER BY i.indimmediate DESC, i.indisprimary DESC LIMIT 1))::text
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p')`;

/** What statements need to know about a target table. */
export interface TargetTable {
  table: Table;
  /** Its name in a statement, and the same with ONLY if its children's rows are not its own. */
  name: string;
  only: string;
  /** What follows `::` when a cell's text becomes a column value. */
  casts: readonly string[];
  /** Columns that UPDATE cannot set. */
  fixed: ReadonlySet<number>;
  /**
   * Whether a row can be replaced by ON CONFLICT: not with a deferrable key, or with a fixed column outside the key.
   */
  canUpsert: boolean;
  canTruncate: boolean;
  /**
   * Whether nothing refuses a second row with a key: a deferrable key is checked by a trigger, and triggers are
   * disabled.
   */
  canDouble: boolean;
  /** Whether rows can conflict with each other, so that the order of a batch matters. */
  hasFurtherUnique: boolean;
  /** Operators of the key's columns, in key order. */
  operators: readonly { [operator in keyof typeof operators]: string }[];
}

/**
 * @throws EngineError TABLE_MISSING, NOT_A_TABLE, COLUMN_MISSING, TABLE_WITHOUT_KEY if there is no unique index on the key, or
 * TRIGGER_IN_THE_WAY if the table would not store rows as they are
 */
export async function readTargetTable(session: pg.ClientBase, table: Table): Promise<TargetTable> {
  const place = { side: 'target', table: tableName(table) } as const;
  const keys = keyColumns(table).map(({ name }) => name);
  const [known] = await askJson(session, described, describeTable, [table.schema, table.name, keys]);
  if (!known) throw missingTable('target', table, await readNamesakes(session, [table]));
  if (known.altering !== null) throw new EngineError('TRIGGER_IN_THE_WAY', { ...place, subject: known.altering });
  const columns = table.columns.map((column) => {
    const there = known.columns.find(({ name }) => name === column.name);
    if (!there) throw new EngineError('COLUMN_MISSING', { ...place, column: column.name });
    return there;
  });
  const own = keys.map((key) => known.index?.columns.find(({ name }) => name === key));
  if (own.includes(undefined)) throw new EngineError('TABLE_WITHOUT_KEY', place);
  const fixed = new Set(columns.flatMap(({ identityAlways }, column) => (identityAlways ? [column] : [])));
  const name = quoteTable(table);
  return {
    table,
    name,
    only: known.partitioned ? name : `ONLY ${name}`,
    casts: columns.map(({ cast }) => cast),
    fixed,
    canUpsert: known.index?.deferrable === false && [...fixed].every((column) => table.key.includes(column)),
    hasFurtherUnique: known.uniques > 1,
    canDouble: known.index?.deferrable === true,
    canTruncate: known.mayTruncate && !known.referenced,
    operators: own.filter((operator) => operator !== undefined),
  };
}

/** A condition: two rows have the same key. */
export function sameKey({ table, operators }: TargetTable, one: string, other: string): string {
  return keyColumns(table)
    .map(({ name }, place) => `${one}.${quoteName(name)} ${operators[place]?.equal} ${other}.${quoteName(name)}`)
    .join(' AND ');
}

/** Empties a table, and never any other. */
export function emptyStatement({ only, canTruncate }: TargetTable): string {
  return canTruncate ? `TRUNCATE ${only}` : `DELETE FROM ${only}`;
}
