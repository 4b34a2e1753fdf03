import { isFollowable } from '../../followable.ts';
import { quoteTable } from '../../sql/names.ts';
import type { Table } from '../../table.ts';

/** What a publication that a job reads must contain. */
export const publicationOptions = `publish = 'insert, update, delete, truncate', publish_via_partition_root = true`;

/** Tables as a publication lists them: each on its own, without tables that inherit from it. */
export function publishedTables(tables: readonly Table[]): string {
  return tables.map((table) => `ONLY ${quoteTable(table)}`).join(', ');
}

/**
 * Tables that can be published: an unlogged one would be refused, and one without a key, say, would refuse its own
 * application's updates.
 */
export function publishable(tables: readonly Table[]): Table[] {
  return tables.filter(isFollowable);
}
