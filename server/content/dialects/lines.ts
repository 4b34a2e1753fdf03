/** A source line: where it comes from, and whether it is code. */
export interface Line {
  text: string;
  /** Line of the source, from 1. */
  at: number;
  /** Inside a code block (including its fences): dialects leave it alone. */
  code: boolean;
  /** Columns before the text of the list item that contains the line; absent outside lists. */
  base?: number;
}

/** What a source uses and is unsupported: reported at its place, so nothing is lost silently. */
export type UnknownRule =
  | 'unknown-component'
  | 'unknown-shortcode'
  | 'unclosed-shortcode'
  | 'unknown-expression'
  | 'unclosed'
  | 'mistaken-text';

/** Receives what is unsupported; `column` from 1. */
export type Tell = (line: Line, column: number, rule: UnknownRule, message: string) => void;

/** One markdown variant, converted to ours line by line. */
export type Dialect = (lines: Line[], tell: Tell) => Line[];

const opening = /^((?:\s|>|[-*+]\s|\d+[.)]\s)*)(`{3,}|~{3,})([^`]*)$/;

interface Fence {
  mark: string;
  column: number;
}

/** Splits a source into lines and marks the fenced blocks; in MDX a block may end at any indentation. */
export function toLines(source: string, isMdx = false): Line[] {
  const fence = fences(isMdx);
  return source.split('\n').map((text, index) => ({ text, at: index + 1, code: fence(text).inside }));
}

/** The line that closes the fenced block which lines leave open. */
export function missingFence(lines: readonly Line[]): string | undefined {
  const fence = fences(false);
  let open: Fence | undefined;
  for (const { text } of lines) open = fence(text).open;
  return open && ' '.repeat(open.column) + open.mark;
}

/** Follows fenced blocks from line to line. */
function fences(isMdx: boolean): (text: string) => { inside: boolean; open: Fence | undefined } {
  let open: Fence | undefined;
  return (text) => {
    const before = open;
    if (open) {
      if (closes(text, open, isMdx)) open = undefined;
    } else {
      const found = opening.exec(text);
      if (found) open = { mark: found[2] ?? '', column: (found[1] ?? '').length };
    }
    return { inside: before !== undefined || open !== undefined, open };
  };
}

/** True for the last line of a fenced block; a fence far to the right belongs to the code. */
function closes(text: string, { mark, column }: Fence, isMdx: boolean): boolean {
  const [, indent = '', found = ''] = /^([\s>]*)(`{3,}|~{3,})\s*$/.exec(text) ?? [];
  return found[0] === mark[0] && found.length >= mark.length && (isMdx || indent.length <= column + 3);
}

/** A line that comes from the same place as another. */
export function lineAt(origin: Line, text: string): Line {
  return { ...origin, text, code: false };
}

/** Leading blanks of a line. */
export function indentOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? '';
}

/** A line without its first blanks, at most this many. */
export function movedLeft(text: string, columns: number): string {
  return text.slice(Math.min(columns, indentOf(text).length));
}
