import type pg from 'pg';
import { z } from 'zod';
import type { Named, Standing } from '../../sink.ts';
import { tableName } from '../../table.ts';
import { alteringOf } from './altering.ts';
import { askJson } from './sessions.ts';

const described = z.object({ id: z.string(), files: z.array(z.string()) });

const named = z.object({
  id: z.string(),
  schema: z.string(),
  name: z.string(),
  types: z.record(z.string(), z.string()),
  altering: z.string().nullable(),
});

/** The present state of those tables that exist, by name; does not wait for locks. @throws EngineError */
export async function readStanding(
  session: pg.ClientBase,
  tables: readonly Named[],
): Promise<ReadonlyMap<string, Standing>> {
  const found = await askJson(
    session,
    named,
    `SELECT json_build_object('id', c.oid::text, 'schema', n.nspname, 'name', c.relname,
      'altering', ${alteringOf('c.oid')}, 'types', (
      SELECT coalesce(json_object_agg(a.attname, format_type(a.atttypid, a.atttypmod)), '{}') FROM pg_attribute AS a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped))::text
    FROM unnest($1::text[], $2::text[]) AS t (schema, name)
      JOIN pg_namespace AS n ON n.nspname = t.schema JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = t.name`,
    [tables.map(({ schema }) => schema), tables.map(({ name }) => name)],
  );
  return new Map(found.map(({ id, types, altering, ...table }) => [tableName(table), { id, types, altering }]));
}

/** The files that hold the tables' rows, one per partition, by table ID. @throws EngineError */
export async function readFiles(session: pg.ClientBase, ids: readonly string[]): Promise<Map<string, string[]>> {
  const tables = await askJson(
    session,
    described,
    `SELECT json_build_object('id', c.oid::text, 'files', (
      SELECT coalesce(json_agg(concat(p.oid, '/', p.relfilenode) ORDER BY p.oid), '[]')
      FROM (SELECT c.oid WHERE c.relkind = 'r'
          UNION ALL SELECT relid FROM pg_partition_tree(c.oid) WHERE c.relkind = 'p' AND isleaf) AS part (oid)
        JOIN pg_class AS p ON p.oid = part.oid))::text
    FROM pg_class AS c WHERE c.oid = ANY ($1::oid[])`,
    [ids],
  );
  return new Map(tables.map(({ id, files }) => [id, files]));
}
