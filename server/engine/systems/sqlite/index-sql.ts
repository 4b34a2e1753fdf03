/** What a CREATE INDEX statement says and SQLite's catalogue does not. */
export interface IndexSql {
  /** The indexed expressions, in order, with their collation and without ASC and DESC. */
  parts: readonly string[];
  /** The condition of a partial index. */
  where: string | null;
}

/** String literals, quoted names, comments, words, and every other character. */
const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\w$\u{80}-\u{10ffff}]+|[\s\S]/gu;

/** Names that an expression may refer to, in lower case: every word and quoted text in it. */
export function wordsIn(sql: string): ReadonlySet<string> {
  return new Set([...sql.matchAll(token)].map(([piece]) => unquoted(piece).toLowerCase()));
}

/** A name without the quotes that it was written in. */
export function unquoted(piece: string): string {
  const [quote = ''] = piece;
  if (quote === '[') return piece.slice(1, -1);
  return /['"`]/.test(quote) ? piece.slice(1, -1).replaceAll(quote + quote, quote) : piece;
}

/** Parses a CREATE INDEX statement as stored in `sqlite_schema`. */
export function indexSql(sql: string): IndexSql {
  const pieces = [...sql.matchAll(token)].map(([piece]) => piece).filter((piece) => !piece.startsWith('--'));
  const open = pieces.indexOf('(');
  const parts: string[] = [''];
  let depth = 1;
  let place = open + 1;
  for (; place < pieces.length; place++) {
    const piece = pieces[place] ?? '';
    depth += depthOf(piece);
    if (depth === 0) break;
    if (depth === 1 && piece === ',') parts.push('');
    else parts.push((parts.pop() ?? '') + piece);
  }
  const rest = pieces.slice(place + 1);
  const where = rest.findIndex((piece) => piece.toUpperCase() === 'WHERE');
  return {
    parts: parts.map((part) => part.trim().replace(/\s+(?:ASC|DESC)$/i, '')),
    where:
      where === -1
        ? null
        : rest
            .slice(where + 1)
            .join('')
            .trim(),
  };
}

function depthOf(piece: string): number {
  if (piece === '(') return 1;
  return piece === ')' ? -1 : 0;
}
