import type pg from 'pg';
import { z } from 'zod';
import type { Statement } from '../../sink.ts';
import { otherName, quoteName } from '../../sql/names.ts';
import { askJson } from './sessions.ts';

/** Names of indexes and of constraints with an index: unique within a schema, whatever table they belong to. */

const name = String.raw`(?:"(?:[^"]|"")*"|[^\s".]+)`;
const head = new RegExp(
  `^CREATE (UNIQUE )?INDEX (?:IF NOT EXISTS )?${name} ON (?:ONLY )?${name}(?:\\.${name})?(?= USING )`,
);

/** What a CREATE INDEX says apart from names and storage; the server itself quotes a name only if necessary. */
export function indexDefinition(sql: string): string {
  return sql
    .replace(head, '$1')
    .replace(/ WITH \([^)]*\)/, '')
    .replace(/"([a-z_][a-z0-9_$]*)"/g, '$1');
}

/** What has an index name at the target: nothing, an index as the statement creates it, or something else. */
interface Use {
  is: 'free' | 'same' | 'other';
  /** Whether the statement has nothing left to do. */
  isMade: boolean;
}

type Named = NonNullable<Statement['named']>;

/**
 * A statement's steps, with a name that is available: two source tables may have come from two schemas. None if the
 * index exists: a lock may have hidden it before.
 */
export async function namedSteps(session: pg.ClientBase, statement: Statement): Promise<readonly string[]> {
  const { named } = statement;
  if (named && (await findIndexes(session, [named]))[0]) return [];
  const [use] = named ? await usesOf(session, [named]) : [];
  const { sql, steps = [sql] } = named && use?.is === 'other' ? named.otherwise : statement;
  return steps;
}

/** The same index under the name that it gets if its own is taken. */
function underOtherName(named: Named): Named {
  return { ...named, name: otherName({ schema: named.schema, name: named.table }, named.name) };
}

/** Whether the table already has the index, under its own name or its alternative one. */
export async function findIndexes(session: pg.ClientBase, wanted: readonly Named[]): Promise<boolean[]> {
  const uses = await usesOf(session, [...wanted, ...wanted.map(underOtherName)]);
  return wanted.map((_, place) => {
    const [own, other] = [uses[place], uses[wanted.length + place]];
    return own?.is === 'other' ? other?.isMade === true : own?.isMade === true;
  });
}

/**
 * Drops what is left of an interrupted CREATE INDEX CONCURRENTLY, which refuses rows and finds none.
 * @throws EngineError LOCK_TIMED_OUT while another session is still creating it
 */
export async function dropUnfinished(session: pg.ClientBase, named: Named): Promise<void> {
  const names = [named, underOtherName(named)].map(({ name }) => name);
  const left = await askJson(
    session,
    z.string(),
    `SELECT to_json(format('%I.%I', n.nspname, c.relname))::text
      FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_class AS t ON t.oid = i.indrelid
      WHERE n.nspname = $1 AND t.relname = $2 AND c.relname = ANY ($3) AND c.relkind = 'i' AND NOT i.indisvalid`,
    [named.schema, named.table, names],
  );
  for (const index of left) await session.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
}

async function usesOf(session: pg.ClientBase, wanted: readonly Named[]): Promise<Use[]> {
  const found = await askJson(
    session,
    z
      .object({
        isOwn: z.boolean(),
        isValid: z.boolean(),
        isConstraint: z.boolean(),
        definition: z.string().nullable(),
      })
      .nullable(),
    `SELECT coalesce((SELECT json_build_object('isOwn', coalesce(i.indrelid = t.oid, false),
          'isValid', coalesce(i.indisvalid, false), 'definition', pg_get_indexdef(i.indexrelid),
          'isConstraint', EXISTS (SELECT FROM pg_constraint AS o WHERE o.conindid = c.oid AND o.conrelid = t.oid
            AND o.contype IN ('p', 'u', 'x')))
        FROM pg_class AS t JOIN pg_class AS c ON c.relnamespace = t.relnamespace AND c.relname = w.name
          LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
        WHERE t.relnamespace = to_regnamespace(w.schema) AND t.relname = w.relation)::text, 'null')
      FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS w (schema, relation, name, place) ORDER BY place`,
    [wanted.map(({ schema }) => quoteName(schema)), wanted.map(({ table }) => table), wanted.map(({ name }) => name)],
  );
  return wanted.map(({ definition, isConstraint = false }, place): Use => {
    const one = found[place];
    if (!one) return { is: 'free', isMade: false };
    const isSame = !definition || indexDefinition(one.definition ?? '') === definition;
    if (!one.isOwn || !isSame) return { is: 'other', isMade: false };
    return { is: 'same', isMade: one.isValid && (one.isConstraint || !isConstraint) };
  });
}
