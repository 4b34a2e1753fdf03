import type { Element, Root, RootContent } from 'hast';
import { toString as headingText } from 'hast-util-to-string';
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

/** Cuts a page's text at its headings of levels 2 and 3. */
export function sectionsOf(tree: Root): Section[] {
  const sections: Section[] = [{ text: '' }];
  for (const node of tree.children) {
    if (isHeading(node)) {
      const heading = headingText(node).replace(/\s+/g, ' ').trim();
      sections.push({ id: String(node.properties.id ?? ''), heading, text: '' });
    } else {
      const last = sections.at(-1);
      // Block boundaries are word boundaries.
      if (last && node.type !== 'doctype') last.text += `${textOf(node)}\n`;
    }
  }
  return sections
    .map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }))
    .filter(({ heading, text }) => heading || text);
}
