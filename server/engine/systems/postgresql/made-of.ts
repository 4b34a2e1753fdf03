import { z } from 'zod';

export const madeOfSchema = z.object({
  type: z.string(),
  attributes: z.array(z.object({ name: z.string(), type: z.string() })).nullable(),
});

/** Types below are those of the server itself, none of which is an enum. */
export const firstOwnType = 16_384;

/**
 * SQL of what a type of somebody's own is made of, as JSON: the type under its domains, and the attributes of a composite
 * type; NULL where its name says all of it. Arrays are told by what they hold.
 * @param type SQL of the type, @param typmod of its length
 */
export const madeOf = (type: string, typmod: string) => `CASE WHEN ${type} >= ${firstOwnType} THEN (
  WITH RECURSIVE base (oid, typmod, dimensions, depth) AS (
    SELECT ${type}, ${typmod}, '', 0
    UNION ALL
    SELECT CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.typelem END,
      CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE base.typmod END,
      CASE t.typtype WHEN 'd' THEN base.dimensions ELSE base.dimensions || '[]' END, base.depth + 1
    FROM base JOIN pg_type AS t ON t.oid = base.oid
    WHERE t.typtype = 'd' OR t.typcategory = 'A' AND t.typelem <> 0 AND t.typlen = -1)
  SELECT json_build_object('type', format_type(base.oid, base.typmod) || base.dimensions, 'attributes', (
    SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
    FROM pg_attribute AS a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped))
  FROM base JOIN pg_type AS t ON t.oid = base.oid
  WHERE t.typtype = 'c' OR format_type(base.oid, base.typmod) || base.dimensions <> format_type(${type}, ${typmod})
  ORDER BY base.depth DESC LIMIT 1) END`;
