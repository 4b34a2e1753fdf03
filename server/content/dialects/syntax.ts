import type { Line } from './lines.ts';

/**
 * What a text requires from the parser beyond our markdown; detected from its markers, so the plain parser reads our
 * own files.
 */
export interface Syntax {
  /** False for MDX, where indentation creates no code. */
  indentedCode: boolean;
  /** `$$` formulas. */
  math: boolean;
  /** Nuxt Content's components: `::name{title="…"}` up to `::`, `:name{…}` inside a line. */
  mdc: boolean;
}

/**
 * The lines with their formulas marked as code, which dialects leave alone; undefined when there are none, or when one
 * is never closed: it would swallow the rest of the page.
 */
export function withFormulas(lines: readonly Line[]): Line[] | undefined {
  const kinds = lines.map((line) => (line.code ? undefined : formulaKind(line.text)));
  const fences = kinds.filter((kind) => kind === 'fence').length;
  if (!kinds.some(Boolean) || kinds.includes('unclosed') || fences % 2 === 1) return undefined;
  let inside = false;
  return lines.map((line, index) => {
    const kind = kinds[index];
    if (kind === 'fence') inside = !inside;
    return inside || kind === 'fence' || kind === 'line' ? { ...line, code: true } : line;
  });
}

/** What `$$` at the start of a line means. */
function formulaKind(text: string): 'fence' | 'line' | 'inline' | 'unclosed' | undefined {
  const after = /^[\s>]*\$\$(.*)$/.exec(text)?.[1]?.trimEnd();
  if (after === undefined) return undefined;
  if (after === '') return 'fence';
  if (!/^(?!\s*\$).+\$\$/.test(after)) return 'unclosed';
  return after.endsWith('$$') ? 'line' : 'inline';
}

/** True when blocks open with two colons and a name and close with two, or a line is one component. */
export function looksLikeMdc(lines: readonly Line[]): boolean {
  const prose = lines.filter((line) => !line.code && line.text.includes(':'));
  if (prose.some(({ text }) => /^\s*:[a-zA-Z][\w-]*\{[^{}]*\}\s*$/.test(text))) return true;
  const opens = prose.findIndex(({ text }) => /^\s*::[a-z][\w-]*(?:\[[^\]]*\])?(?:\{.*\})?\s*$/.test(text));
  return opens >= 0 && prose.slice(opens).some(({ text }) => /^\s*::\s*$/.test(text));
}
