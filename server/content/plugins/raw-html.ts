/** Parses raw HTML inside markdown; a page without any is spared the second parse. */
import type { Nodes, Root } from 'hast';
import rehypeRaw from 'rehype-raw';
import type { VFile } from 'vfile';

/** Markdown alone already makes a well-formed tree. */
export function rawHtml() {
  const parse = rehypeRaw();
  return (tree: Root, file: VFile): Root => (hasRaw(tree) ? parse(tree, file) : tree);
}

function hasRaw(node: Nodes): boolean {
  return node.type === 'raw' || ('children' in node && node.children.some(hasRaw));
}
