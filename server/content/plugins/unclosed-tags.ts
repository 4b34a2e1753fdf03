import type { Nodes, Root } from 'hast';
import type { VFile } from 'vfile';
import { pageData } from './page-data.ts';

// Elements that fold away or group everything inside; the others only colour it.
const words: ReadonlyMap<string, string> = new Map([
  ['md-tabs', 'A tab group'],
  ['md-tab', 'A tab'],
  ['md-code-group', 'A code group'],
  ['md-admonition', 'An admonition'],
  ['details', 'A collapsible block'],
]);
const tags = new RegExp(`<!--[\\s\\S]*?-->|<(/?)(${[...words.keys()].join('|')})\\b(?:"[^"]*"|'[^']*'|[^'">])*>`, 'gi');

interface Opened {
  name: string;
  line: number;
  column: number;
}

/**
 * Reports tabs, admonitions and collapsible blocks that are written as tags and never closed: they contain everything
 * after them, and the HTML parser accepts that.
 */
export function unclosedTags() {
  return (tree: Root, file: VFile): void => {
    const open: Opened[] = [];
    const unclosed = look(tree, open).concat(open);
    for (const { name, line, column } of unclosed) {
      const message = `${words.get(name)} begins here and is never closed, so it contains everything after it.`;
      pageData(file).faults.push({ line, column, rule: 'unclosed', message });
    }
  };
}

/** Takes the raw HTML tags in order; returns those that an outer one closed. */
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

/** Closes the innermost element of a name, and with it those inside that have no end. */
function closed(name: string, open: Opened[]): Opened[] {
  const at = open.findLastIndex((one) => one.name === name);
  return at < 0 ? [] : open.splice(at).slice(1);
}
