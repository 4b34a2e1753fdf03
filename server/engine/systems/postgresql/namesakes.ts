import type pg from 'pg';
import { z } from 'zod';
import type { Named } from '../../sink.ts';
import { tableName } from '../../table.ts';
import { askJson } from './sessions.ts';

const namesake = z.object({ schema: z.string(), name: z.string(), what: z.string() });

/** What has these names and is none of the tables that a job can carry, by table name. @throws EngineError */
export async function readNamesakes(
  session: pg.ClientBase,
  tables: readonly Named[],
): Promise<ReadonlyMap<string, string>> {
  const found = await askJson(
    session,
    namesake,
    `SELECT json_build_object('schema', n.nspname, 'name', c.relname, 'what', CASE
        WHEN c.relispartition THEN 'a partition of ' || (SELECT s.nspname || '.' || p.relname
          FROM pg_inherits AS i JOIN pg_class AS p ON p.oid = i.inhparent JOIN pg_namespace AS s ON s.oid = p.relnamespace
          WHERE i.inhrelid = c.oid)
        ELSE CASE c.relkind WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view' WHEN 'f' THEN 'a foreign table'
          WHEN 'S' THEN 'a sequence' WHEN 'c' THEN 'a composite type' WHEN 'i' THEN 'an index' WHEN 'I' THEN 'an index'
          ELSE 'a table of an extension' END END)::text
      FROM unnest($1::text[], $2::text[]) AS w (schema, name) JOIN pg_namespace AS n ON n.nspname = w.schema
        JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = w.name
      WHERE c.relkind NOT IN ('r', 'p') OR c.relispartition OR EXISTS (
        SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`,
    [tables.map(({ schema }) => schema), tables.map(({ name }) => name)],
  );
  return new Map(found.map((one) => [tableName(one), one.what]));
}
