import type pg from 'pg';
import { z } from 'zod';
import { askJson } from './sessions.ts';

const described = z.object({ id: z.string(), files: z.array(z.string()) });

/** The files that tables have their rows in, one of each partition, by the ids of the tables. @throws EngineError */
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
