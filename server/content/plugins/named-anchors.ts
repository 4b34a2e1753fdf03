import type { Root } from 'hast';
import { eachElement } from './elements.ts';

/**
 * Makes `<a name="…">`, the anchor of older HTML, a link target. Runs before the sanitiser, which prefixes names and
 * ids alike; an existing id stays.
 */
export function namedAnchors() {
  return (tree: Root): void => {
    eachElement(tree, (node) => {
      const { name, id } = node.properties;
      if (node.tagName !== 'a' || name === undefined) return;
      delete node.properties.name;
      node.properties.id = id ?? name;
    });
  };
}
