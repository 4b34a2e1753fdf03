import type { PlacedLine } from './include.ts';

/** What code prints into documents: `params postgresql.source` → markdown, for `::params{of=postgresql.source}`. */
export type Prints = ReadonlyMap<string, string>;

const mark = /^::([a-z][\w-]*)(.*)$/i;
/** Whether a text may contain a marker. */
export const printedMark = /^::[a-z]/im;

/** The lines that code prints in place of a marker; a problem for an unknown marker. */
export type Printed = { lines: PlacedLine[] } | { problem: string };

/**
 * The lines that code prints in place of a line; undefined for a line that is not a marker.
 * @param mdc the page has Nuxt Content components, which may have any name
 */
export function printedFor(line: PlacedLine, prints: Prints, mdc: boolean): Printed | undefined {
  const [, name, words = ''] = mark.exec(line.text) ?? [];
  if (name === undefined) return undefined;
  const keys = [...prints.keys()].filter((one) => one.startsWith(`${name} `)).map((one) => one.slice(name.length + 1));
  if (keys.length === 0) return mdc || !/^(?:\[.*\])?\{.*\}\s*$/.test(words) ? undefined : unknownName(name, prints);
  const key = /^\{of=([\w.-]+)\}[ \t]*$/.exec(words)?.[1];
  if (key === undefined)
    return { problem: `::${name} names no table: write ::${name}{of=…} with one of ${keys.join(', ')}.` };
  const text = prints.get(`${name} ${key}`);
  if (text === undefined) return { problem: `::${name} has no table “${key}”: it has ${keys.join(', ')}.` };
  // An empty line on both sides, so it is a table wherever the marker is.
  return { lines: ['', ...text.split('\n'), ''].map((written) => ({ ...line, text: written })) };
}

function unknownName(name: string, prints: Prints): Printed {
  const names = new Set([...prints.keys()].map((key) => `::${key.replace(/ .*/, '')}`));
  return {
    problem: `::${name} is unknown and is shown as written. Tables are printed by ${[...names].join(', ')}.`,
  };
}
