/** A source as lines that know where they come from, and which of them are code. */

export interface Line {
  text: string;
  /** Line of the source, from 1. */
  at: number;
  /** Inside a fenced block (its fences too): dialects leave it alone. */
  code: boolean;
}

/** One way of writing markdown, brought to ours line by line. */
export type Dialect = (lines: Line[]) => Line[];

const opening = /^((?:\s|>|[-*+]\s|\d+[.)]\s)*)(`{3,}|~{3,})([^`]*)$/;

interface Fence {
  mark: string;
  column: number;
}

/** Cuts a source into lines and marks the fenced blocks; in MDX a block may end at any indentation. */
export function toLines(source: string, isMdx = false): Line[] {
  let fence: Fence | undefined;
  return source.split('\n').map((text, index) => {
    const line = { text, at: index + 1, code: fence !== undefined };
    if (fence !== undefined) {
      if (closes(text, fence, isMdx)) fence = undefined;
    } else {
      const found = opening.exec(text);
      if (found) fence = { mark: found[2] ?? '', column: (found[1] ?? '').length };
      line.code = fence !== undefined;
    }
    return line;
  });
}

/** True for the last line of a fenced block; a fence far to the right of it belongs to the code. */
function closes(text: string, { mark, column }: Fence, isMdx: boolean): boolean {
  const [, indent = '', found = ''] = /^([\s>]*)(`{3,}|~{3,})\s*$/.exec(text) ?? [];
  return found[0] === mark[0] && found.length >= mark.length && (isMdx || indent.length <= column + 3);
}

/** A line that comes from the same place as another. */
export function lineAt(origin: Line, text: string): Line {
  return { text, at: origin.at, code: false };
}

/** Blanks at the start of a line. */
export function indentOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? '';
}
