import { toLines } from './dialects/lines.ts';

/** The largest page that is compiled. Files beyond it would hold up the start for minutes, and no reader would get through. */
export const bounds = {
  bytes: 1_000_000,
  lines: 20_000,
  /** Of the marks of lists and quotations before the text of one line. */
  markColumns: 256,
  /** Of emphasis, links, strikes and code in one paragraph: what opens and never closes is looked for again by each. */
  inlineMarks: 4_000,
  /** Of elements within elements: React renders by recursion. */
  depth: 250,
} as const;

// Indentation and marks of lists and quotations, up to the last mark.
const marks = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*/;

/** Why a text is not compiled, as a sentence; undefined when it may be. */
export function beyondBounds(file: string, source: string): string | undefined {
  const lines = toLines(source);
  if (lines.length > bounds.lines)
    return `The file ${file} has ${lines.length} lines; pages of up to ${bounds.lines} are shown. Divide it.`;
  const crowded = crowdedLine(lines);
  if (crowded !== undefined)
    return `The file ${file} has more than ${bounds.inlineMarks} marks of emphasis, links and code in one paragraph, up to line ${crowded}. Divide it.`;
  const deep = lines.find(({ code, text }) => !code && (marks.exec(text)?.[0].length ?? 0) > bounds.markColumns);
  return deep && tooDeep(file, deep.at);
}

const inlineMarks = /[*_[\]~`<!]/g;
const quotation = /^(?:[ \t]*>)*[ \t]*/;
/** HTML up to the next empty line is no paragraph. */
const htmlBlock = /^<\/?[a-z][\w-]*[\s/>]/i;
/** Rows of tables, entries of lists and headings are paragraphs of their own. */
const ownParagraph = /^(?:\||[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|#{1,6}(?=[ \t]))/;

/** The line in which a paragraph has more marks than its text is compiled with. */
function crowdedLine(lines: ReturnType<typeof toLines>): number | undefined {
  let marks = 0;
  let isHtml = false;
  for (const { code, text, at } of lines) {
    const own = text.replace(quotation, '');
    const begins = code || own === '' || ownParagraph.test(own);
    if (begins) marks = 0;
    isHtml = !begins && (isHtml || (marks === 0 && htmlBlock.test(own)));
    if (code || isHtml) continue;
    marks += own.match(inlineMarks)?.length ?? 0;
    if (marks > bounds.inlineMarks) return at;
  }
  return undefined;
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
