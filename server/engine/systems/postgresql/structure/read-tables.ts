import type pg from 'pg';
import { z } from 'zod';
import { askJson } from '../sessions.ts';

/** What the source's catalogue says about a table's structure; texts are the server's own SQL, with qualified names. */

const sequence = z.object({
  schema: z.string(),
  name: z.string(),
  /** Quoted as the server quotes it in its texts. */
  sqlName: z.string(),
  /** Whether it is dropped with the column. */
  owned: z.boolean(),
  /** IDs of the tables of other columns that use it as well; a partition's columns are its table's. */
  sharedBy: z.array(z.string()),
  type: z.string(),
  start: z.string(),
  increment: z.string(),
  least: z.string(),
  most: z.string(),
  cache: z.string(),
  cycles: z.boolean(),
});

const column = z.object({
  name: z.string(),
  type: z.string(),
  typeId: z.string(),
  isDomain: z.boolean(),
  collation: z.string().nullable(),
  notNull: z.boolean(),
  /** `a` always, `d` by default, or empty. */
  identity: z.string(),
  /** `s` stored, `v` virtual, or empty. */
  generated: z.string(),
  /** The default, or the expression of a generated column. */
  expression: z.string().nullable(),
  /** Whether the expression calls something that is not replicated, or uses several sequences. */
  calls: z.boolean(),
  /** Columns named in a generated column's expression. */
  columns: z.array(z.string()),
  sequence: sequence.nullable(),
});

const constraint = z.object({
  name: z.string(),
  /** `p` primary key, `u` unique, `x` exclusion or WITHOUT OVERLAPS, `c` check, `f` foreign key. */
  kind: z.enum(['p', 'u', 'x', 'c', 'f']),
  columns: z.array(z.string()),
  definition: z.string(),
  /** Included columns of its index. */
  included: z.array(z.string()),
  /**
   * The statement that creates a unique constraint's index separately; null if it is none, or its index cannot be
   * separate.
   */
  index: z.string().nullable(),
  /** Whether its index covers all rows and only columns, no expressions. */
  isPlain: z.boolean(),
  calls: z.boolean(),
  /** For a foreign key: whether its last columns are periods. */
  hasPeriod: z.boolean(),
  /**
   * For a foreign key: the referenced table and columns, and those of its own columns that a delete sets, if listed.
   */
  references: z
    .object({ id: z.string(), columns: z.array(z.string()), setColumns: z.array(z.string()), name: z.string() })
    .nullable(),
});

const index = z.object({
  name: z.string(),
  definition: z.string(),
  isUnique: z.boolean(),
  /** Without included columns. */
  columns: z.array(z.string()),
  included: z.array(z.string()),
  /** Whether it covers all rows and only columns, no expressions. */
  isPlain: z.boolean(),
  calls: z.boolean(),
});

const division = z.object({
  /** The server's own text, such as `RANGE (id)`. */
  key: z.string(),
  columns: z.array(z.string()),
  /** Whether it uses only columns, no expressions. */
  isPlain: z.boolean(),
  calls: z.boolean(),
});

const partition = z.object({
  schema: z.string(),
  name: z.string(),
  parentId: z.string(),
  id: z.string(),
  bound: z.string(),
  division: division.nullable(),
});

const table = z.object({
  id: z.string(),
  schema: z.string(),
  /** Quoted as the server quotes it in its texts. */
  name: z.string(),
  sqlName: z.string(),
  division: division.nullable(),
  columns: z.array(column),
  constraints: z.array(constraint),
  indexes: z.array(index),
  /** Parents before their children. */
  partitions: z.array(partition),
  /** Objects that are not replicated, as people name them. */
  left: z.array(z.string()),
  /** The same of single partitions, which may be very many. */
  leftOfPartitions: z.array(z.string()),
});

export type TableStructure = z.infer<typeof table>;
export type DivisionStructure = z.infer<typeof division>;
export type ColumnStructure = z.infer<typeof column>;
export type ConstraintStructure = z.infer<typeof constraint>;
export type IndexStructure = z.infer<typeof index>;
export type SequenceStructure = z.infer<typeof sequence>;

/**
 * Whether an object calls a function or an operator of its own database; those of extensions come with the extension.
 */
export const calls = (catalog: string, oid: string) => `EXISTS (
  SELECT FROM pg_depend AS d WHERE d.classid = '${catalog}'::regclass AND d.objid = ${oid}
    AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass)
    AND NOT EXISTS (SELECT FROM pg_depend AS e WHERE e.classid = d.refclassid AND e.objid = d.refobjid AND e.deptype = 'e'))`;

/** How many sequences a default uses. */
const sequencesOf = (oid: string) => `(
  SELECT count(DISTINCT d.refobjid) FROM pg_depend AS d JOIN pg_class AS s ON s.oid = d.refobjid AND s.relkind = 'S'
  WHERE d.classid = 'pg_attrdef'::regclass AND d.objid = ${oid} AND d.refclassid = 'pg_class'::regclass)`;

const columnNames = (relation: string, numbers: string) => `(
  SELECT coalesce(json_agg(a.attname ORDER BY k.place), '[]')
  FROM unnest(${numbers}) WITH ORDINALITY AS k (number, place)
    JOIN pg_attribute AS a ON a.attrelid = ${relation} AND a.attnum = k.number)`;

/** A column's NOT NULL constraint that existing rows may violate. */
const unproven = `
  SELECT FROM pg_constraint AS o
  WHERE o.conrelid = a.attrelid AND o.contype = 'n' AND o.conkey = ARRAY[a.attnum] AND NOT o.convalidated`;

const columns = `
  SELECT json_agg(json_build_object(
    'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'typeId', a.atttypid::text, 'isDomain', t.typtype = 'd',
    'collation', (SELECT format('%I.%I', n.nspname, l.collname) FROM pg_collation AS l
      JOIN pg_namespace AS n ON n.oid = l.collnamespace WHERE l.oid = a.attcollation AND a.attcollation <> t.typcollation),
    'notNull', a.attnotnull AND NOT EXISTS (${unproven}), 'identity', a.attidentity, 'generated', a.attgenerated,
    'expression', pg_get_expr(ad.adbin, ad.adrelid), 'calls', ${calls('pg_attrdef', 'ad.oid')} OR ${sequencesOf('ad.oid')} > 1,
    'columns', (SELECT coalesce(json_agg(DISTINCT o.attname), '[]')
      FROM pg_depend AS d JOIN pg_attribute AS o ON o.attrelid = d.refobjid AND o.attnum = d.refobjsubid
      WHERE d.classid = 'pg_attrdef'::regclass AND d.objid = ad.oid AND d.refclassid = 'pg_class'::regclass
        AND d.refobjid = c.oid AND o.attnum <> a.attnum),
    'sequence', (
      SELECT json_build_object('schema', n.nspname, 'name', s.relname,
        'sqlName', format('%I.%I', n.nspname, s.relname), 'owned', EXISTS (
          SELECT FROM pg_depend AS o WHERE o.classid = 'pg_class'::regclass AND o.objid = s.oid
            AND o.refclassid = 'pg_class'::regclass AND o.refobjid = c.oid AND o.refobjsubid = a.attnum),
        'sharedBy', (
          SELECT coalesce(json_agg(r.oid::text), '[]') FROM pg_depend AS d JOIN pg_attrdef AS o ON o.oid = d.objid JOIN pg_class AS r ON r.oid = o.adrelid
          WHERE d.classid = 'pg_attrdef'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = s.oid
            AND o.oid IS DISTINCT FROM ad.oid AND NOT r.relispartition),
        'type', format_type(q.seqtypid, NULL), 'start', q.seqstart::text, 'increment', q.seqincrement::text,
        'least', q.seqmin::text, 'most', q.seqmax::text, 'cache', q.seqcache::text, 'cycles', q.seqcycle)
      FROM pg_class AS s JOIN pg_namespace AS n ON n.oid = s.relnamespace JOIN pg_sequence AS q ON q.seqrelid = s.oid
      WHERE EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_attrdef'::regclass AND d.objid = ad.oid
          AND d.refclassid = 'pg_class'::regclass AND d.refobjid = s.oid)
        OR EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = s.oid AND d.deptype = 'i'
          AND d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid AND d.refobjsubid = a.attnum)
      LIMIT 1)) ORDER BY a.attnum)
  FROM pg_attribute AS a JOIN pg_type AS t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef AS ad ON ad.adrelid = a.attrelid AND ad.adnum = a.attnum
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`;

const constraints = `
  SELECT json_agg(json_build_object('name', o.conname, 'kind', CASE WHEN i.indisexclusion THEN 'x' ELSE o.contype END, 'columns', ${columnNames('o.conrelid', 'o.conkey')},
    'definition', pg_get_constraintdef(o.oid), 'calls', ${calls('pg_constraint', 'o.oid')},
    'hasPeriod', coalesce((to_jsonb(o) ->> 'conperiod')::bool AND o.contype = 'f', false),
    'included', ${columnNames('o.conrelid', '(i.indkey::int2[])[i.indnkeyatts:]')},
    'index', CASE WHEN o.contype = 'u' AND NOT i.indisexclusion THEN pg_get_indexdef(i.indexrelid) END,
    'isPlain', i.indexrelid IS NULL OR (i.indexprs IS NULL AND i.indpred IS NULL),
    'references', CASE WHEN o.contype = 'f' THEN json_build_object('id', o.confrelid::text,
      'columns', ${columnNames('o.confrelid', 'o.confkey')}, 'setColumns', ${columnNames('o.conrelid', 'o.confdelsetcols')}, 'name', format('%I.%I', rn.nspname, r.relname)) END)
    ORDER BY o.contype <> 'p', o.conname)
  FROM pg_constraint AS o LEFT JOIN pg_index AS i ON i.indexrelid = o.conindid AND o.contype IN ('p', 'u', 'x')
    LEFT JOIN pg_class AS r ON r.oid = o.confrelid LEFT JOIN pg_namespace AS rn ON rn.oid = r.relnamespace
  WHERE o.conrelid = c.oid AND o.contype IN ('p', 'u', 'x', 'c', 'f') AND o.conparentid = 0`;

const indexes = `
  SELECT json_agg(json_build_object('name', ic.relname, 'definition', pg_get_indexdef(i.indexrelid), 'isUnique', i.indisunique,
    'columns', ${columnNames('i.indrelid', '(i.indkey::int2[])[:i.indnkeyatts - 1]')},
    'included', ${columnNames('i.indrelid', '(i.indkey::int2[])[i.indnkeyatts:]')}, 'isPlain', i.indexprs IS NULL AND i.indpred IS NULL,
    'calls', ${calls('pg_class', 'i.indexrelid')}) ORDER BY ic.relname)
  FROM pg_index AS i JOIN pg_class AS ic ON ic.oid = i.indexrelid
  WHERE i.indrelid = c.oid AND i.indisvalid
    AND NOT EXISTS (SELECT FROM pg_constraint AS o WHERE o.conindid = i.indexrelid AND o.contype IN ('p', 'u', 'x'))`;

/** How a table is partitioned; NULL if it is not. */
const divisionOf = (relation: string) => `(
  SELECT json_build_object('key', pg_get_partkeydef(t.partrelid), 'columns', ${columnNames(relation, 't.partattrs::int2[]')},
    'isPlain', t.partexprs IS NULL, 'calls', ${calls('pg_class', 't.partrelid')})
  FROM pg_partitioned_table AS t WHERE t.partrelid = ${relation})`;

const partitions = `
  SELECT json_agg(json_build_object('schema', n.nspname, 'name', p.relname, 'parentId', tree.parentrelid::oid::text, 'id', p.oid::text,
    'bound', pg_get_expr(p.relpartbound, p.oid), 'division', ${divisionOf('p.oid')}) ORDER BY tree.level, p.relname)
  FROM pg_partition_tree(c.oid) AS tree JOIN pg_class AS p ON p.oid = tree.relid JOIN pg_namespace AS n ON n.oid = p.relnamespace
  WHERE tree.level > 0`;

/** Indexes and constraints that a partition does not have from its table. */
const ownOfPartition = `
  SELECT 'index ' AS kind, ic.relname AS name, i.indrelid AS of
  FROM pg_index AS i JOIN pg_class AS ic ON ic.oid = i.indexrelid
  WHERE i.indrelid = tree.relid AND i.indisvalid AND NOT ic.relispartition
    AND NOT EXISTS (SELECT FROM pg_constraint AS o WHERE o.conindid = i.indexrelid AND o.contype IN ('p', 'u', 'x'))
  UNION ALL SELECT 'constraint ', o.conname, o.conrelid
  FROM pg_constraint AS o
  WHERE o.conrelid = tree.relid AND o.contype IN ('p', 'u', 'x', 'c', 'f') AND o.conparentid = 0 AND o.coninhcount = 0`;

const left = `
  SELECT json_agg(what ORDER BY what) FROM (
    SELECT 'trigger ' || t.tgname AS what FROM pg_trigger AS t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal
    UNION ALL SELECT 'policy ' || p.polname FROM pg_policy AS p WHERE p.polrelid = c.oid
    UNION ALL SELECT 'rule ' || r.rulename FROM pg_rewrite AS r WHERE r.ev_class = c.oid
    UNION ALL SELECT 'inheritance from ' || i.inhparent::regclass FROM pg_inherits AS i WHERE i.inhrelid = c.oid AND NOT c.relispartition
    UNION ALL SELECT 'grants' WHERE c.relacl IS NOT NULL) AS objects`;

const leftOfPartitions = `
  SELECT json_agg(own.kind || own.name || ' of partition ' || own.of::regclass ORDER BY own.of::regclass::text, own.kind, own.name)
  FROM pg_partition_tree(c.oid) AS tree, LATERAL (${ownOfPartition}) AS own WHERE tree.level > 0`;

/** @throws EngineError */
export async function readTableStructures(session: pg.ClientBase, ids: readonly string[]): Promise<TableStructure[]> {
  return await askJson(
    session,
    table,
    `SELECT json_build_object('id', c.oid::text, 'schema', n.nspname, 'name', c.relname, 'sqlName', format('%I.%I', n.nspname, c.relname),
      'division', ${divisionOf('c.oid')},
      'columns', coalesce((${columns}), '[]'), 'constraints', coalesce((${constraints}), '[]'),
      'indexes', coalesce((${indexes}), '[]'), 'partitions', coalesce((${partitions}), '[]'), 'left', coalesce((${left}), '[]'),
      'leftOfPartitions', coalesce((${leftOfPartitions}), '[]'))::text
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE c.oid = ANY ($1::oid[])`,
    [ids],
  );
}
