import type { PlacedLine, TakePart } from './include.ts';

/** The lines of some ranges; numbers count from 1, both ends are included, a missing end is the file's. */
export function takeLines(...ranges: readonly { from?: number | undefined; to?: number | undefined }[]): TakePart {
  const last = Math.max(...ranges.map(({ from = 1, to = from }) => Math.max(from, to)));
  return (lines, tell) => {
    if (last > lines.length) tell(`has ${lines.length} lines, but line ${last} was requested`);
    return ranges.flatMap(({ from, to }) => lines.slice(Math.max((from ?? 1) - 1, 0), to ?? lines.length));
  };
}

/** What may surround a named part. */
export interface PartMarks {
  /** The part name that a line begins; undefined for other lines. */
  start(text: string): string | undefined;
  /** The part name that a line ends. */
  end(text: string): string | undefined;
}

/** All lines between a name's markers; markers of other names are left out too. */
export function takeNamed(name: string, marks: PartMarks): TakePart {
  return (lines) => {
    let inside = false;
    let found = false;
    const taken = lines.filter(({ text }) => {
      const starts = marks.start(text);
      const ends = marks.end(text);
      if (starts === name) {
        inside = true;
        found = true;
      }
      if (ends === name) inside = false;
      return inside && starts === undefined && ends === undefined;
    });
    return found ? taken : undefined;
  };
}

/** Lines moved left together, as far as all of them allow. */
export function dedented(lines: PlacedLine[]): PlacedLine[] {
  const indents = lines.filter(({ text }) => text.trim() !== '').map(({ text }) => text.search(/\S/));
  const indent = Math.min(...indents);
  return indent > 0 && Number.isFinite(indent)
    ? lines.map((line) => ({ ...line, text: line.text.slice(indent) }))
    : lines;
}
