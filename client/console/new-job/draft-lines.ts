import { fitsPattern } from '../../contract/jobs/table-pattern.ts';
import type { JobDraft } from './draft.ts';

/** Prefix of what is left out. */
export const leftOutPrefix = '!';

/** Whether a line or column is left out. */
export const isLeftOut = (text: string) => text.startsWith(leftOutPrefix);

/** The name without the prefix. */
export const withoutPrefix = (text: string) => (isLeftOut(text) ? text.slice(leftOutPrefix.length).trim() : text);

/** The parts of a text, trimmed, each once; empty ones are dropped. */
export const partsOf = (text: string, separator: string) => [
  ...new Set(
    text
      .split(separator)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

/** Schema name that lists show for a system without schemas. */
export const onlySchema = 'main';

/** The tables of a draft, without duplicates. */
export function tablesOf({ tables }: JobDraft): string[] {
  return partsOf(tables, '\n').filter((line) => !isLeftOut(line));
}

/** A draft's table lines with another selection; tables that are left out stay so. */
export function withTables({ tables }: JobDraft, chosen: readonly string[]): string {
  return [...chosen, ...partsOf(tables, '\n').filter(isLeftOut)].join('\n');
}

/** Whether a table line is a pattern. */
export function isPattern(name: string): boolean {
  return name.includes('*');
}

/** For a table that no line names: whether a pattern of the draft takes it or leaves it out. */
export function patternEffectIn(draft: JobDraft): (name: string) => 'taken' | 'left out' | undefined {
  const tables = new Set(tablesOf(draft));
  const patterns = [...tables].filter(isPattern).map(splitName);
  const leftOut = partsOf(draft.tables, '\n').filter(isLeftOut).map(withoutPrefix).map(splitName);
  return (name) => {
    const { schema, table } = splitName(name);
    const fits = (one: { schema: string; table: string }) => one.schema === schema && fitsPattern(one.table, table);
    if (leftOut.some(fits)) return 'left out';
    return !tables.has(name) && patterns.some(fits) ? 'taken' : undefined;
  };
}

/** The name of a table, or of one of its columns, at the target. */
interface NewName {
  table: string;
  column: string | null;
  to: string;
}

/** The names of a draft; those without a selected table are `stray`. */
export function newNamesOf(draft: JobDraft): { names: NewName[]; stray: string[] } {
  const tables = new Set(tablesOf(draft));
  const names: NewName[] = [];
  const stray: string[] = [];
  for (const line of draft.names.split('\n').filter((one) => one.trim() !== '')) {
    const [from = '', to = ''] = line.split('->').map((part) => part.trim());
    const at = from.lastIndexOf('.');
    if (to !== '' && tables.has(from)) names.push({ table: from, column: null, to });
    else if (to !== '' && tables.has(from.slice(0, Math.max(0, at))))
      names.push({ table: from.slice(0, at), column: from.slice(at + 1), to });
    else stray.push(from);
  }
  return { names, stray };
}

/** A line of `schema.table: …`; without a colon it says nothing. */
interface TableLine {
  line: string;
  table: string;
  says: string | undefined;
}

/** The lines of `schema.table: …`. */
export function linesOf(lines: string): TableLine[] {
  return partsOf(lines, '\n').map((line) => {
    const [table = '', ...rest] = line.split(':');
    return { line, table: table.trim(), says: rest.length === 0 ? undefined : rest.join(':').trim() };
  });
}

/** What lines of `schema.table: …` say, by table name. */
export function byTable(lines: string): Map<string, string> {
  return new Map(
    linesOf(lines).flatMap(({ table, says }): [string, string][] => (says === undefined ? [] : [[table, says]])),
  );
}

/** The schema and the table that a line names; without schemas, the schema is empty. */
export function splitName(name: string): { schema: string; table: string } {
  const at = name.indexOf('.');
  return at === -1 ? { schema: '', table: name } : { schema: name.slice(0, at), table: name.slice(at + 1) };
}
