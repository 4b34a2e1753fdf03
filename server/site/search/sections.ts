import type { Element, ElementContent, Root, RootContent } from 'hast';
import { toString as headingText } from 'hast-util-to-string';
import { eachElement, element, isElement, text } from '../../content/plugins/elements.ts';
import { textOf } from '../../content/plugins/plain-text.ts';

/** A part of a page below one heading, the unit that search finds. */
export interface Section {
  /** Anchor; undefined before the first heading. */
  id?: string;
  heading?: string;
  text: string;
}

function isHeading(node: RootContent): node is Element {
  return node.type === 'element' && (node.tagName === 'h2' || node.tagName === 'h3');
}

/** A table as one line, with separators so that adjacent cells do not read as a sentence. */
function lineOf(table: Element): Element {
  const cells: string[] = [];
  eachElement(table, (part) => isElement(part, 'caption', 'th', 'td') && cells.push(textOf(part)));
  return element('p', {}, [text(cells.filter(Boolean).join(' · '))]);
}

/** The same with a line in place of each table. */
function withLines<Node extends RootContent | ElementContent>(node: Node): Node | Element {
  if (node.type !== 'element') return node;
  return isElement(node, 'table') ? lineOf(node) : { ...node, children: node.children.map(withLines) };
}

/** Splits a page's text at its level 2 and 3 headings. */
export function sectionsOf(tree: Root): Section[] {
  const sections: Section[] = [{ text: '' }];
  for (const node of tree.children) {
    if (isHeading(node)) {
      const heading = headingText(node).replace(/\s+/g, ' ').trim();
      sections.push({ id: String(node.properties.id ?? ''), heading, text: '' });
    } else {
      const last = sections.at(-1);
      // Block boundaries are word boundaries.
      if (last && node.type !== 'doctype') last.text += `${textOf(withLines(node))}\n`;
    }
  }
  return sections
    .map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }))
    .filter(({ heading, text }) => heading || text);
}
