import type { Element, Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import type { VFile } from 'vfile';
import { movedAddress } from '../moved-address.ts';
import type { Reference } from '../page-facts.ts';
import { eachElement, property } from './elements.ts';
import { type PageData, pageData } from './page-data.ts';

/**
 * Collects links and pictures that point into the site, marks external ones, and makes all pictures but the first load
 * lazily. Inner links keep what was written until the page is read: their addresses depend on other files.
 */
export function references() {
  return (tree: Root, file: VFile): void => {
    const page = pageData(file);
    let pictures = 0;
    eachElement(tree, (node) => {
      if (node.tagName === 'a') addLink(node, page);
      if (node.tagName !== 'img') return;
      moveAddress(node, page);
      pictures += 1;
      if (pictures > 1) node.properties.loading = 'lazy';
      node.properties.decoding = 'async';
      node.properties.alt ??= '';
      add('image', property(node, 'src'), node, page);
    });
  };
}

/** An included file may write its links relative to itself. */
function moveAddress(node: Element, { folderOf }: PageData): void {
  const name = node.tagName === 'img' ? 'src' : 'href';
  const address = property(node, name);
  if (address === undefined || !folderOf) return;
  node.properties[name] = movedAddress(address, folderOf(node.position?.start.line ?? 1));
}

/** Collects one link. */
export function addLink(node: Element, page: PageData): void {
  moveAddress(node, page);
  const href = property(node, 'href');
  if (href !== undefined && /^(?:https?:)?\/\//i.test(href)) {
    node.properties.rel = ['noopener'];
    // On paper, an address follows its link's text unless it is that text.
    node.properties.className = textOf(node) === href ? ['external', 'bare'] : ['external'];
    return;
  }
  const footnote = node.properties.dataFootnoteRef !== undefined || node.properties.dataFootnoteBackref !== undefined;
  if (!footnote) add('link', href, node, page);
  // The sanitiser has prefixed footnote ids, but not the links between them.
  else if (href?.startsWith('#')) node.properties.href = `#user-content-${href.slice(1)}`;
}

function add(kind: Reference['kind'], href: string | undefined, node: Element, { references: found }: PageData): void {
  if (href === undefined || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href)) return;
  const place = node.position?.start ?? { line: 1, column: 1 };
  found.push({ kind, href, line: place.line, column: place.column });
}
