import type pg from 'pg';
import { z } from 'zod';
import type { DatabaseObject, Statement } from '../../sink.ts';
import { findIndexes } from './index-names.ts';
import { askJson } from './sessions.ts';

/**
 * Which of the statements make what the target has already, besides what its tables tell.
 * @throws EngineError
 */
export async function findMade(session: pg.ClientBase, statements: readonly Statement[]): Promise<boolean[]> {
  const objects = statements.flatMap(({ makes }) => makes ?? []);
  const names = statements.flatMap(({ named }) => named ?? []);
  const hasObject = await findObjects(session, objects);
  const hasIndex = await findIndexes(session, names);
  const found = new Map<object, boolean | undefined>([
    ...objects.map((object, place) => [object, hasObject[place]] as const),
    ...names.map((named, place) => [named, hasIndex[place]] as const),
  ]);
  return statements.map(({ makes, named }) => [makes, named].some((one) => one && found.get(one)));
}

function findObjects(session: pg.ClientBase, objects: readonly DatabaseObject[]): Promise<boolean[]> {
  return askJson(
    session,
    z.boolean(),
    `SELECT (CASE w.kind
        WHEN 'schema' THEN n.oid IS NOT NULL
        WHEN 'extension' THEN EXISTS (SELECT FROM pg_extension AS e WHERE e.extname = w.name)
        WHEN 'type' THEN EXISTS (SELECT FROM pg_type AS y WHERE y.typnamespace = n.oid AND y.typname = w.name)
        WHEN 'collation' THEN EXISTS (SELECT FROM pg_collation AS l WHERE l.collnamespace = n.oid AND l.collname = w.name)
        ELSE EXISTS (SELECT FROM pg_constraint AS o JOIN pg_class AS t ON t.oid = o.conrelid
          WHERE t.relnamespace = n.oid AND t.relname = w.relation AND o.conname = w.name
            AND (o.convalidated OR w.kind = 'constraint'))
      END)::text
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
        WITH ORDINALITY AS w (kind, schema, relation, name, place)
        LEFT JOIN pg_namespace AS n ON n.nspname = w.schema
      ORDER BY place`,
    [
      objects.map(({ kind }) => kind),
      objects.map(({ schema }) => schema),
      objects.map(({ table }) => table ?? null),
      objects.map(({ name }) => name),
    ],
  );
}
