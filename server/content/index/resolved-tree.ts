import type { Element, Root } from 'hast';
import { eachElement } from '../plugins/elements.ts';
import type { Links, Target } from './links.ts';
import type { IndexedPage } from './pages.ts';

/** Modifies the given tree; external links and pictures stay. */
export function resolveTree(tree: Root, page: IndexedPage, links: Links): Root {
  eachElement(tree, (node) => {
    const { href, src } = node.properties;
    if (node.tagName === 'a' && typeof href === 'string' && isInner(href)) setLink(node, links.link(page, href), page);
    if (node.tagName === 'img' && typeof src === 'string' && isInner(src)) setImage(node, links.image(page, src));
  });
  return tree;
}

/** False for an address with its own scheme or host. */
export function isInner(href: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(href);
}

function setLink(node: Element, target: Target, page: IndexedPage): void {
  // A built-in page may link to documents that another team's content does not have.
  if (target.problem && page.builtIn) delete node.properties.href;
  else node.properties.href = target.href;
}

function setImage(node: Element, target: Target): void {
  node.properties.src = target.href;
  const { width, height } = target.asset ?? {};
  if (width && height && node.properties.width === undefined && node.properties.height === undefined) {
    node.properties.width = width;
    node.properties.height = height;
  }
}
