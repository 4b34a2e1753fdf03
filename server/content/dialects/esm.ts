import { Parser } from 'acorn';
import jsx from 'acorn-jsx';
import { z } from 'zod';

const parser = Parser.extend(jsx());
// Characters that are parsed for one page: a statement that never ends is retried with every paragraph after it.
const mostParsed = 2_000_000;

/** How many lines the import and export statements starting at a line take; 0 when they are not JavaScript. */
export type CountStatementLines = (first: number) => number;

/** As in MDX, statements are read up to an empty line, and further when they are incomplete. */
export function statementLines(lines: readonly { text: string }[]): CountStatementLines {
  let left = mostParsed;
  return (first) => {
    if (left <= 0) return 0;
    for (let end = paragraphEnd(lines, first); ; end = paragraphEnd(lines, end)) {
      const found = longest(lines.slice(first, end).map(({ text }) => text));
      if (found !== 'incomplete') return found;
      if (end >= lines.length || left <= 0) return 0;
    }
  };

  /** How many of the first lines are statements. */
  function longest(texts: readonly string[]): number | 'incomplete' {
    let read = texts;
    while (read.length > 0 && left > 0) {
      const source = read.join('\n');
      left -= source.length;
      const result = parse(source);
      if ('lines' in result) return result.lines;
      if (result.wrongLine === undefined) return read === texts ? 'incomplete' : 0;
      read = read.slice(0, result.wrongLine - 1);
    }
    return 0;
  }
}

/** Index of the empty line after the next text; otherwise the end. */
function paragraphEnd(lines: readonly { text: string }[], from: number): number {
  let end = from;
  while (lines[end]?.text.trim() === '') end += 1;
  while (end < lines.length && lines[end]?.text.trim() !== '') end += 1;
  return end;
}

const place = z.object({ pos: z.number(), raisedAt: z.number() });

/** Lines of the statements, or the line that is not JavaScript; without it, more lines may follow. */
function parse(source: string): { lines: number } | { wrongLine: number | undefined } {
  try {
    const { body } = parser.parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
    const text = body.findIndex(({ type }) => !/^(?:Im|Ex)port/.test(type));
    // A comment may follow the last statement.
    if (text < 0) return { lines: source.split('\n').length };
    return { lines: body[text - 1]?.loc?.end.line ?? 0 };
  } catch (error) {
    const { data } = place.safeParse(error);
    if (!data || !(error instanceof SyntaxError)) throw error;
    // An unterminated comment is reported where it starts.
    const mayGoOn = data.raisedAt >= source.length || error.message.startsWith('Unterminated comment');
    return { wrongLine: mayGoOn ? undefined : source.slice(0, data.pos).split('\n').length };
  }
}
