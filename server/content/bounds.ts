import { toLines } from './dialects/lines.ts';

/**
 * Limits of a page that is compiled. Larger files would hold up the start for minutes, and no reader would get through
 * them.
 */
export const bounds = {
  bytes: 1_000_000,
  lines: 20_000,
  /** Escapes, entities and tags outside code: the parser keeps a kilobyte for each. */
  escapes: 200_000,
  /** Columns of list and quotation markers before a line's text. */
  markColumns: 256,
  /** Nested `:::` blocks: the text of each is parsed again for the one around it. */
  openBlocks: 100,
  /**
   * Parser steps back through a paragraph, from each emphasis or link marker: about 6,000 markers in one take this
   * many.
   */
  stepsBack: 40_000_000,
  /** Parser steps to the end of a paragraph, from each code or comment marker that is never closed. */
  stepsOn: 100_000_000,
  /** Nested elements: React renders by recursion. */
  depth: 250,
} as const;

// Indentation and list and quotation markers, up to the last marker.
const marks = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*/;
const blockMark = /^[ \t]*:{3,}[ \t]*(?<name>[^\s:])?/;

/** Why a text is not compiled, as a sentence; undefined when it may be compiled. */
export function beyondBounds(file: string, source: string): string | undefined {
  const lines = toLines(source);
  if (lines.length > bounds.lines) return tooLong(file, lines.length);
  const escapes = lines.reduce((sum, { code, text }) => sum + (code ? 0 : (text.match(/[\\&<]/g)?.length ?? 0)), 0);
  if (escapes > bounds.escapes) return tooManyEscapes(file, escapes);
  const endless = endlessLine(source);
  if (endless !== undefined) return tooCrowded(file, endless);
  let openBlocks = 0;
  const deep = lines.find(({ code, text }) => {
    if (code) return false;
    const block = blockMark.exec(text);
    if (block) openBlocks = Math.max(0, openBlocks + (block.groups?.name ? 1 : -1));
    return openBlocks > bounds.openBlocks || (marks.exec(text)?.[0].length ?? 0) > bounds.markColumns;
  });
  return deep && tooDeep(file, deep.at);
}

/** The last line of the paragraph in which too much is opened and never closed. */
function endlessLine(source: string): number | undefined {
  let steps = 0;
  let line = -1;
  for (const paragraphs of source.trimEnd().split(/\n[ \t]*\n/)) {
    line += paragraphs.split('\n').length + 1;
    steps += neverClosed(paragraphs) * paragraphs.length;
    if (steps > bounds.stepsOn) return line;
  }
  return undefined;
}

const pairs: readonly [begin: RegExp, end: string][] = [
  [/<!--/g, '-->'],
  [/<\?/g, '?>'],
  [/<!\[CDATA\[/g, ']]>'],
  [/<![a-z]/gi, '>'],
];

/** How often the parser searches for an end in vain: a line or a cell may be a paragraph of its own. */
function neverClosed(text: string): number {
  const lengths = new Set(text.match(/`+/g)?.map((ticks) => ticks.length));
  const begun = text
    .split(/[\n|]/)
    .flatMap((part) => pairs.map(([begin, end]) => part.slice(part.lastIndexOf(end) + 1).match(begin)?.length ?? 0));
  // For code, the last marker of each length.
  return lengths.size + begun.reduce((sum, count) => sum + count, 0);
}

/** The message for a file with too many lines. */
export function tooLong(file: string, lines: number): string {
  return `The file ${file} has ${lines} lines; at most ${bounds.lines} are allowed. Split it.`;
}

function tooManyEscapes(file: string, count: number): string {
  return `The file ${file} has ${count} escapes, entities and tags; at most ${bounds.escapes} are allowed. Split it.`;
}

/** The message for markers that would take the parser minutes. */
export function tooCrowded(file: string, line: number): string {
  return `The file ${file} has too many emphasis, link and code markers in one paragraph, up to line ${line}. Split it.`;
}

/** The message for a file that is too large to be worth reading. */
export function tooLarge(file: string, bytes: number): string {
  const megabytes = (bytes / 1_000_000).toFixed(1);
  return `The file ${file} is ${megabytes} MB; at most ${bounds.bytes / 1_000_000} MB is allowed. Split it.`;
}

/** The message for lists, quotations or elements nested too deeply. */
export function tooDeep(file: string, line?: number): string {
  return `The file ${file} nests its blocks too deeply${line === undefined ? '' : ` in line ${line}`}.`;
}
