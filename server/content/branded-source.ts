import type { Brand } from '../../client/contract/site.ts';
import { fillBrand } from './brand-text.ts';
import { toLines } from './dialects/lines.ts';
import { findFrontMatter } from './front-matter.ts';

export interface BrandedSource {
  text: string;
  /** The source's line of one of the text's. */
  sourceLine(line: number): number;
}

/** A source without front matter, with the title as a heading, and with the brand's values filled in outside code. */
export function brandedSource(source: string, title: string, brand: Brand): BrandedSource {
  const plain = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const block = findFrontMatter(plain);
  const text = plain.slice(block?.end ?? 0).replace(/^\n+/, '');
  const filled = toLines(text).map((line) => (line.code ? line.text : outsideCode(line.text, brand)));
  const heading = /^# /.test(text) ? '' : `# ${title}\n\n`;
  const linesBefore = linesIn(plain.slice(0, plain.length - text.length)) - linesIn(heading);
  return { text: heading + filled.join('\n'), sourceLine: (line) => line + linesBefore };
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}

function outsideCode(line: string, brand: Brand): string {
  return line.includes(':brand')
    ? line.replace(/`+[^`]*`+|[^`]+/g, (part) => (part.startsWith('`') ? part : fillBrand(part, brand)))
    : line;
}
