import type { Element, ElementContent, Root } from 'hast';
import { eachElement, element, property, replaceElements } from './elements.ts';

/**
 * Makes wide tables scroll on their own, and aligns cells by class instead of attribute. Regions need distinct names:
 * `Table`, `Table 2`, …
 */
export function tables() {
  return (tree: Root): void => {
    let count = 0;
    eachElement(tree, alignByClass);
    replaceElements(tree, (node): ElementContent[] | undefined => {
      if (node.tagName !== 'table') return undefined;
      count += 1;
      const ariaLabel = count === 1 ? 'Table' : `Table ${count}`;
      return [element('div', { className: ['table-scroll'], tabIndex: 0, role: 'region', ariaLabel }, [node])];
    });
  };
}

function alignByClass(node: Element): void {
  const align = property(node, 'align')?.toLowerCase();
  if (align === undefined) return;
  delete node.properties.align;
  if (['left', 'center', 'right'].includes(align)) node.properties.className = [`align-${align}`];
}
