/** Brings the dialects of other tools to the markdown the pipeline reads. */
import { containers } from './containers.ts';
import { definitionLists } from './definition-lists.ts';
import { hugo } from './hugo.ts';
import { toLines } from './lines.ts';
import { looksLikeMdx, mdx } from './mdx.ts';
import { mkdocs } from './mkdocs.ts';

export interface Normalised {
  markdown: string;
  /** False for MDX, where indentation makes no code. */
  indentedCode: boolean;
  /** Line of the source that a line of the markdown comes from. */
  sourceLine(line: number): number;
}

/** Our own files pass through nearly untouched: each dialect only runs where its marks are. */
export function normalise(source: string, isMdx: boolean): Normalised {
  let lines = toLines(source);
  const asMdx = isMdx || looksLikeMdx(lines);
  if (asMdx) lines = mdx(lines);
  if (/\{\{[<%]/.test(source)) lines = hugo(lines);
  if (/^\s*(?:!!!|\?\?\?|===)|^\s*\[\[?toc\]|[)\]`*_]\{|^\s*\{:?\s*[.#]/im.test(source)) lines = mkdocs(lines);
  if (/^:[ \t]+\S/m.test(source)) lines = definitionLists(lines);
  if (source.includes(':::')) lines = containers(lines);
  const origins = lines.map((line) => line.at);
  return {
    markdown: lines.map((line) => line.text).join('\n'),
    indentedCode: !asMdx,
    sourceLine: (line) => origins[line - 1] ?? line,
  };
}
