import pg from 'pg';

/** A name as PostgreSQL and SQLite take it in a statement: in double quotes, those inside doubled. */
export function quoteName(name: string): string {
  return pg.escapeIdentifier(name);
}

/** A table with its schema as a statement takes it. */
export function quoteTable({ schema, name }: { schema: string; name: string }): string {
  return schema === '' ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;
}

/** Names in a list, in this order. */
export function quoteNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}
