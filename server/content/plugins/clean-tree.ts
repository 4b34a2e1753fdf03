import type { Element, Nodes, Root } from 'hast';
import { isBlank } from './elements.ts';

const blocks = new Set('aside blockquote details div dl ol section table tbody thead tfoot tr ul'.split(' '));

/**
 * Removes what only the compiler needs: positions, comments, blanks between blocks. Runs last; React warns about blanks
 * inside tables.
 */
export function cleanTree() {
  return (tree: Root): void => clean(tree);
}

function clean(node: Nodes): void {
  delete node.position;
  delete node.data;
  if (node.type !== 'element' && node.type !== 'root') return;
  if (node.type === 'root' || blocks.has(node.tagName)) removeBlanks(node);
  for (const child of node.children) clean(child);
}

function removeBlanks(node: Root | Element): void {
  // The two branches of the union do not share a filter.
  if (node.type === 'root') node.children = node.children.filter((child) => !isBlank(child));
  else node.children = node.children.filter((child) => !isBlank(child));
}
