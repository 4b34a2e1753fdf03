import type { Brand } from '../../client/contract/site.ts';
import { fillBrand } from './brand-text.ts';
import { toLines } from './dialects/lines.ts';
import { findFrontMatter } from './front-matter.ts';

/** A source without front matter, with the title as a heading, and with the brand's values filled in outside code. */
export function brandedSource(source: string, title: string, brand: Brand): string {
  const plain = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const block = findFrontMatter(plain);
  const text = plain.slice(block?.end ?? 0).replace(/^\n+/, '');
  const filled = toLines(text).map((line) => (line.code ? line.text : outsideCode(line.text, brand)));
  const heading = /^# /.test(text) ? '' : `# ${title}\n\n`;
  return heading + filled.join('\n');
}

function outsideCode(line: string, brand: Brand): string {
  return line.includes(':brand')
    ? line.replace(/`+[^`]*`+|[^`]+/g, (part) => (part.startsWith('`') ? part : fillBrand(part, brand)))
    : line;
}
