import type { Nodes } from 'mdast';

/** Visits a node of markdown and all nodes in it, in order of the text. */
export function eachNode(node: Nodes, visit: (node: Nodes) => void): void {
  visit(node);
  if ('children' in node) for (const child of node.children) eachNode(child, visit);
}
