import type pg from 'pg';
import type { Statement } from '../../sink.ts';
import { quoteName } from '../../sql/names.ts';
import { askRow } from './sessions.ts';

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

/** The SQL of a statement under a name that it can have: two tables of a source may have come from two schemas. */
export async function namedSql(session: pg.ClientBase, { sql, named }: Statement): Promise<string> {
  if (!named) return sql;
  const [owner, definition] = await askRow(
    session,
    `SELECT coalesce(i.indrelid = t.oid, false), pg_get_indexdef(i.indexrelid)
      FROM pg_class AS t JOIN pg_class AS c ON c.relnamespace = t.relnamespace AND c.relname = $3
        LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
      WHERE t.relnamespace = to_regnamespace($1) AND t.relname = $2`,
    [quoteName(named.schema), named.table, named.name],
  );
  if (owner === undefined) return sql;
  const isSame = !named.definition || indexDefinition(definition ?? '') === named.definition;
  return owner === 't' && isSame ? sql : named.otherwise;
}
