import { z } from 'zod';

export const madeOfSchema = z.object({
  type: z.string(),
  attributes: z.array(z.object({ name: z.string(), type: z.string() })).nullable(),
});

/** Types below are the server's own, none of which is an enum. */
export const firstOwnType = 16_384;

/** SQL for a condition: the type is an array; `t` is its row in pg_type. */
const isArray = "t.typcategory = 'A' AND t.typelem <> 0 AND t.typlen = -1";

/** SQL for the subtype of a user-defined range or multirange; NULL for other types. */
const heldByRange = `(
  SELECT r.rngsubtype FROM pg_range AS r WHERE t.oid >= ${firstOwnType} AND t.oid IN (r.rngtypid, r.rngmultitypid))`;

/**
 * SQL for the row `t` of a type, by its index: the planner expects many rows of the recursions below, and would read all
 * of pg_type for each column. @param oid SQL for the type's OID
 */
const typeOf = (oid: string) => `CROSS JOIN LATERAL (
  SELECT own.oid, own.typtype, own.typcategory, own.typelem, own.typlen, own.typrelid, own.typbasetype, own.typtypmod
  FROM pg_type AS own WHERE own.oid = ${oid} OFFSET 0) AS t`;

/** SQL for the attributes of the composite type `t`; composite attributes are replaced by their own attributes. */
const attributes = `(
  WITH RECURSIVE part (path, name, oid, typmod, around) AS (
    SELECT ARRAY[a.attnum], a.attname::text, a.atttypid, a.atttypmod, ''
    FROM pg_attribute AS a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL
    SELECT part.path || step.number, part.name || step.name, step.oid, step.typmod, step.around || part.around
    FROM part ${typeOf('part.oid')}, LATERAL (
      SELECT 0::int2, '', t.typbasetype, t.typtypmod, '' WHERE t.typtype = 'd'
      UNION ALL SELECT 0::int2, '', t.typelem, part.typmod, '[]' WHERE ${isArray}
      UNION ALL SELECT 0::int2, '', ${heldByRange}, -1, ' range' WHERE ${heldByRange} IS NOT NULL
      UNION ALL SELECT a.attnum, '.' || a.attname, a.atttypid, a.atttypmod, ''
        FROM pg_attribute AS a WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped AND t.typtype = 'c'
    ) AS step (number, name, oid, typmod, around))
  SELECT json_agg(json_build_object('name', part.name, 'type', format_type(part.oid, part.typmod) || part.around)
    ORDER BY part.path)
  FROM part ${typeOf('part.oid')}
  WHERE t.typtype NOT IN ('d', 'c') AND NOT (${isArray}) AND ${heldByRange} IS NULL)`;

/**
 * SQL for what a user-defined type consists of, as JSON: the type under its domains, and the attributes of a composite
 * type; NULL if its name says everything. Arrays and ranges are described by what they contain.
 * @param type SQL for the type's OID, @param typmod SQL for its modifier
 */
export const madeOf = (type: string, typmod: string) => `CASE WHEN ${type} >= ${firstOwnType} THEN (
  WITH RECURSIVE base (oid, typmod, around, depth) AS (
    SELECT ${type}, ${typmod}, '', 0
    UNION ALL
    SELECT CASE WHEN t.typtype = 'd' THEN t.typbasetype WHEN t.typtype IN ('r', 'm') THEN ${heldByRange} ELSE t.typelem END,
      CASE t.typtype WHEN 'd' THEN t.typtypmod WHEN 'r' THEN -1 WHEN 'm' THEN -1 ELSE base.typmod END,
      CASE WHEN t.typtype = 'd' THEN '' WHEN t.typtype IN ('r', 'm') THEN ' range' ELSE '[]' END || base.around, base.depth + 1
    FROM base ${typeOf('base.oid')}
    WHERE t.typtype = 'd' OR ${isArray} OR ${heldByRange} IS NOT NULL)
  SELECT json_build_object('type', format_type(base.oid, base.typmod) || base.around, 'attributes',
    CASE WHEN t.typtype = 'c' THEN ${attributes} END)
  FROM base ${typeOf('base.oid')}
  WHERE t.typtype = 'c' OR format_type(base.oid, base.typmod) || base.around <> format_type(${type}, ${typmod})
  ORDER BY base.depth DESC LIMIT 1) END`;
