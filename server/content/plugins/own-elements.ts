import type { Element, Nodes, Root } from 'hast';
import type { VFile } from 'vfile';
import { isElement, replaceElements } from './elements.ts';
import { pageData } from './page-data.ts';

const tag = /<\/?md-[a-z-]+\b[^<>]*>/g;
const tagLine = /^[ \t]*<\/?md-[a-z-]+\b[^<>]*>[ \t]*(?:\n|$)/gm;

/**
 * Our own md-* elements stand for other tools' blocks on the way through the pipeline, and never reach a page. Takes
 * the tags out of text: what a dialect took for a block may lie in code for the parser.
 */
export function tagsOutOfText() {
  return (tree: Root, file: VFile): void => {
    // Whoever writes about them means them.
    if (!pageData(file).namesOwnElements) clean(tree);
  };
}

function clean(node: Nodes): void {
  if (node.type === 'text' && node.value.includes('md-')) node.value = node.value.replace(tagLine, '').replace(tag, '');
  if ('children' in node) for (const child of node.children) clean(child);
}

/** Leaves what they hold of those that nothing has come of, e.g. a label without a block. Runs after all that read them. */
export function ownElementsGone() {
  return (tree: Root): void =>
    replaceElements(tree, (node: Element) =>
      node.tagName.startsWith('md-') && !isElement(node, 'md-more') ? node.children : undefined,
    );
}
