import type { Element, Root, RootContent } from 'hast';
import { toString as textOf } from 'hast-util-to-string';

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

function plain(node: RootContent): string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return '';
  // Block boundaries are word boundaries.
  const inner = node.children.map(plain).join('');
  return /^(td|th|li|p|dt|dd|pre|figure|aside|section|blockquote|summary|div|br)$/.test(node.tagName)
    ? `${inner} `
    : inner;
}

/** Cuts a page's text at its headings of levels 2 and 3. */
export function sectionsOf(tree: Root): Section[] {
  const sections: Section[] = [{ text: '' }];
  for (const node of tree.children) {
    if (isHeading(node)) {
      const heading = textOf(node).replace(/#$/, '').trim();
      sections.push({ id: String(node.properties.id ?? ''), heading, text: '' });
    } else {
      const last = sections.at(-1);
      if (last && node.type !== 'doctype') last.text += `${plain(node)} `;
    }
  }
  return sections
    .map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }))
    .filter(({ heading, text }) => heading || text);
}
