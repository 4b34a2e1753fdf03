import type { PlacedLine } from './include.ts';

/** What code prints into documents: `params postgresql.source` → markdown, for `::params{of=postgresql.source}`. */
export type Prints = ReadonlyMap<string, string>;

const mark = /^::([a-z]+)\{of=([\w.-]+)\}[ \t]*$/;
/** Whether a text may hold a mark. */
export const printedMark = /^::[a-z]+\{of=/m;

/** The lines that code prints in the place of a mark; a problem for a key that nobody prints. */
export type Printed = { lines: PlacedLine[] } | { problem: string };

/** What stands in the place of a line; undefined for a line that is no mark of ours. */
export function printedFor(line: PlacedLine, prints: Prints): Printed | undefined {
  const [, name, key] = mark.exec(line.text) ?? [];
  if (name === undefined) return undefined;
  const keys = [...prints.keys()].filter((one) => one.startsWith(`${name} `)).map((one) => one.slice(name.length + 1));
  // Nuxt Content has components of any name.
  if (keys.length === 0) return undefined;
  const text = prints.get(`${name} ${key}`);
  if (text === undefined) return { problem: `::${name} prints no “${key}”: it knows ${keys.join(', ')}.` };
  // An empty line on both sides, so that the table is one wherever the mark stands.
  return { lines: ['', ...text.split('\n'), ''].map((written) => ({ ...line, text: written })) };
}
