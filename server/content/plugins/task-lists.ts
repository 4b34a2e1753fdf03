import type { Root } from 'hast';
import { eachElement } from './elements.ts';

/** Gives the boxes of task lists a name for screen readers. Boxes are for reading; they cannot be ticked. */
export function taskLists() {
  return (tree: Root): void => {
    eachElement(tree, (node) => {
      if (node.tagName === 'input') node.properties.ariaLabel = node.properties.checked ? 'Done' : 'Not done';
    });
  };
}
