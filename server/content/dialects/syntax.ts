/** What a text asks of the parser beyond our markdown; told from its marks, so that our own files are read by the plain one. */
import type { Line } from './lines.ts';

export interface Syntax {
  /** False for MDX, where indentation makes no code. */
  indentedCode: boolean;
  /** `$$` formulas. */
  math: boolean;
  /** Nuxt Content's components: `::name{title="…"}` up to `::`, `:name{…}` inside a line. */
  mdc: boolean;
}

/** True when every `$$` at the start of a line has its end: one that has none would take the rest of the page. */
export function looksLikeMath(lines: readonly Line[]): boolean {
  const starts = lines.filter((line) => !line.code && /^[\s>]*\$\$/.test(line.text)).map(({ text }) => text);
  const fences = starts.filter((text) => /^[\s>]*\$\$\s*$/.test(text));
  const formulas = starts.filter((text) => /^[\s>]*\$\$(?!\s*\$).+\$\$/.test(text));
  return starts.length > 0 && starts.length === fences.length + formulas.length && fences.length % 2 === 0;
}

/** True when blocks open with two colons and a name and close with two, or a line is one component. */
export function looksLikeMdc(lines: readonly Line[]): boolean {
  const prose = lines.filter((line) => !line.code && line.text.includes(':'));
  if (prose.some(({ text }) => /^\s*:[a-zA-Z][\w-]*\{[^{}]*\}\s*$/.test(text))) return true;
  const opens = prose.findIndex(({ text }) => /^\s*::[a-z][\w-]*(?:\[[^\]]*\])?(?:\{.*\})?\s*$/.test(text));
  return opens >= 0 && prose.slice(opens).some(({ text }) => /^\s*::\s*$/.test(text));
}
