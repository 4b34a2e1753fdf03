import pg from 'pg';
import { z } from 'zod';
import type { Finding } from '../../../finding.ts';
import { type Table, tableName } from '../../../table.ts';
import { grant } from '../rights.ts';
import { askJson } from '../sessions.ts';

/** Sequences are quoted for SQL. */
const hidden = z.object({ table: z.string(), sequence: z.string() });

/** Sequences that a column's default or identity uses. */
const askHidden = `
  SELECT DISTINCT json_build_object('table', c.oid::text, 'sequence', format('%I.%I', n.nspname, s.relname))::text
  FROM pg_class AS c
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      AND (a.atthasdef OR a.attidentity <> '')
    LEFT JOIN pg_attrdef AS ad ON ad.adrelid = c.oid AND ad.adnum = a.attnum
    JOIN pg_depend AS d ON (d.classid = 'pg_attrdef'::regclass AND d.objid = ad.oid AND d.refclassid = 'pg_class'::regclass)
      OR (d.classid = 'pg_class'::regclass AND d.deptype = 'i' AND d.refclassid = 'pg_class'::regclass AND d.refobjid = c.oid
        AND d.refobjsubid = a.attnum)
    JOIN pg_class AS s ON s.oid IN (d.refobjid, d.objid) AND s.relkind = 'S'
    JOIN pg_namespace AS n ON n.oid = s.relnamespace
  WHERE c.oid = ANY ($1::oid[]) AND NOT has_table_privilege(s.oid, 'SELECT') ORDER BY 1`;

/** Sequences whose values a job that creates structure would set at the target, and cannot read. @throws EngineError */
export async function sequenceFindings(
  session: pg.ClientBase,
  user: string,
  tables: readonly Table[],
): Promise<Finding[]> {
  const found = await askJson(session, hidden, askHidden, [tables.map(({ id }) => id)]);
  const byId = new Map(tables.map((table) => [table.id, tableName(table)]));
  const role = pg.escapeIdentifier(user);
  return found.map(({ table, sequence }) => ({
    type: 'PRIVILEGES',
    side: 'source',
    result: 'fault',
    sentence: `${user} is not allowed to read the sequence ${sequence}, whose value the target gets.`,
    sql: grant('readSequence', { sequence, role }),
    table: byId.get(table) ?? '',
  }));
}
