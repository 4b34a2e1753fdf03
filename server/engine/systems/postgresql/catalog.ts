import type pg from 'pg';
import { z } from 'zod';
import type { Named } from '../../sink.ts';
import { everyText, type Table, type TableSize, valuesAlone } from '../../table.ts';
import { baseOf } from './base-type.ts';
import { madeOf, madeOfSchema } from './composed-types.ts';
import { askJson } from './sessions.ts';

/** Types whose equal values have the same text and that every server sorts alike, under our session settings. */
const plainTypes = [
  'bool',
  'bytea',
  'char',
  'int2',
  'int4',
  'int8',
  'oid',
  'xid8',
  'pg_lsn',
  'uuid',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'bit',
  'varbit',
  'inet',
  'cidr',
  'macaddr',
  'macaddr8',
];

/** Types whose equal values always have the same text, under our session settings. */
const exactTypes = [...plainTypes, 'name', 'text', 'varchar'];

/**
 * Types whose order depends on no collation or declaration: no text, no enums, and nothing built on them, such as
 * jsonb.
 */
const orderedTypes = [...plainTypes, 'numeric', 'float4', 'float8', 'money', 'timetz', 'interval'];

const named = z.object({ schema: z.string(), name: z.string() });

const described = z.object({
  id: z.string(),
  schema: z.string(),
  name: z.string(),
  unlogged: z.boolean(),
  refusesWrites: z.boolean(),
  rows: z.number(),
  bytes: z.number(),
  columns: z
    .array(
      z.object({
        number: z.number(),
        name: z.string(),
        type: z.string(),
        made: madeOfSchema.nullable(),
        nullable: z.boolean(),
        generated: z.boolean(),
        collation: z.string().nullable(),
        exact: z.boolean(),
        /** None for uuid: text that spells UUIDs can become a uuid key, and no one spells the same UUID in two ways. */
        equality: z.string().nullable(),
        ordered: z.boolean(),
      }),
    )
    .nullable(),
  key: z.array(z.number()).nullable(),
  partitions: z.array(z.string()).nullable(),
});

/**
 * The index that identifies a row in the log: that of the replica identity, or the primary key. It must be valid and
 * immediate, since the log contains no deferrable key, and not WITHOUT OVERLAPS, which does not order rows. For a
 * partitioned table it is the root's primary key, if every partition logs by it. SQL for a subquery; `c` is the table's
 * row in pg_class.
 */
export const keyIndex = `
  SELECT i.indkey, i.indclass, i.indnkeyatts FROM pg_index AS i
  WHERE i.indrelid = c.oid AND i.indisvalid AND i.indimmediate AND i.indisunique AND NOT i.indisexclusion
    AND CASE WHEN c.relkind = 'r' AND c.relreplident = 'i' THEN i.indisreplident
      ELSE i.indisprimary AND (c.relkind = 'p' OR c.relreplident IN ('d', 'f')) END
    AND NOT EXISTS (
      SELECT FROM pg_attribute AS a
      WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey) AND a.attgenerated <> '')
    AND (c.relkind = 'r' OR NOT EXISTS (
      SELECT FROM pg_partition_tree(c.oid) AS p JOIN pg_class AS leaf ON leaf.oid = p.relid
      WHERE p.isleaf AND (leaf.relreplident = 'n' OR leaf.relreplident = 'i' AND NOT EXISTS (
        SELECT FROM pg_index AS own
        WHERE own.indrelid = leaf.oid AND own.indisreplident AND own.indisprimary))))`;

const columns = `
  SELECT json_agg(json_build_object(
    'number', a.attnum, 'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
    'made', ${madeOf('a.atttypid', 'a.atttypmod')}, 'nullable', NOT a.attnotnull, 'generated', a.attgenerated <> '',
    'collation', l.collnamespace::regnamespace || '.' || l.collname,
    'exact', (t.typname = ANY ($2) AND t.typnamespace = 'pg_catalog'::regnamespace
        OR t.typname = 'bpchar' AND a.atttypmod > 0 OR t.typtype = 'e')
      AND coalesce(l.collisdeterministic, true),
    'equality', CASE WHEN i.collation IS NOT NULL THEN 'collation ' || i.collation
      WHEN NOT l.collisdeterministic THEN 'collation ' || l.collname
      WHEN t.typname = 'uuid' THEN NULL
      WHEN e.typtype = 'e' OR e.typname IN ('text', 'varchar', 'name', 'char') AND e.typnamespace = 'pg_catalog'::regnamespace
        THEN '${everyText}' || e.around
      WHEN e.typname IN ('bpchar', 'citext') THEN e.typname || e.around ELSE '${valuesAlone}' END,
    'ordered', t.typname = ANY ($3) AND t.typnamespace = 'pg_catalog'::regnamespace) ORDER BY a.attnum)
  FROM pg_attribute AS a
    CROSS JOIN LATERAL (
      SELECT b.typname, b.typnamespace, b.typtype, CASE WHEN b.typlen = -1 AND b.typcategory = 'A' THEN b.typelem ELSE 0 END AS element,
        b.oid FROM pg_type AS b WHERE b.oid = ${baseOf('a.atttypid')}) AS t
    CROSS JOIN LATERAL (
      SELECT b.typname, b.typnamespace, b.typtype, CASE WHEN t.element <> 0 THEN '[]' ELSE '' END AS around
      FROM pg_type AS b WHERE b.oid = CASE WHEN t.element <> 0 THEN ${baseOf('t.element')} ELSE t.oid END) AS e
    LEFT JOIN pg_collation AS l ON l.oid = a.attcollation
    LEFT JOIN LATERAL (
      SELECT min(other.collname::text) AS collation FROM pg_index AS i,
        unnest(i.indkey::int2[], i.indcollation::oid[]) AS k (number, sorts)
        JOIN pg_collation AS other ON other.oid = k.sorts
      WHERE i.indrelid = a.attrelid AND i.indisunique AND k.number = a.attnum AND NOT other.collisdeterministic) AS i ON true
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`;

const partitions = `
  WITH RECURSIVE tree (oid) AS (
    SELECT c.oid UNION ALL SELECT i.inhrelid FROM tree JOIN pg_inherits AS i ON i.inhparent = tree.oid)
  SELECT coalesce(json_agg(s.nspname || '.' || p.relname), '[]')
  FROM tree JOIN pg_class AS p ON p.oid = tree.oid JOIN pg_namespace AS s ON s.oid = p.relnamespace
  WHERE p.oid <> c.oid`;

/**
 * Whether a publication makes the server refuse updates and deletes on the table: from version 18 on, if its replica
 * identity is FULL and includes computed columns.
 */
const refusesWrites = `
  current_setting('server_version_num')::int >= 180000 AND EXISTS (
    SELECT FROM (SELECT c.oid UNION ALL SELECT relid FROM pg_partition_tree(c.oid)) AS part (oid)
      JOIN pg_class AS r ON r.oid = part.oid JOIN pg_attribute AS a ON a.attrelid = r.oid
    WHERE r.relkind = 'r' AND r.relreplident = 'f' AND a.attgenerated <> '' AND NOT a.attisdropped)`;

const isTable = `c.relkind IN ('r', 'p') AND c.relpersistence <> 't'`;

/** Sizes are the server's estimates: asking for exact ones would wait for every session that has locked a table. */
const tablesQuery = `
  SELECT json_build_object(
    'id', c.oid::text, 'schema', n.nspname, 'name', c.relname, 'unlogged', c.relpersistence = 'u',
    'refusesWrites', ${refusesWrites},
    'rows', size.rows, 'bytes', size.bytes, 'columns', (${columns}),
    'partitions', CASE WHEN c.relkind = 'p' THEN (${partitions}) END,
    'key', (SELECT json_agg(k.number ORDER BY k.place) FROM (${keyIndex}) AS i,
      unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place) WHERE k.place <= i.indnkeyatts))::text
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace,
    LATERAL (
      SELECT coalesce(sum(greatest(p.reltuples, pg_stat_get_live_tuples(p.oid), 0)), 0)::int8 AS rows,
        coalesce(sum(greatest(p.relpages, 0) + coalesce(greatest(t.relpages, 0), 0)), 0)
          * current_setting('block_size')::int8 AS bytes
      FROM (SELECT c.oid WHERE c.relkind = 'r'
          UNION ALL SELECT relid FROM pg_partition_tree(c.oid) WHERE c.relkind = 'p' AND isleaf) AS part (oid)
        JOIN pg_class AS p ON p.oid = part.oid LEFT JOIN pg_class AS t ON t.oid = p.reltoastrelid) AS size
  WHERE ${isTable}`;

/** Restricts to tables in the schemas of `$1`, or in all except the server's own; partitions are part of their root. */
const inSchemas = `
  NOT c.relispartition
  AND CASE WHEN cardinality($1::text[]) > 0 THEN n.nspname = ANY ($1)
    ELSE n.nspname !~ '^pg_' AND n.nspname NOT IN ('information_schema', 'millrace') END
  AND NOT EXISTS (
    SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/** The names of the same tables as in `readCatalog`, without a look at what they contain. @throws EngineError */
export async function readNames(session: pg.ClientBase, schemas: readonly string[]): Promise<Named[]> {
  return await askJson(
    session,
    named,
    `SELECT json_build_object('schema', n.nspname, 'name', c.relname)::text
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE ${isTable} AND ${inSchemas} ORDER BY n.nspname, c.relname`,
    [schemas],
  );
}

/**
 * Every table in these schemas, or in all except the server's own; partitions are part of their root.
 * @throws EngineError
 */
export async function readCatalog(
  session: pg.ClientBase,
  schemas: readonly string[],
): Promise<(Table & { size: TableSize })[]> {
  const tables = await askJson(session, described, `${tablesQuery} AND ${inSchemas} ORDER BY n.nspname, c.relname`, [
    schemas,
    exactTypes,
    orderedTypes,
  ]);
  return tables.map((table) => ({ ...toTable(table), size: { rows: table.rows, bytes: table.bytes } }));
}

/** The tables with these IDs as they are now; tables that are gone are left out. @throws EngineError */
export async function readTables(session: pg.ClientBase, ids: readonly string[]): Promise<Table[]> {
  const tables = await askJson(session, described, `${tablesQuery} AND c.oid = ANY ($1::oid[])`, [
    ids,
    exactTypes,
    orderedTypes,
  ]);
  return tables.map(toTable);
}

function toTable(found: z.infer<typeof described>): Table {
  const { id, schema, name, unlogged, refusesWrites: refuses, columns, key, partitions: parts } = found;
  const own = columns ?? [];
  const places = (key ?? []).map((number) => own.findIndex((column) => column.number === number));
  return {
    id,
    schema,
    name,
    columns: own.map((column) => ({
      name: column.name,
      type: column.type,
      ...(column.made !== null && { made: column.made }),
      nullable: column.nullable,
      generated: column.generated,
      ...(column.collation !== null && { collation: column.collation }),
      ...(column.equality !== null && { equality: column.equality }),
    })),
    key: places,
    exactKey: places.length > 0 && places.every((place) => own[place]?.exact === true),
    ordered: places.length > 0 && places.every((place) => own[place]?.ordered === true),
    ...(parts && { partitions: parts }),
    ...(unlogged && { unlogged }),
    ...(refuses && { refusesWrites: refuses }),
  };
}
