import type { Element, Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import type { VFile } from 'vfile';
import { eachElement, element, isBlank, isElement, property } from './elements.ts';
import { type PageData, pageData } from './page-data.ts';
import { addLink } from './references.ts';

/**
 * Finds the heading that is the page's title: the first of level 1, otherwise one that everything else is below. It is
 * removed when it comes first, or when it is of level 1 and must serve as the title; its pictures stay. Further level 1
 * headings become level 2.
 */
export function titleHeading() {
  return (tree: Root, file: VFile): void => {
    const page = pageData(file);
    const first = tree.children.find(showsSomething);
    const heading = tree.children.find((child) => isElement(child, 'h1'));
    if (isElement(heading, 'h1') && (heading === first || page.front.title === undefined)) take(heading, tree, page);
    else if (!heading && page.front.title === undefined && isElement(first, ...levels) && isAbove(first, tree))
      take(first, tree, page);
    eachElement(tree, (node) => {
      if (node.tagName === 'h1') node.tagName = 'h2';
    });
  };
}

/** Anchors and comments may precede the title. */
function showsSomething(node: Root['children'][number]): boolean {
  if (node.type === 'text') return !isBlank(node);
  if (node.type !== 'element') return false;
  if (isElement(node, 'a', 'p', 'span', 'div')) return node.children.some(showsSomething);
  return true;
}

function take(heading: Element, tree: Root, page: PageData): void {
  const pictures = picturesOf(heading);
  const left = pictures.length > 0 ? [element('p', {}, pictures)] : [];
  tree.children.splice(tree.children.indexOf(heading), 1, ...left);
  page.heading =
    textOf(heading)
      .replace(/[ \t\n]+/g, ' ')
      .trim() || alternativeText(heading);
  page.topIds.push(property(heading, 'id') ?? '');
  // A link of the title is not shown, but its author wants to know that it is broken.
  eachElement(heading, (node) => {
    if (isElement(node, 'a') && picturesOf(node).length === 0) addLink(node, page);
  });
}

/** Pictures, in the links around them. */
function picturesOf({ children }: Element): Element[] {
  return children.flatMap((child) => {
    if (isElement(child, 'img', 'picture')) return [child];
    const inner = child.type === 'element' ? picturesOf(child) : [];
    return isElement(child, 'a') && inner.length > 0 ? [{ ...child, children: inner }] : inner;
  });
}

function alternativeText(heading: Element): string {
  const texts: string[] = [];
  eachElement(heading, (node) => {
    if (isElement(node, 'img')) texts.push(property(node, 'alt')?.trim() ?? '');
  });
  return texts.filter(Boolean).join(' ');
}

/** The first of several sections is not the title of all. */
function isAbove(first: Element, tree: Root): boolean {
  let rivals = 0;
  eachElement(tree, (node) => {
    if (isElement(node, ...levels) && node.tagName <= first.tagName) rivals += 1;
  });
  return rivals === 1;
}

const levels = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
