import type pg from 'pg';
import { z } from 'zod';
import { factsSchema, type TableFacts } from '../../facts.ts';
import type { Table } from '../../table.ts';
import { readTables } from './catalog.ts';
import { askJson, askRow } from './sessions.ts';
import { widen } from './snapshot.ts';

/** Types below are those of the server itself, none of which is an enum. */
const firstOwnType = 16_384;

const described = factsSchema.omit({ enums: true, continuity: true }).extend({
  id: z.string(),
  isTold: z.boolean(),
  types: z.array(z.string()),
  parts: z.array(factsSchema.shape.parts.element.extend({ xid: z.number(), isBorn: z.boolean() })),
});

const enumOfType = factsSchema.shape.enums.element.extend({ root: z.string() });

const columns = `
  SELECT json_agg(json_build_object('number', a.attnum, 'name', a.attname, 'identity', a.attidentity,
    'expression', pg_get_expr(d.adbin, d.adrelid), 'entry', a.xmin::text, 'isFast', a.atthasmissing) ORDER BY a.attnum)
  FROM pg_attribute AS a LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`;

/**
 * ATTACH writes the entries of all columns again, with its link to the parent; a partition that was made as one had some
 * before. Its first file has the number of the table until it is truncated.
 */
const isBorn = `
  (l.relkind <> 'r' OR l.relfilenode = l.oid) AND EXISTS (
    SELECT FROM pg_attribute AS a JOIN pg_inherits AS i ON i.inhrelid = a.attrelid
    WHERE a.attrelid = l.oid AND a.attnum > 0 AND a.xmin = i.xmin AND a.cmin::text::int8 < i.cmin::text::int8)`;

/** Read from pg_inherits, since the functions of partitions wait for everybody who has locked one. */
const parts = `
  WITH RECURSIVE tree (oid) AS (
    SELECT c.oid
    UNION ALL SELECT i.inhrelid FROM tree JOIN pg_inherits AS i ON i.inhparent = tree.oid
    WHERE c.relkind = 'p' AND NOT i.inhdetachpending)
  SELECT json_agg(json_build_object('id', l.oid::text, 'file', l.relfilenode::text, 'xid', l.xmin::text::int8,
    'isBorn', ${isBorn}) ORDER BY l.oid)
  FROM tree JOIN pg_class AS l ON l.oid = tree.oid WHERE c.relkind = 'r' OR l.oid <> c.oid`;

/** Enums among types and inside of them; asked once for all tables, which share most of theirs. */
const enumsQuery = `
  WITH RECURSIVE used (root, oid) AS (
    SELECT t.oid, t.oid FROM unnest($1::oid[]) AS t (oid)
    UNION
    SELECT used.root, part.oid FROM used JOIN pg_type AS t ON t.oid = used.oid,
      LATERAL (
        SELECT t.typelem UNION ALL SELECT t.typbasetype
        UNION ALL SELECT a.atttypid FROM pg_attribute AS a
          WHERE t.typtype = 'c' AND a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
        UNION ALL SELECT r.rngsubtype FROM pg_range AS r WHERE t.oid IN (r.rngtypid, r.rngmultitypid)) AS part (oid))
  SELECT json_build_object('root', used.root::text, 'schema', n.nspname, 'name', t.typname, 'labels', (
    SELECT coalesce(json_agg(json_build_object('id', e.oid::text, 'label', e.enumlabel) ORDER BY e.enumsortorder), '[]')
    FROM pg_enum AS e WHERE e.enumtypid = t.oid))::text
  FROM used JOIN pg_type AS t ON t.oid = used.oid JOIN pg_namespace AS n ON n.oid = t.typnamespace
  WHERE t.typtype = 'e' ORDER BY t.oid`;

const query = `
  SELECT json_build_object('id', c.oid::text,
    'isTold', c.oid IN (SELECT t.relid FROM pg_publication AS p, pg_get_publication_tables(p.pubname::text) AS t
      WHERE p.pubname = $1),
    'columns', coalesce((${columns}), '[]'), 'parts', coalesce((${parts}), '[]'),
    'types', (SELECT coalesce(json_agg(DISTINCT a.atttypid::text), '[]') FROM pg_attribute AS a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid >= ${firstOwnType}))::text
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND (c.oid = ANY ($2::oid[])
    OR (n.nspname, c.relname) IN (SELECT t.schema, t.name FROM unnest($3::text[], $4::text[]) AS t (schema, name)))`;

/**
 * What the catalogue says of these tables, and of others that have their names now.
 * @param publication whose members are told
 * @throws EngineError
 */
export async function readFacts(
  session: pg.ClientBase,
  publication: string,
  tables: readonly Table[],
): Promise<TableFacts[]> {
  const facts = await readOnce(session, publication, tables);
  // Members of a publication are told as they are now, all else as the snapshot has it: what was dropped in between is
  // still there, and not told.
  return facts.every(({ isTold }) => isTold) ? facts : await readOnce(session, publication, tables);
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
  const enums = await askJson(session, enumOfType, enumsQuery, [[...new Set(facts.flatMap(({ types }) => types))]]);
  const now = await readTables(
    session,
    facts.map(({ id }) => id),
  );
  await session.query('COMMIT');
  const byId = new Map(now.map((table) => [table.id, table]));
  return facts.flatMap(({ id, isTold, columns: ownColumns, types, parts: own }) => {
    const table = byId.get(id);
    if (!table) return [];
    const used = enums.filter(({ root }) => types.includes(root)).map(({ root: _, ...one }) => one);
    const distinct = [...new Map(used.map((one) => [`${one.schema}.${one.name}`, one])).values()];
    const named = own.map(({ xid, ...part }) => ({ ...part, transaction: String(widen(xid, BigInt(newest ?? 0))) }));
    return [{ table, isTold, columns: ownColumns, parts: named, enums: distinct, continuity: '' }];
  });
}
