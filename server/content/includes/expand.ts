import { toLines } from '../dialects/lines.ts';
import { looksLikeMdc } from '../dialects/syntax.ts';
import type { PlacedFault } from '../page-facts.ts';
import { imports, importsOf, withProps } from './imports.ts';
import type { FindIncludes, Include, Place, PlacedLine } from './include.ts';
import { mdbook, withoutEscapes } from './mdbook.ts';
import { type Prints, printedFor, printedMark } from './printed.ts';
import type { IncludedFile, ReadInclude } from './read-include.ts';
import { shortcodes } from './shortcodes.ts';
import { isSnippetFence, listedSnippet, snippets, withoutSemicolon } from './snippets.ts';
import { vitepress } from './vitepress.ts';

export interface Expanded {
  lines: PlacedLine[];
  faults: PlacedFault[];
  /** Every place that was checked, below the content folder: a change there changes the page. */
  looked: Set<string>;
}

export interface ExpandOptions {
  /** The page's file, below the content folder. */
  file: string;
  read: ReadInclude;
  snippetFolders: readonly string[];
  prints: Prints;
}

// Finding markers is quadratic in the line length at worst, and holds up the start.
const limits = { depth: 10, files: 1_000, characters: 1_000_000, line: 1_000 };
const kinds: readonly FindIncludes[] = [mdbook, vitepress, snippets, shortcodes, imports];
const anyMark =
  /\{\{\s*#(?:include|rustdoc_include|play|title)|<<<|-8<-|@include:|\{[*!]|\{\{[<%]\s*(?:include|readfile)\b|\{%-?\s*include|^import\s.*(?:\.mdx?|\.markdown|raw-loader!.*|\?raw)['"]/m;

/**
 * A page's lines with other files in place of its markers, as the page's own tool includes them, and with what code
 * prints; undefined for a page that includes nothing.
 */
export function expandIncludes(source: string, options: ExpandOptions): Expanded | undefined {
  if (!anyMark.test(source) && !(options.prints.size > 0 && printedMark.test(source))) return undefined;
  const made: Expanded = { lines: [], faults: [], looked: new Set() };
  const lines = source.split('\n').map((text, index) => ({ text, at: index + 1 }));
  const budget = { files: 0, characters: 0 };
  const scope = { ...options, made, budget, page: options.file, stack: [], inCode: false };
  made.lines = expanded(lines, scope).map(withoutOpening);
  return made;
}

/** At the start of a page, a part's rule would begin the page's front matter. */
function withoutOpening(line: PlacedLine, index: number): PlacedLine {
  return index === 0 && line.file !== undefined ? { ...line, text: line.text.replace(/^---[ \t]*$/, '***') } : line;
}

interface Scope extends ExpandOptions {
  made: Expanded;
  budget: { files: number; characters: number };
  page: string;
  /** Real paths of the files that are being included. */
  stack: readonly string[];
  /** The marker that these lines replace is in a code block. */
  inCode: boolean;
}

function expanded(lines: PlacedLine[], scope: Scope): PlacedLine[] {
  const flags = toLines(lines.map(({ text }) => text).join('\n'), scope.file.endsWith('.mdx'));
  const paths = importsOf(flags);
  const mdc = looksLikeMdc(flags);
  let inList = false;
  return lines.flatMap((line, index): PlacedLine[] => {
    const code = scope.inCode || (flags[index]?.code ?? false);
    const place = { file: scope.file, code, imports: paths, snippetFolders: scope.snippetFolders };
    if (isSnippetFence(line.text)) {
      inList = !inList;
      return [];
    }
    const printed = code ? undefined : printedLines(line, mdc, scope);
    if (printed) return printed;
    const found = inList ? listedSnippet(line.text, place) : includesOf(line.text, place);
    if (found.length === 0) return inList ? withoutHidden(line) : [withoutMarks(line)];
    return filled(line, found, code, scope);
  });
}

/** In a list of files an empty line stays, a hidden name is removed. */
function withoutHidden(line: PlacedLine): PlacedLine[] {
  return line.text.trim() === '' ? [line] : [];
}

function withoutMarks(line: PlacedLine): PlacedLine {
  return { ...line, text: withoutSemicolon(withoutEscapes(line.text)) };
}

/** What code prints for a line; an unknown marker is reported and shown as written. */
function printedLines(line: PlacedLine, mdc: boolean, scope: Scope): PlacedLine[] | undefined {
  const printed = printedFor(line, scope.prints, mdc);
  if (!printed) return undefined;
  const place = { line: line.at, column: 1, ...(line.file !== undefined && { file: line.file }) };
  if ('problem' in printed) scope.made.faults.push({ ...place, rule: 'unknown-print', message: printed.problem });
  else if (takesIn(lengthOf(printed.lines), scope)) return printed.lines;
  else {
    const message = `The output of ${line.text.trim()} is not included: it makes the page too large.`;
    scope.made.faults.push({ ...place, rule: 'missing-include', message });
  }
  return [line];
}

/** Counts what will be included, beforehand; false once it is too much for a page. */
function takesIn(characters: number, { budget }: Scope): boolean {
  budget.characters += characters;
  return budget.files <= limits.files && budget.characters <= limits.characters;
}

function lengthOf(lines: readonly PlacedLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.length + 1, 0);
}

function includesOf(text: string, place: Place): Include[] {
  if (text.length > limits.line) return [];
  let last = 0;
  return kinds
    .flatMap((kind) => kind(text, place))
    .sort((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      const isNext = start >= last;
      if (isNext) last = end;
      return isNext;
    });
}

/** A line with files in place of its markers. */
function filled(line: PlacedLine, includes: readonly Include[], code: boolean, scope: Scope): PlacedLine[] {
  const made: PlacedLine[] = [];
  let open = { ...line, text: '' };
  let last = 0;
  for (const include of includes) {
    open = { ...open, text: open.text + line.text.slice(last, include.start) };
    last = include.end;
    // The text before the marker applies to every line: indentation and quotation markers, in mdBook anything.
    const prefix = include.repeatsPrefix ? open.text : (/^[\s>]*/.exec(open.text)?.[0] ?? '');
    const [first, ...rest] = linesOf(include, prefix.length, line, code, scope);
    if (!first) continue;
    const isOnly = open.text === prefix;
    const placed = [{ ...(isOnly ? first : open), text: open.text + first.text }].concat(
      rest.map((one) => ({ ...one, text: one.text === '' && prefix.trim() === '' ? '' : prefix + one.text })),
    );
    made.push(...placed.slice(0, -1));
    open = placed.at(-1) ?? open;
  }
  return [...made, { ...open, text: open.text + line.text.slice(last) }];
}

/** @param before how many characters precede each of the lines */
function linesOf(include: Include, before: number, line: PlacedLine, code: boolean, scope: Scope): PlacedLine[] {
  const { made, stack } = scope;
  const report = (message: string): void => {
    const place = { line: line.at, column: include.start + 1, ...(line.file !== undefined && { file: line.file }) };
    made.faults.push({ ...place, rule: 'missing-include', message });
  };
  const tell = (problem: string): PlacedLine[] => {
    report(`The file ${include.written} is not included: it ${problem}.`);
    // In code, the marker may be what the page is about.
    return code ? [{ ...line, text: line.text.slice(include.start, include.end) }] : [];
  };
  if (include.candidates.length === 0) return tell('is not markdown');
  if (!takesIn(0, scope)) return tell('makes the page too large');
  const found = scope.read(include.candidates);
  lookedAt(include, found, made.looked);
  if ('problem' in found) return tell(found.problem);
  if (stack.includes(found.path)) return tell('includes itself');
  if (stack.length >= limits.depth) return tell(`is nested in more than ${limits.depth} files that include each other`);
  if (!takesIn(lengthOfProps(include, found), scope)) return tell('makes the page too large');
  const lines = taken(include, found, (problem) => report(`The file of ${include.written} ${problem}.`));
  if (lines === undefined) return tell('has no part of that name');
  // What is shown as code is not read.
  if (!include.take && !code && include.fence === undefined) made.faults.push(...found.front.faults);
  scope.budget.files += 1;
  if (!takesIn(lengthOf(lines), scope)) return tell('makes the page too large');
  const all =
    include.fence === undefined
      ? expanded(lines, { ...scope, file: found.file, stack: [...stack, found.path], inCode: code })
      : fenced(lines, include.fence, line);
  // Before they are built: a long prefix and a large file make hundreds of megabytes.
  return before === 0 || takesIn(before * all.length, scope) ? all : tell('makes the page too large');
}

/** The largest size that a part's property texts may reach in it. */
function lengthOfProps({ props = new Map() }: Include, { text }: IncludedFile): number {
  const longest = Math.max(0, ...[...props.values()].map((value) => value.length));
  return longest * (text.split('{').length - 1);
}

/** An existing file hides the candidates after it; a new file at a candidate before it would be taken instead. */
function lookedAt({ candidates }: Include, found: ReturnType<ReadInclude>, looked: Set<string>): void {
  for (const candidate of candidates) {
    looked.add(candidate);
    if ('file' in found && candidate === found.file) return;
  }
}

function taken(
  include: Include,
  { file, text, front }: IncludedFile,
  tell: (problem: string) => void,
): PlacedLine[] | undefined {
  const all = text.replace(/\n$/, '').split('\n');
  const own = include.ownLinks && { ownLinks: true as const };
  const lines = all.map((one, index): PlacedLine => ({ text: one, at: index + 1, file, ...own }));
  const flags = include.props?.size ? toLines(text, true) : [];
  const filledIn =
    flags.length === 0
      ? lines
      : lines.map((line, index) => (flags[index]?.code ? line : withProps(line, include.props ?? new Map())));
  return include.take ? include.take(filledIn, tell) : filledIn.slice(front.lines);
}

/** A file as a code block; its fence is longer than any in the file. */
function fenced(lines: PlacedLine[], words: string, { at, file }: PlacedLine): PlacedLine[] {
  const longest = Math.max(3, ...lines.map(({ text }) => (/^\s*(`{3,})/.exec(text)?.[1]?.length ?? 0) + 1));
  const edge = (text: string): PlacedLine => ({ text, at, ...(file !== undefined && { file }) });
  const fence = '`'.repeat(longest);
  return [edge(fence + words), ...lines, edge(fence)];
}
