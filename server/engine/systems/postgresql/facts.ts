import type pg from 'pg';
import { z } from 'zod';
import { factsSchema, type TableFacts } from '../../facts.ts';
import { listed, type Table } from '../../table.ts';
import { readTables } from './catalog.ts';
import { firstOwnType } from './composed-types.ts';
import { isPartial, isWhole } from './named-log.ts';
import { askJson, askRow } from './sessions.ts';
import { widen } from './snapshot.ts';

const described = factsSchema.omit({ enums: true, composites: true, tellsWhole: true }).extend({
  id: z.string(),
  isMember: z.boolean(),
  /** Whether the publication contains only part of it. */
  isPartial: z.boolean(),
  /** Whether the publication contains every kind of change to it. */
  isWhole: z.boolean(),
  types: z.array(z.string()),
  parts: z.array(
    factsSchema.shape.parts.element.extend({
      name: z.string(),
      isUnlogged: z.boolean(),
      /** Whether the log contains whole old rows for it. */
      isFull: z.boolean(),
      xid: z.number(),
      isBorn: z.boolean(),
    }),
  ),
});

const root = { root: z.string() };
const partOfType = z.union([
  factsSchema.shape.enums.element.extend(root),
  factsSchema.shape.composites.unwrap().element.extend(root),
]);

const columns = `
  SELECT json_agg(json_build_object('number', a.attnum, 'name', a.attname, 'identity', a.attidentity,
    'expression', pg_get_expr(d.adbin, d.adrelid), 'entry', a.xmin::text, 'isFast', a.atthasmissing) ORDER BY a.attnum)
  FROM pg_attribute AS a LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`;

/**
 * ATTACH rewrites the entries of all columns along with the link to the parent; a partition created as one had some of
 * them before its link. Its first file has the table's OID as its number until it is truncated. A column's entry that
 * was dropped is not rewritten, and one that a command has touched in vain has another cmin: they prove nothing.
 */
const isBorn = `
  (l.relkind <> 'r' OR l.relfilenode = l.oid) AND EXISTS (
    SELECT FROM pg_attribute AS a JOIN pg_inherits AS i ON i.inhrelid = a.attrelid
    WHERE a.attrelid = l.oid AND a.attnum > 0 AND a.xmin = i.xmin AND a.cmin::text::int8 < i.cmin::text::int8
      AND NOT a.attisdropped AND a.xmax::text = '0' AND i.xmax::text = '0')`;

/**
 * Read from pg_inherits, since the partition functions wait for any session that has locked a partition. Each row of
 * pg_class by its index: the planner expects many rows of the recursion, and would read all of pg_class for each table.
 */
const parts = `
  WITH RECURSIVE tree (oid, link) AS (
    SELECT c.oid, ''
    UNION ALL SELECT i.inhrelid, tree.link || ' ' || i.xmin FROM tree JOIN pg_inherits AS i ON i.inhparent = tree.oid
    WHERE c.relkind = 'p' AND NOT i.inhdetachpending)
  SELECT json_agg(json_build_object('id', l.oid::text, 'file', l.relfilenode::text, 'link', tree.link,
    'name', s.nspname || '.' || l.relname, 'isUnlogged', l.relpersistence = 'u', 'isFull', l.relreplident = 'f', 'xid', l.xmin::text::int8,
    'isBorn', ${isBorn}) ORDER BY l.oid)
  FROM tree CROSS JOIN LATERAL (
      SELECT own.xmin, own.oid, own.relname, own.relnamespace, own.relkind, own.relfilenode, own.relpersistence,
        own.relreplident
      FROM pg_class AS own WHERE own.oid = tree.oid OFFSET 0) AS l
    JOIN pg_namespace AS s ON s.oid = l.relnamespace
  WHERE c.relkind = 'r' OR l.oid <> c.oid`;

/** Enums and composite types among types and inside them; read once for all tables, which share most of them. */
const typesQuery = `
  WITH RECURSIVE used (root, oid) AS (
    SELECT t.oid, t.oid FROM unnest($1::oid[]) AS t (oid)
    UNION
    SELECT used.root, part.oid FROM used JOIN pg_type AS t ON t.oid = used.oid,
      LATERAL (
        SELECT t.typelem UNION ALL SELECT t.typbasetype
        UNION ALL SELECT a.atttypid FROM pg_attribute AS a
          WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL SELECT r.rngsubtype FROM pg_range AS r WHERE t.oid IN (r.rngtypid, r.rngmultitypid)) AS part (oid))
  SELECT CASE t.typtype WHEN 'e' THEN json_build_object('root', used.root::text, 'schema', n.nspname, 'name', t.typname,
    'labels', (
      SELECT coalesce(json_agg(json_build_object('id', e.oid::text, 'label', e.enumlabel) ORDER BY e.enumsortorder), '[]')
      FROM pg_enum AS e WHERE e.enumtypid = t.oid))
  ELSE json_build_object('root', used.root::text, 'id', t.oid::text, 'schema', n.nspname, 'name', t.typname,
    'attributes', (
      SELECT coalesce(json_agg(a.attnum || ' ' || format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum), '[]')
      FROM pg_attribute AS a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped))
  END::text
  FROM used JOIN pg_type AS t ON t.oid = used.oid JOIN pg_namespace AS n ON n.oid = t.typnamespace
  WHERE t.typtype IN ('e', 'c') ORDER BY t.oid`;

/**
 * IDs of the publication's entries for tables and schemas: if one has changed, it was removed for a while. Found
 * through their dependencies, since version 14 has no entries for schemas.
 */
const entries = `
  SELECT whose.refclassid AS catalog, whose.refobjid AS oid, string_agg(DISTINCT own.objid::text, ' ') AS ids
  FROM pg_publication AS p
    JOIN pg_depend AS own ON own.refclassid = 'pg_publication'::regclass AND own.refobjid = p.oid
    JOIN pg_depend AS whose ON whose.classid = own.classid AND whose.objid = own.objid
      AND whose.refclassid IN ('pg_class'::regclass, 'pg_namespace'::regclass)
  WHERE p.pubname = $1 GROUP BY 1, 2`;

/** Altering which kinds of changes a publication contains rewrites its row. */
const continuity = `
  SELECT concat_ws(' ', p.oid, p.xmin, own.ids, of_schema.ids) FROM pg_publication AS p WHERE p.pubname = $1`;

const query = `
  WITH entry AS MATERIALIZED (${entries})
  SELECT json_build_object('id', c.oid::text,
    'isMember', c.oid IN (SELECT t.relid FROM pg_publication AS p, pg_get_publication_tables(p.pubname::text) AS t
      WHERE p.pubname = $1),
    'isPartial', EXISTS (SELECT FROM pg_publication AS p JOIN pg_publication_rel AS r ON r.prpubid = p.oid
      WHERE p.pubname = $1 AND r.prrelid = c.oid AND ${isPartial}),
    'isWhole', EXISTS (SELECT FROM pg_publication AS p
      WHERE p.pubname = $1 AND ${isWhole} AND (pubviaroot OR c.relkind = 'r')),
    'continuity', coalesce((${continuity}), ''),
    'key', coalesce((SELECT k.oid::text FROM pg_constraint AS k WHERE k.conrelid = c.oid AND k.contype = 'p'), ''),
    'columns', coalesce((${columns}), '[]'), 'parts', coalesce((${parts}), '[]'),
    'types', (SELECT coalesce(json_agg(DISTINCT a.atttypid::text), '[]') FROM pg_attribute AS a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid >= ${firstOwnType}))::text
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    LEFT JOIN entry AS own ON own.catalog = 'pg_class'::regclass AND own.oid = c.oid
    LEFT JOIN entry AS of_schema ON of_schema.catalog = 'pg_namespace'::regclass AND of_schema.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND (c.oid = ANY ($2::oid[])
    OR (n.nspname, c.relname) IN (SELECT t.schema, t.name FROM unnest($3::text[], $4::text[]) AS t (schema, name)))`;

/**
 * What the catalogue says about these tables, and about others that now have their names.
 * @param publication whose members are followed
 * @throws EngineError
 */
export async function readFacts(
  session: pg.ClientBase,
  publication: string,
  tables: readonly Table[],
): Promise<TableFacts[]> {
  const facts = await readOnce(session, publication, tables);
  // Publication members are reported as of now, everything else as of the snapshot: a table dropped in between still
  // appears, but not as a member.
  return facts.every(({ notTold }) => notTold === null) ? facts : await readOnce(session, publication, tables);
}

async function readOnce(session: pg.ClientBase, publication: string, tables: readonly Table[]): Promise<TableFacts[]> {
  await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const [newest] = await askRow(session, 'SELECT pg_snapshot_xmax(pg_current_snapshot())');
  const facts = await askJson(session, described, query, [
    publication,
    tables.map(({ id }) => id),
    tables.map(({ schema }) => schema),
    tables.map(({ name }) => name),
  ]);
  const typeParts = await askJson(session, partOfType, typesQuery, [[...new Set(facts.flatMap(({ types }) => types))]]);
  const now = await readTables(
    session,
    facts.map(({ id }) => id),
  );
  await session.query('COMMIT');
  const byId = new Map(now.map((table) => [table.id, table]));
  return facts.flatMap((found) => {
    const { types, parts: own, columns: ownColumns } = found;
    const table = byId.get(found.id);
    if (!table) return [];
    const used = typeParts.filter(({ root }) => types.includes(root)).map(({ root: _, ...one }) => one);
    const distinct = [...new Map(used.map((one) => [`${one.schema}.${one.name}`, one])).values()];
    const partsNow = own.map(({ id, file, link, isBorn, xid }) => {
      const transaction = String(widen(xid, BigInt(newest ?? 0)));
      return { id, file, link, isBorn, transaction };
    });
    return [
      {
        table,
        notTold: whyNotTold(found),
        columns: ownColumns,
        parts: partsNow,
        enums: distinct.filter((one) => 'labels' in one),
        composites: distinct.filter((one) => 'attributes' in one),
        continuity: found.continuity,
        key: found.key,
        tellsWhole: own.some(({ isFull }) => isFull),
      },
    ];
  });
}

function whyNotTold({ isMember, isPartial, isWhole, parts }: z.infer<typeof described>): string | null {
  if (!isMember) return 'the source no longer publishes its changes';
  if (!isWhole) return 'its publication leaves out a kind of change';
  if (isPartial) return 'its publication contains only part of it';
  const unlogged = parts.flatMap(({ name, isUnlogged }) => (isUnlogged ? [name] : []));
  return unlogged.length > 0 ? `unlogged tables are not in the log: ${listed(unlogged)}` : null;
}
