/** Brings the dialects of other tools to the markdown the pipeline reads. */
import { components } from './components.ts';
import { containers } from './containers.ts';
import { hugo } from './hugo.ts';
import { toLines } from './lines.ts';
import { liquid, looksLikeLiquid } from './liquid.ts';
import { looksLikeMdx, mdx } from './mdx.ts';
import { mkdocs } from './mkdocs.ts';
import { looksLikeMdc, type Syntax, withFormulas } from './syntax.ts';
import { wiki } from './wiki.ts';

export interface Normalised {
  markdown: string;
  /** How it is to be parsed. */
  syntax: Syntax;
  /** Line of the source that a line of the markdown comes from. */
  sourceLine(line: number): number;
}

const mkdocsMark =
  /^\s*(?:!!!|\?\?\?|===|;?--8<--|<<<|\{\* |(?:#+ +)?::: [\w-]+)|^\s*\[\[?toc\]|[)\]`*_]\{|^\s*\{:?\s*(?:[.#]|\w+=["'])|:(?:material|octicons|fontawesome|simple)-/im;

/** Our own files pass through nearly untouched: each dialect only runs where its marks are. */
export function normalise(source: string, isMdx: boolean): Normalised {
  const asMdx = isMdx || looksLikeMdx(toLines(source));
  const written = toLines(source, asMdx);
  const formulas = withFormulas(written);
  let lines = formulas ?? written;
  if (asMdx) lines = mdx(lines);
  else if (/^ {0,3}<[A-Z]/m.test(source)) lines = components(lines);
  if (/\{\{[<%]/.test(source)) lines = hugo(lines);
  if (!asMdx && looksLikeLiquid(lines)) lines = liquid(lines);
  // Its own parser reads its braces and containers.
  const mdc = looksLikeMdc(lines);
  if (!mdc && mkdocsMark.test(source)) lines = mkdocs(lines);
  if (/\[\[|==\S|%%/.test(source)) lines = wiki(lines);
  if (!mdc && source.includes(':::')) lines = containers(lines);
  const origins = lines.map((line) => line.at);
  return {
    markdown: lines.map((line) => line.text).join('\n'),
    syntax: { indentedCode: !asMdx, math: formulas !== undefined, mdc },
    sourceLine: (line) => origins[line - 1] ?? line,
  };
}
