import type { JobDraft } from './draft.ts';
import { linesOf, newNamesOf, tablesOf } from './draft-lines.ts';

/** What is wrong with lines of `schema.table: …`: each must be about one selected table, with one line per table. */
export function faultOfLines(draft: JobDraft, lines: string): string | undefined {
  const tables = new Set(tablesOf(draft));
  const read = linesOf(lines);
  for (const { line, table, says } of read) {
    if (says === undefined) return `“${line}” has no colon after its table.`;
    if (!tables.has(table)) return `${table} is not one of the selected tables.`;
    if (says === '') return `Nothing follows the colon after ${table}.`;
  }
  return namedTwice(read.map(({ table }) => table));
}

/** What is wrong with the lines of new names. */
export function faultOfNames(draft: JobDraft): string | undefined {
  const { names, stray } = newNamesOf(draft);
  if (stray[0] !== undefined)
    return `${stray[0]} is neither a selected table nor a column of one, or its new name is missing.`;
  return namedTwice(names.map(({ table, column }) => (column === null ? table : `${table}.${column}`)));
}

function namedTwice(names: readonly string[]): string | undefined {
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  return twice && `${twice} has two lines.`;
}

/** What keeps a draft from becoming a job: skipping a faulty line would carry unwanted rows or columns. */
export function faultOfDraft(draft: JobDraft): string | undefined {
  return faultOfLines(draft, draft.columns) ?? faultOfLines(draft, draft.filters) ?? faultOfNames(draft);
}
