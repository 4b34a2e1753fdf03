import type { Element, Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import type { VFile } from 'vfile';
import { classes, eachElement, element, property } from './elements.ts';
import { pageData } from './page-data.ts';

/**
 * Lists the level 2 and 3 headings, gives every heading a link to itself, and records all ids of the page. Runs after
 * the title has been removed from the tree.
 */
export function tableOfContents() {
  return (tree: Root, file: VFile): void => {
    const { toc, ids } = pageData(file);
    eachElement(tree, (node) => {
      const id = property(node, 'id');
      if (!id) return;
      ids.push(id);
      const level = Number(/^h([2-6])$/.exec(node.tagName)?.[1] ?? 0);
      if (level === 0 || classes(node).includes('sr-only')) return;
      const text = nameOf(node);
      if (text === '') return report(node, file);
      if (level === 2 || level === 3) toc.push({ depth: level, id, text });
      const ariaLabel = `Link to “${text}”`;
      node.children.push(element('a', { className: ['heading-anchor'], href: `#${id}`, ariaLabel }));
    });
  };
}

/** A heading's words; for one that contains only pictures, their texts. */
function nameOf(heading: Element): string {
  const pictures: string[] = [];
  eachElement(heading, (node) => pictures.push(property(node, 'alt') ?? ''));
  return [textOf(heading), pictures.join(' ')].map((words) => words.replace(/\s+/g, ' ').trim()).find(Boolean) ?? '';
}

function report({ position }: Element, file: VFile): void {
  const { line, column } = position?.start ?? { line: 1, column: 1 };
  const message = 'This heading has no words, so nothing can link to it.';
  pageData(file).faults.push({ line, column, rule: 'empty-heading', message });
}
