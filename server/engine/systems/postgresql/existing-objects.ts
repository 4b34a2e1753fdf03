import pg from 'pg';
import { z } from 'zod';
import { EngineError } from '../../errors.ts';
import type { DatabaseObject, Statement } from '../../sink.ts';
import { tableName } from '../../table.ts';
import { findIndexes } from './index-names.ts';
import { askJson } from './sessions.ts';

type Named = NonNullable<Statement['named']>;

/**
 * Which of the statements create something that the target already has, apart from what its tables show.
 * @throws EngineError
 */
export async function findMade(
  session: pg.ClientBase,
  statements: readonly Statement[],
  whenLocked: 'wait' | 'leave-out' = 'wait',
): Promise<boolean[]> {
  const objects = statements.flatMap(({ makes }) => makes ?? []);
  const all = statements.flatMap(({ named }) => named ?? []);
  const locked = whenLocked === 'leave-out' ? await readLocks(session, all) : [];
  const names = all.filter((one) => !locked.some(({ table }) => table === nameOf(one)));
  const hasObject = await findObjects(session, objects);
  const hasIndex = await toldByWhom(session, names, findIndexes(session, names));
  const found = new Map<object, boolean | undefined>([
    ...objects.map((object, place) => [object, hasObject[place]] as const),
    ...names.map((named, place) => [named, hasIndex[place]] as const),
  ]);
  return statements.map(({ makes, named }) => [makes, named].some((one) => one && found.get(one)));
}

const lock = z.object({ table: z.string(), pid: z.number(), isHeld: z.boolean() });

/**
 * Names the session that holds an exclusive lock on an index's table: the server's error names neither session nor
 * table.
 */
export async function toldByWhom<T>(session: pg.ClientBase, names: readonly Named[], work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '55P03') throw error;
    const [found] = await readLocks(session, names);
    if (!found) throw error;
    const { table, pid, isHeld } = found;
    const place = { side: 'target', table, ...(isHeld && { subject: `session ${pid}` }), state: error.code } as const;
    throw new EngineError('LOCK_TIMED_OUT', place, { cause: error });
  }
}

/** Exclusive locks on the tables: those that are held, then those that are waited for, behind which everyone waits. */
function readLocks(session: pg.ClientBase, names: readonly Named[]): Promise<z.infer<typeof lock>[]> {
  return askJson(
    session,
    lock,
    `SELECT json_build_object('table', n.nspname || '.' || c.relname, 'pid', l.pid, 'isHeld', l.granted)::text
      FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE l.mode = 'AccessExclusiveLock'
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (n.nspname, c.relname) IN (SELECT w.schema, w.name FROM unnest($1::text[], $2::text[]) AS w (schema, name))
      ORDER BY l.granted DESC`,
    [names.map(({ schema }) => schema), names.map(({ table }) => table)],
  );
}

const nameOf = ({ schema, table }: Named) => tableName({ schema, name: table });

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
