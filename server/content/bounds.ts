import { toLines } from './dialects/lines.ts';

/** The largest page that is compiled. Files beyond it would hold up the start for minutes, and no reader would get through. */
export const bounds = {
  bytes: 1_000_000,
  lines: 20_000,
  /** Escapes, entities and tags outside of code: the parser keeps a kilobyte of each. */
  escapes: 200_000,
  /** Of the marks of lists and quotations before the text of one line. */
  markColumns: 256,
  /** `:::` blocks within each other: the text of each is parsed again for the one around it. */
  openBlocks: 100,
  /** Back through a paragraph, from each of its marks of emphasis and links: some 6,000 marks in one take as many. */
  stepsBack: 40_000_000,
  /** On to the end of a paragraph, from each mark of code or of a comment that nothing closes. */
  stepsOn: 100_000_000,
  /** Of elements within elements: React renders by recursion. */
  depth: 250,
} as const;

// Indentation and marks of lists and quotations, up to the last mark.
const marks = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*/;
const blockMark = /^[ \t]*:{3,}[ \t]*(?<name>[^\s:])?/;

/** Why a text is not compiled, as a sentence; undefined when it may be. */
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

/** The last line of the paragraph in which too much is opened and not closed. */
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

/** How often the parser looks for an end in vain: a line or a cell may be a paragraph of its own. */
function neverClosed(text: string): number {
  const lengths = new Set(text.match(/`+/g)?.map((ticks) => ticks.length));
  const begun = text
    .split(/[\n|]/)
    .flatMap((part) => pairs.map(([begin, end]) => part.slice(part.lastIndexOf(end) + 1).match(begin)?.length ?? 0));
  // Of code, the last mark of each length.
  return lengths.size + begun.reduce((sum, count) => sum + count, 0);
}

/** The sentence for a file of too many lines. */
export function tooLong(file: string, lines: number): string {
  return `The file ${file} has ${lines} lines; pages of up to ${bounds.lines} are shown. Divide it.`;
}

function tooManyEscapes(file: string, count: number): string {
  return `The file ${file} has ${count} escapes, entities and tags; pages of up to ${bounds.escapes} are shown. Divide it.`;
}

/** The sentence for marks that would take the parser minutes. */
export function tooCrowded(file: string, line: number): string {
  return `The file ${file} has too many marks of emphasis, links and code in one paragraph, up to line ${line}. Divide it.`;
}

/** The sentence for a file that need not be read to see that it is too large. */
export function tooLarge(file: string, bytes: number): string {
  const megabytes = (bytes / 1_000_000).toFixed(1);
  return `The file ${file} has ${megabytes} MB; pages of up to ${bounds.bytes / 1_000_000} MB are shown. Divide it.`;
}

/** The sentence for lists, quotations or elements within each other. */
export function tooDeep(file: string, line?: number): string {
  return `The file ${file} nests its blocks too deeply${line === undefined ? '' : ` in line ${line}`}.`;
}
