/** Parses raw HTML inside markdown; a page without any is spared the second parse. */
import type { Nodes, Root } from 'hast';
import rehypeRaw from 'rehype-raw';
import type { VFile } from 'vfile';

const voidElements = new Set('area br col embed hr img input link meta source track wbr'.split(' '));
const selfClosed = /<([a-z][\w-]*)((?:\s(?:"[^"]*"|'[^']*'|[^'"<>])*?)?)\/>/gi;

/** Markdown alone already makes a well-formed tree. */
export function rawHtml() {
  const parse = rehypeRaw();
  return (tree: Root, file: VFile): Root => {
    if (!hasRaw(tree)) return tree;
    closeEmpty(tree);
    return parse(tree, file);
  };
}

/** Authors close `<a id="x"/>` as in XML; HTML would let it swallow what follows. */
function closeEmpty(node: Nodes): void {
  if (node.type === 'raw') {
    node.value = node.value.replace(selfClosed, (whole, name: string, attributes: string) =>
      voidElements.has(name.toLowerCase()) ? whole : `<${name}${attributes}></${name}>`,
    );
  } else if ('children' in node) for (const child of node.children) closeEmpty(child);
}

function hasRaw(node: Nodes): boolean {
  return node.type === 'raw' || ('children' in node && node.children.some(hasRaw));
}
