import type { Nodes } from 'hast';

/** A tree's depth; walks without recursion, so it always returns. */
export function treeDepth(tree: Nodes): number {
  const waiting: [Nodes, number][] = [[tree, 1]];
  let deepest = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, depth] = next;
    deepest = Math.max(deepest, depth);
    if ('children' in node) for (const child of node.children) waiting.push([child, depth + 1]);
  }
  return deepest;
}
