import type { Nodes, Root } from 'hast';
import type { VFile } from 'vfile';
import { pageData } from './page-data.ts';

// What folds away, or groups, all that it holds; the others only colour it.
const words: ReadonlyMap<string, string> = new Map([
  ['md-tabs', 'A group of tabs'],
  ['md-tab', 'A tab'],
  ['md-code-group', 'A group of code'],
  ['md-admonition', 'An admonition'],
  ['details', 'A block that unfolds'],
]);
const tags = new RegExp(`<!--[\\s\\S]*?-->|<(/?)(${[...words.keys()].join('|')})\\b(?:"[^"]*"|'[^']*'|[^'">])*>`, 'gi');

interface Opened {
  name: string;
  line: number;
  column: number;
}

/**
 * Reports tabs, admonitions and folded blocks that are written as tags and never closed: they hold what follows, which
 * the parser of HTML lets pass.
 */
export function unclosedTags() {
  return (tree: Root, file: VFile): void => {
    const open: Opened[] = [];
    const unclosed = look(tree, open).concat(open);
    for (const { name, line, column } of unclosed) {
      const message = `${words.get(name)} begins here and is never closed, so that it takes in what follows.`;
      pageData(file).faults.push({ line, column, rule: 'unclosed', message });
    }
  };
}

/** Takes the tags of raw HTML in their order; answers with those that an outer one ended. */
function look(node: Nodes, open: Opened[]): Opened[] {
  if (node.type !== 'raw') return 'children' in node ? node.children.flatMap((child) => look(child, open)) : [];
  const { line, column } = node.position?.start ?? { line: 1, column: 1 };
  return [...node.value.matchAll(tags)].flatMap(({ 0: tag, 1: slash, 2: written = '', index }) => {
    const name = written.toLowerCase();
    const before = node.value.slice(0, index).split('\n').length - 1;
    if (slash) return closed(name, open);
    if (name && !tag.endsWith('/>')) open.push({ name, line: line + before, column: before === 0 ? column : 1 });
    return [];
  });
}

/** Ends the innermost of a name, and with it those inside that have no end. */
function closed(name: string, open: Opened[]): Opened[] {
  const at = open.findLastIndex((one) => one.name === name);
  return at < 0 ? [] : open.splice(at).slice(1);
}
