import type { Root } from 'hast';
import { eachElement, isBlank, isElement } from './elements.ts';

/**
 * A term or summary that contains one paragraph loses the paragraph: it is a label. Dialects put labels on their own
 * lines so that their markdown is read; that creates the paragraphs.
 */
export function tightLabels() {
  return (tree: Root): void => {
    eachElement(tree, (node) => {
      if (node.tagName !== 'dt' && node.tagName !== 'summary') return;
      const inner = node.children.filter((child) => !isBlank(child));
      const only = inner.length === 1 ? inner[0] : undefined;
      if (isElement(only, 'p')) node.children = only.children;
    });
  };
}
