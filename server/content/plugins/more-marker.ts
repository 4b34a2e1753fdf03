import type { Element, Root, RootContent } from 'hast';
import { element } from './elements.ts';

/**
 * Carries `<!-- more -->` and `<!-- truncate -->` past the sanitiser, which drops comments. Turns the marker into an
 * `md-more` element.
 */
export function moreMarker() {
  return (tree: Root): void => mark(tree);
}

function mark(parent: Root | Element): void {
  const children: RootContent[] = parent.children;
  for (const [index, child] of children.entries()) {
    if (child.type === 'element') mark(child);
    if (child.type === 'comment' && /^\s*(?:more|truncate)\s*$/.test(child.value))
      children[index] = element('md-more', {});
  }
}
