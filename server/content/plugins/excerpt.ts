import type { Element, Root, RootContent } from 'hast';
import type { VFile } from 'vfile';
import { eachElement, isElement, replaceElements } from './elements.ts';
import { pageData } from './page-data.ts';

/** Keeps the part of a post that lists show: up to the marker, which is removed, otherwise its first two paragraphs. */
export function excerpt() {
  return (tree: Root, file: VFile): void => {
    const page = pageData(file);
    const holder = tree.children.findIndex(hasMarker);
    // A standalone marker is removed; a block that contains one stays, and ends the excerpt.
    const marked = isElement(tree.children[holder], 'md-more') ? holder : holder + 1;
    replaceElements(tree, (node) => (isElement(node, 'md-more') ? [] : undefined));
    if (page.kind === 'post')
      page.excerpt = listed({ type: 'root', children: start(tree.children, holder < 0 ? undefined : marked) });
  };
}

function hasMarker(node: RootContent): boolean {
  return node.type === 'element' && (node.tagName === 'md-more' || node.children.some(hasMarker));
}

function start(children: RootContent[], end: number | undefined): RootContent[] {
  if (end !== undefined) return children.slice(0, end).filter((child) => !isEmptied(child));
  const heading = children.findIndex((child) => child.type === 'element' && /^h[1-6]$/.test(child.tagName));
  const before = heading > 0 ? children.slice(0, heading) : children;
  return before.filter((child) => isElement(child, 'p')).slice(0, 2);
}

function isEmptied(node: RootContent): boolean {
  return isElement(node, 'p') && node.children.length === 0;
}

/** Several excerpts share a page: ids and footnote markers must be removed. */
function listed(tree: Root): Root {
  const copy = structuredClone(tree);
  replaceElements(copy, (node: Element) => (isFootnoteMark(node) ? [] : undefined));
  eachElement(copy, (node) => {
    delete node.properties.id;
    node.children = node.children.filter((child) => !isAnchor(child));
  });
  return copy;
}

/** The link, and then the superscript that contained nothing else. */
function isFootnoteMark(node: Element): boolean {
  return node.properties.dataFootnoteRef !== undefined || (node.tagName === 'sup' && node.children.length === 0);
}

function isAnchor(node: RootContent): boolean {
  return isElement(node, 'a') && String(node.properties.className) === 'heading-anchor';
}
