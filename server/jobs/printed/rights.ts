import type { Right } from '../../engine/systems/system.ts';
import { code, markdownTable } from './markdown-table.ts';

/** The privileges that a data source's user needs; names in the statements are examples. */
export function rightsTable(rights: readonly Right[]): string {
  if (rights.length === 0) return 'No privileges: anyone who can open the file can use it.';
  return markdownTable(
    ['Privilege', 'Needed', 'Statement'],
    rights.map(({ name, why, example }) => [name, why, code(example)]),
  );
}
