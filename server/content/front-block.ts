// A thematic break at the start of a page is not followed by a key.
const opened = /^(?:---[ \t]*\n\s*["']?[\w-]+["']?[ \t]*:(?:[ \t]|\n|$)|\+\+\+[ \t]*\n)/;
const hyphens = /^(---|\+\+\+)[ \t]*\n(?:[\s\S]*?\n)?\1[ \t]*(?:\n|$)/;
// YAML, and so Jekyll and MkDocs, may also end a document with three dots.
const block = /^(?:---[ \t]*\n(?:[\s\S]*?\n)?(?:---|\.\.\.)|\+\+\+[ \t]*\n(?:[\s\S]*?\n)?\+\+\+)[ \t]*(?:\n|$)/;

/** The block between fences at the start of a source, fences included; it may be text between two rules. */
export function fencedBlock(source: string): string | undefined {
  return (beginsWithKey(source) ? block : hyphens).exec(source)?.[0];
}

/** True for a source that begins with front matter, closed or not, rather than with a rule. */
export function beginsWithKey(source: string): boolean {
  return opened.test(source);
}

/** What is wrong with a source that has no such block, if it begins with a key. */
export function unclosedFront(source: string): string | undefined {
  if (!beginsWithKey(source)) return undefined;
  return `The front matter that begins here is never closed: add a line ${source.slice(0, 3)} below its keys.`;
}
