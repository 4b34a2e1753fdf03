import { createHash } from 'node:crypto';
import pg from 'pg';
import { tableName } from '../table.ts';

/** A name as PostgreSQL and SQLite accept it in a statement: in double quotes, with inner quotes doubled. */
export function quoteName(name: string): string {
  return pg.escapeIdentifier(name);
}

/** A table with its schema, quoted for a statement. */
export function quoteTable({ schema, name }: { schema: string; name: string }): string {
  return schema === '' ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;
}

/** Quoted names as a list, in this order. */
export function quoteNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}

/** How much of a name PostgreSQL keeps. */
const mostBytes = 63;

/** An alternative name for a table's index; always the same one, so that it is found again. */
export function otherName(table: { schema: string; name: string }, name: string): string {
  const mark = createHash('sha256')
    .update(`${tableName(table)} ${name}`)
    .digest('hex')
    .slice(0, 8);
  let kept = name;
  while (Buffer.byteLength(`${kept}_${mark}`) > mostBytes) kept = kept.slice(0, -1);
  return `${kept}_${mark}`;
}
