import type { Element, Nodes, Root } from 'hast';
import type { VFile } from 'vfile';
import { isElement, replaceElements } from './elements.ts';
import { pageData } from './page-data.ts';

const tag = /<\/?md-[a-z-]+\b[^<>]*>/g;
const tagLine = /^[ \t]*<\/?md-[a-z-]+\b[^<>]*>[ \t]*(?:\n|$)/gm;

/**
 * Our own md-* elements stand for other tools' blocks inside the pipeline, and never reach a page. Removes their tags
 * from text: what a dialect took for a block may be code to the parser.
 */
export function tagsOutOfText() {
  return (tree: Root, file: VFile): void => {
    // An author who writes about them means them literally.
    if (!pageData(file).namesOwnElements) clean(tree);
  };
}

function clean(node: Nodes): void {
  if (node.type === 'text' && node.value.includes('md-')) node.value = node.value.replace(tagLine, '').replace(tag, '');
  if ('children' in node) for (const child of node.children) clean(child);
}

/** Unwraps those that no plugin has used, e.g. a label without a block. Runs after all plugins that read them. */
export function ownElementsGone() {
  return (tree: Root): void =>
    replaceElements(tree, (node: Element) =>
      node.tagName.startsWith('md-') && !isElement(node, 'md-more') ? node.children : undefined,
    );
}
