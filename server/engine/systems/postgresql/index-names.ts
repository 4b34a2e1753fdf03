import type pg from 'pg';
import { z } from 'zod';
import type { Statement } from '../../sink.ts';
import { otherName, quoteName } from '../../sql/names.ts';
import { askJson } from './sessions.ts';

/** Names of indexes, and of constraints that have one: one name a schema, whatever table it belongs to. */

const name = String.raw`(?:"(?:[^"]|"")*"|[^\s".]+)`;
const head = new RegExp(
  `^CREATE (UNIQUE )?INDEX (?:IF NOT EXISTS )?${name} ON (?:ONLY )?${name}(?:\\.${name})?(?= USING )`,
);

/** What a CREATE INDEX says besides names and storage; the server itself quotes a name only where it has to. */
export function indexDefinition(sql: string): string {
  return sql
    .replace(head, '$1')
    .replace(/ WITH \([^)]*\)/, '')
    .replace(/"([a-z_][a-z0-9_$]*)"/g, '$1');
}

/** What a name of an index is at the target: nothing's, an index as the statement makes it, or something else's. */
type Use = 'free' | 'same' | 'other';

type Named = NonNullable<Statement['named']>;

/** The SQL of a statement under a name that it can have: two tables of a source may have come from two schemas. */
export async function namedSql(session: pg.ClientBase, { sql, named }: Statement): Promise<string> {
  if (!named) return sql;
  const [use] = await usesOf(session, [named]);
  return use === 'other' ? named.otherwise : sql;
}

/** Whether the table has the index already, under its own name or its other one. */
export async function findIndexes(session: pg.ClientBase, wanted: readonly Named[]): Promise<boolean[]> {
  const others = wanted.map((named) => {
    const { schema, table, name } = named;
    return { ...named, name: otherName({ schema, name: table }, name) };
  });
  const uses = await usesOf(session, [...wanted, ...others]);
  return wanted.map(
    (_, place) => uses[place] === 'same' || (uses[place] === 'other' && uses[wanted.length + place] === 'same'),
  );
}

async function usesOf(session: pg.ClientBase, wanted: readonly Named[]): Promise<Use[]> {
  const found = await askJson(
    session,
    z.object({ isOwn: z.boolean(), definition: z.string().nullable() }).nullable(),
    `SELECT coalesce((SELECT json_build_object('isOwn', coalesce(i.indrelid = t.oid, false), 'definition', pg_get_indexdef(i.indexrelid))
        FROM pg_class AS t JOIN pg_class AS c ON c.relnamespace = t.relnamespace AND c.relname = w.name
          LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
        WHERE t.relnamespace = to_regnamespace(w.schema) AND t.relname = w.relation)::text, 'null')
      FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS w (schema, relation, name, place) ORDER BY place`,
    [wanted.map(({ schema }) => quoteName(schema)), wanted.map(({ table }) => table), wanted.map(({ name }) => name)],
  );
  return wanted.map(({ definition }, place): Use => {
    const one = found[place];
    if (!one) return 'free';
    const isSame = !definition || indexDefinition(one.definition ?? '') === definition;
    return one.isOwn && isSame ? 'same' : 'other';
  });
}
