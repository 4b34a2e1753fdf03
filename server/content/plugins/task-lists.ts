import type { Root } from 'hast';
import { eachElement } from './elements.ts';

/** Gives task list checkboxes a name for screen readers. They are read-only. */
export function taskLists() {
  return (tree: Root): void => {
    eachElement(tree, (node) => {
      if (node.tagName === 'input') node.properties.ariaLabel = node.properties.checked ? 'Done' : 'Not done';
    });
  };
}
