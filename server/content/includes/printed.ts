import type { PlacedLine } from './include.ts';

/** What code prints into documents: `params postgresql.source` → markdown, for `::params{of=postgresql.source}`. */
export type Prints = ReadonlyMap<string, string>;

const mark = /^::([a-z][\w-]*)(.*)$/i;
/** Whether a text may hold a mark. */
export const printedMark = /^::[a-z]/im;

/** The lines that code prints in the place of a mark; a problem for one that nobody prints. */
export type Printed = { lines: PlacedLine[] } | { problem: string };

/**
 * The lines that code prints in the place of a line; undefined for a line that is no mark.
 * @param mdc the page has components of Nuxt Content, which may have any name
 */
export function printedFor(line: PlacedLine, prints: Prints, mdc: boolean): Printed | undefined {
  const [, name, words = ''] = mark.exec(line.text) ?? [];
  if (name === undefined) return undefined;
  const keys = [...prints.keys()].filter((one) => one.startsWith(`${name} `)).map((one) => one.slice(name.length + 1));
  if (keys.length === 0) return mdc || !/^(?:\[.*\])?\{.*\}\s*$/.test(words) ? undefined : unknownName(name, prints);
  const key = /^\{of=([\w.-]+)\}[ \t]*$/.exec(words)?.[1];
  if (key === undefined) return { problem: `::${name} names no table: write ::${name}{of=…} with ${keys.join(', ')}.` };
  const text = prints.get(`${name} ${key}`);
  if (text === undefined) return { problem: `::${name} prints no “${key}”: it knows ${keys.join(', ')}.` };
  // An empty line on both sides, so that the table is one wherever the mark stands.
  return { lines: ['', ...text.split('\n'), ''].map((written) => ({ ...line, text: written })) };
}

function unknownName(name: string, prints: Prints): Printed {
  const names = new Set([...prints.keys()].map((key) => `::${key.replace(/ .*/, '')}`));
  return {
    problem: `::${name} is not known here, and shown as it is written. Tables are printed by ${[...names].join(', ')}.`,
  };
}
