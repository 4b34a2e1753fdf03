import type { PlacedFault } from '../page-facts.ts';
import { components } from './components.ts';
import { containers } from './containers.ts';
import { gitbook, looksLikeGitbook } from './gitbook.ts';
import { hugo } from './hugo.ts';
import { markIndentedCode } from './indented-code.ts';
import { keys } from './keys.ts';
import { type Dialect, type Line, type Tell, toLines } from './lines.ts';
import { liquid, looksLikeLiquid } from './liquid.ts';
import { looksLikeMdx, mdx } from './mdx.ts';
import { mkdocs } from './mkdocs.ts';
import { looksLikeMdc, type Syntax, withFormulas } from './syntax.ts';
import { wiki } from './wiki.ts';

export interface Normalised {
  markdown: string;
  /** How the text must be parsed. */
  syntax: Syntax;
  /** The source line that a markdown line comes from. */
  sourceLine(line: number): number;
  /** Unsupported features, each at its place in the source. */
  faults: PlacedFault[];
}

const mkdocsMark =
  /^\s*(?:!!!|\?\?\?|===|<!-- md:|(?:#+ +)?::: [\w-]+)|^\s*\[\[?toc\]|[)\]`*_]\{|`#![a-z]|<[a-z][^<>\n]*\smarkdown[\s=>]|^\s*\{:?\s*(?:[.#]|toc\b|\w+=["'])|:(?:material|octicons|fontawesome|simple)-/im;

interface Written {
  source: string;
  lines: readonly Line[];
  asMdx: boolean;
  /** Its own parser reads its braces and containers. */
  mdc: boolean;
}

/** In this order; each runs only if its markers occur, so our own files pass through nearly untouched. */
const dialects: readonly [dialect: Dialect, applies: (written: Written) => boolean][] = [
  [mdx, ({ asMdx }) => asMdx],
  [components, ({ asMdx, source }) => !asMdx && /<[A-Z]/.test(source)],
  [hugo, ({ source }) => /\{\{[<%]/.test(source)],
  [gitbook, ({ asMdx, lines }) => !asMdx && looksLikeGitbook(lines)],
  [liquid, ({ asMdx, lines }) => !asMdx && looksLikeLiquid(lines)],
  [mkdocs, ({ mdc, source }) => !mdc && mkdocsMark.test(source)],
  [keys, ({ asMdx, source }) => !asMdx && /\+\+\S/.test(source)],
  [wiki, ({ source }) => /\[\[|==\S|%%/.test(source)],
  [containers, ({ mdc, source }) => !mdc && source.includes(':::')],
];

/** Converts a page from another tool's dialect to the markdown that the pipeline reads. */
export function normalise(source: string, isMdx: boolean): Normalised {
  const faults: PlacedFault[] = [];
  const tell: Tell = ({ at }, column, rule, message) => faults.push({ line: at, column, rule, message });
  const asMdx = isMdx || looksLikeMdx(toLines(source));
  const written = asMdx ? toLines(source, true) : markIndentedCode(toLines(source));
  const formulas = withFormulas(written);
  const mdc = looksLikeMdc(written);
  let lines = formulas ?? written;
  for (const [dialect, applies] of dialects) if (applies({ source, lines, asMdx, mdc })) lines = dialect(lines, tell);
  const origins = lines.map((line) => line.at);
  return {
    markdown: lines.map((line) => line.text).join('\n'),
    syntax: { indentedCode: !asMdx, math: formulas !== undefined, mdc },
    sourceLine: (line) => origins[line - 1] ?? line,
    faults,
  };
}
