import type { Nodes } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

/** An SQL block that a document marks as run. */
export interface SqlBlock {
  /** Line of the fence, from 1. */
  line: number;
  /** The role that runs it; the administrator if none is named. */
  role?: string;
  sql: string;
}

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

/** The blocks ```` ```sql run ```` and ```` ```sql run=sync_user ```` of a document, in their order. */
export function sqlBlocks(markdown: string): SqlBlock[] {
  return blocksBelow(parser.parse(markdown));
}

function blocksBelow(node: Nodes): SqlBlock[] {
  if (node.type === 'code') {
    // A title may contain the word too.
    const run = /(?:^|\s)run(?:=([\w-]+))?(?=\s|$)/.exec((node.meta ?? '').replace(/"[^"]*"/g, '""'));
    if (node.lang !== 'sql' || !run) return [];
    return [{ line: node.position?.start.line ?? 1, sql: node.value, ...(run[1] && { role: run[1] }) }];
  }
  return 'children' in node ? node.children.flatMap(blocksBelow) : [];
}
