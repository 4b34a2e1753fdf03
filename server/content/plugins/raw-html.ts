import type { Element, Nodes, Root } from 'hast';
import rehypeRaw from 'rehype-raw';
import type { VFile } from 'vfile';
import { voidElements } from '../void-elements.ts';

const selfClosed = /<([a-z][\w-]*)((?:\s(?:"[^"]*"|'[^']*'|[^'"<>])*?)?)\/>/gi;

/** Parses raw HTML inside markdown; a page without any is already well-formed and skips the second parse. */
export function rawHtml() {
  const parse = rehypeRaw();
  return (tree: Root, file: VFile): Root => {
    if (!hasRaw(tree)) return tree;
    prepare(tree);
    return parse(tree, file);
  };
}

function prepare(node: Nodes): void {
  if (node.type === 'raw') node.value = closedEmpty(node.value);
  if (node.type === 'element' && node.tagName === 'pre') keepFirstBreak(node);
  if ('children' in node) for (const child of node.children) prepare(child);
}

/** Authors close `<a id="x"/>` as in XML; HTML would make it contain what follows. */
function closedEmpty(html: string): string {
  return html.replace(selfClosed, (whole, name: string, attributes: string) =>
    voidElements.has(name.toLowerCase()) ? whole : `<${name}${attributes}></${name}>`,
  );
}

/** The parser drops a line break after `<pre>` as source formatting: code that starts with an empty line needs two. */
function keepFirstBreak({ children: [code] }: Element): void {
  const [text] = code?.type === 'element' ? code.children : [];
  if (text?.type === 'text' && text.value.startsWith('\n')) text.value = `\n${text.value}`;
}

function hasRaw(node: Nodes): boolean {
  return node.type === 'raw' || ('children' in node && node.children.some(hasRaw));
}
