import type { Element, Nodes, Root } from 'hast';
import type { VFile } from 'vfile';
import { isElement } from './elements.ts';
import { pageData } from './page-data.ts';

const inline = new Set(
  'a abbr b br cite code del dfn em i img input ins kbd mark q rp rt ruby s samp small span strike strong sub sup tt u var wbr'.split(
    ' ',
  ),
);
const introLength = 160;

/** Fills text (the page in reading order), intro (its first words) and readingMinutes. */
export function plainText() {
  return (tree: Root, file: VFile): void => {
    const page = pageData(file);
    page.text = textOf(tree);
    page.intro = introOf(tree) || shorten(page.text);
    page.readingMinutes = minutes(page.text);
  };
}

/** A tree's readable text: one line per block, no footnote markers, no words inside drawings. */
export function textOf(node: Nodes): string {
  const parts: string[] = [];
  collect(node, parts);
  return parts
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\s]*/g, '\n')
    .trim();
}

function collect(node: Nodes, parts: string[]): void {
  if (node.type === 'text') parts.push(node.value);
  if (node.type !== 'element' && node.type !== 'root') return;
  if (node.type === 'element' && (isMark(node) || isElement(node, 'svg'))) return;
  const block = node.type === 'element' && (!inline.has(node.tagName) || node.tagName === 'br');
  if (block) parts.push('\n');
  for (const child of node.children) collect(child, parts);
  if (block) parts.push('\n');
}

function isMark(node: Element): boolean {
  const { dataFootnoteRef, dataFootnoteBackref } = node.properties;
  return dataFootnoteRef !== undefined || dataFootnoteBackref !== undefined;
}

function introOf(tree: Root): string {
  for (const child of tree.children) {
    const text = isElement(child, 'p') ? textOf(child).replace(/\s+/g, ' ') : '';
    if (text) return shorten(text);
  }
  return '';
}

/** Cuts at the end of a sentence if there is one, otherwise between words. */
function shorten(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  if (flat.length <= introLength) return flat;
  const head = flat.slice(0, introLength);
  const sentence = head.lastIndexOf('. ');
  if (sentence > introLength / 3) return head.slice(0, sentence + 1);
  const space = head.lastIndexOf(' ');
  return `${head.slice(0, space > introLength / 2 ? space : introLength - 1)}…`;
}

/** 220 words a minute; scripts without blanks between words count by character. */
function minutes(text: string): number {
  const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.-]*/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / 220 + dense / 450));
}
