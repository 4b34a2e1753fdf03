import type { Root } from 'mdast';
import { markdownParser } from './markdown-parser.ts';
import { CrowdedTextError } from './plugins/crowded-text.ts';
import { eachNode } from './plugins/each-node.ts';

/** Returns the full address for what an author wrote. */
export type ResolveAddress = (written: string, kind: 'link' | 'image') => string;

/**
 * @returns the same text with every inline link, reference definition and picture address resolved; unchanged when its
 *   markers would hold up the parser
 */
export function resolveSourceLinks(markdown: string, resolve: ResolveAddress): string {
  const changes: { from: number; to: number; url: string }[] = [];
  const tree = parsed(markdown);
  if (!tree) return markdown;
  eachNode(tree, (node) => {
    if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') return;
    const { start, end } = node.position ?? {};
    if (start?.offset === undefined || end?.offset === undefined) return;
    // The address is the last match in the node: a link's text may contain the same.
    const at = markdown.slice(start.offset, end.offset).lastIndexOf(node.url);
    const url = resolve(node.url, node.type === 'image' ? 'image' : 'link');
    if (at < 0 || url === node.url) return;
    const from = start.offset + at;
    changes.push({ from, to: from + node.url.length, url });
  });
  return changes.sort((a, b) => b.from - a.from).reduce(replaced, markdown);
}

function parsed(markdown: string): Root | undefined {
  try {
    return markdownParser.parse(markdown);
  } catch (error) {
    if (error instanceof CrowdedTextError) return undefined;
    throw error;
  }
}

function replaced(text: string, { from, to, url }: { from: number; to: number; url: string }): string {
  return text.slice(0, from) + url + text.slice(to);
}
