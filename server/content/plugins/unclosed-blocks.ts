import type { Nodes, Root } from 'mdast';
import type { VFile } from 'vfile';
import { eachNode } from './each-node.ts';
import { pageData } from './page-data.ts';

/**
 * Reports code blocks, comments and `:::name` blocks that are never closed, or closed only by a line from another file:
 * they contain everything after them. Runs on markdown, where blocks still have their markers.
 */
export function unclosedBlocks() {
  return (tree: Root, file: VFile): void => {
    const lines = String(file.value).split('\n');
    eachNode(tree, (node) => report(node, lines, file));
  };
}

function report(node: Nodes, lines: readonly string[], file: VFile): void {
  const { start, end } = node.position ?? {};
  if (!start || !end) return;
  const first = lines[start.line - 1]?.slice(start.column - 1) ?? '';
  // A block that ends with its parent has no closing line there.
  const last = end.line > start.line ? (lines[end.line - 1] ?? '').slice(0, end.column - 1) : '';
  const mark = markOf(node, first);
  if (!mark) return;
  const page = pageData(file);
  const isClosed = mark.closes(
    node.type === 'html' ? node.value.slice(mark.open.length) : last.replace(/^[\s>]+/, '').trimEnd(),
  );
  if (isClosed && (mark.nests || page.fileOf?.(start.line) === page.fileOf?.(end.line))) return;
  const message = `${mark.open} is never closed, so it contains everything after it: close it with ${mark.end}.`;
  page.faults.push({ line: start.line, column: start.column, rule: 'unclosed', message });
}

interface Mark {
  open: string;
  end: string;
  /** Whether a text closes it: the rest of an HTML node, or the last line of other blocks. */
  closes(text: string): boolean;
  /** A later block of this kind has an end of its own. */
  nests?: true;
}

/** What opens a block and what would close it; undefined for one that needs no end. */
function markOf(node: Nodes, first: string): Mark | undefined {
  if (node.type === 'code') return fence(first);
  if (node.type === 'html') return html(node.value);
  if (node.type !== 'containerDirective' && node.type !== 'containerComponent') return undefined;
  const [open, colons = ''] = /^(:{2,})[\w-]*/.exec(first) ?? [];
  const end = `a line ${colons} of its own; an outer block needs more colons than the blocks inside it`;
  const closes = (last: string) => /^:+$/.test(last) && last.length >= colons.length;
  return open === undefined ? undefined : { open, end, closes, nests: true };
}

function fence(first: string): Mark | undefined {
  const mark = /^(?:`{3,}|~{3,})/.exec(first)?.[0];
  const closes = (last: string) => last.length >= (mark ?? '').length && last === mark?.[0]?.repeat(last.length);
  return mark === undefined ? undefined : { open: mark, end: mark, closes };
}

function html(value: string): Mark | undefined {
  if (value.startsWith('<!--')) return { open: '<!--', end: '-->', closes: (rest) => rest.includes('-->') };
  const name = /^<(pre|script|style|textarea)(?=[\s>]|$)/i.exec(value)?.[1];
  const end = `</${name}>`;
  return name
    ? { open: `<${name}>`, end, closes: (rest) => rest.toLowerCase().includes(end.toLowerCase()) }
    : undefined;
}
