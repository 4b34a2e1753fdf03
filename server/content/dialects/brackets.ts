/** Offset after the brace that closes the one at `index`; -1 when there is none. Strings are skipped. */
export function closingBrace(source: string, index: number): number {
  let depth = 0;
  for (let at = index; at < source.length; at += 1) {
    depth += source[at] === '{' ? 1 : source[at] === '}' ? -1 : 0;
    if (depth === 0) return at + 1;
    at = Math.max(at, stringEnd(source, at));
  }
  return -1;
}

/** Offset of the quote that ends a string; -1 when no string starts here. An apostrophe inside a word starts none. */
function stringEnd(source: string, start: number): number {
  const quote = source[start] ?? '';
  if (!/["'`]/.test(quote) || (quote === "'" && /\w/.test(source[start - 1] ?? ''))) return -1;
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === quote) return at;
    else if (source[at] === '\n' && quote !== '`') return -1;
  }
  return -1;
}

/** Opening minus closing brackets in a line, ignoring strings. */
export function bracketBalance(text: string): number {
  const bare = text.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '');
  return (bare.match(/[{([]/g)?.length ?? 0) - (bare.match(/[})\]]/g)?.length ?? 0);
}
