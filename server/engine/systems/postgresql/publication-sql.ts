import { isFollowable } from '../../followable.ts';
import { quoteTable } from '../../sql/names.ts';
import type { Table } from '../../table.ts';

/** What a publication that a job reads tells. */
export const publicationOptions = `publish = 'insert, update, delete, truncate', publish_via_partition_root = true`;

/** Tables as a publication lists them: each by itself, without those that inherit from it. */
export function publishedTables(tables: readonly Table[]): string {
  return tables.map((table) => `ONLY ${quoteTable(table)}`).join(', ');
}

/** Tables that may be published: of the others an unlogged one is refused, and one without key, say, would refuse its own application's updates. */
export function publishable(tables: readonly Table[]): Table[] {
  return tables.filter(isFollowable);
}
