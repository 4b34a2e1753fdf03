/** String literals, quoted names, comments, words, and every other character. */
const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|[\w$\u{80}-\u{10ffff}]+|[\s\S]/gu;

/** The pieces of a statement, without comments that end with their line or with the statement. */
export function piecesOf(sql: string): string[] {
  return [...sql.matchAll(token)].map(([piece]) => piece).filter((piece) => !/^(?:--|\/\*(?!.*\*\/$))/s.test(piece));
}

/** Whether a piece is neither blank nor a comment. */
export function isSaid(piece: string): boolean {
  return !/^(?:\s|\/\*)/.test(piece);
}

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

/** The first list in parentheses: the pieces of each item, and those after the list. */
export function listIn(pieces: readonly string[]): { items: string[][]; rest: readonly string[] } {
  const items: string[][] = [[]];
  let depth = 1;
  let place = pieces.indexOf('(') + 1;
  for (; place < pieces.length; place++) {
    const piece = pieces[place] ?? '';
    depth += depthOf(piece);
    if (depth === 0) break;
    if (depth === 1 && piece === ',') items.push([]);
    else items.at(-1)?.push(piece);
  }
  return { items, rest: pieces.slice(place + 1) };
}

function depthOf(piece: string): number {
  if (piece === '(') return 1;
  return piece === ')' ? -1 : 0;
}
