import type { ListItem, Nodes } from 'mdast';
import { markdownParser } from '../markdown-parser.ts';
import { indentOf, type Line } from './lines.ts';

const indented = /^(?: {4}| {0,3}\t)[ \t]*\S/;
const shortcodeInItem = /^(?:[ \t]|[-*+]\s|\d+[.)]\s).*\{\{[<%]/;
// Openings of blocks with an indented body: MkDocs, definition lists, shortcodes (unless they also end on the line) and
// Nuxt's components.
const opening =
  /^(\s*)(?:(?:!!!|\?\?\?\+?|===[!+]?)\s|:[ \t]+\S|\{\{[<%]\s*(\w[\w.-]*)(?!.*\{\{[<%]\s*\/).*[>%]\}\}\s*$|:{2,}[a-z])/;

/**
 * Marks code as the parser sees it, including code that is only indented: no line of it may be read as a dialect's
 * marker. Records the column at which the text of each line's list item starts.
 */
export function markIndentedCode(lines: Line[]): Line[] {
  if (!lines.some((line, index) => isCandidate(line, lines[index - 1]))) return lines;
  const closed = new Set(lines.flatMap(({ text }) => /\{\{[<%]\s*\/\s*(\w[\w.-]*)/.exec(text)?.[1] ?? []));
  const shape = lines.map(({ text }) => shapeOf(text, closed));
  const marked = lines.map((line) => ({ ...line, code: false }));
  mark(markdownParser.parse(shape.map(({ text }) => text).join('\n')), 0, { lines: marked, shape });
  return marked;
}

/** Code may start here, or a shortcode of a list item: its place depends on the item. */
function isCandidate({ text }: Line, before: Line | undefined): boolean {
  if (shortcodeInItem.test(text)) return true;
  return indented.test(text) && (before === undefined || before.text.trim() === '');
}

interface Shape {
  text: string;
  /** Written as a list item, so the parser reads its body as one. */
  standsIn: boolean;
}

/** Inside code a line may be rewritten freely: only its indentation counts. */
function shapeOf(text: string, closed: ReadonlySet<string>): Shape {
  const [found, indent, shortcode] = opening.exec(text) ?? [];
  if (found === undefined || (shortcode !== undefined && !closed.has(shortcode))) return { text, standsIn: false };
  return { text: `${indent}- x`, standsIn: true };
}

interface Marking {
  lines: Line[];
  shape: Shape[];
}

function mark(node: Nodes, base: number, marking: Marking): void {
  const { start, end } = node.position ?? {};
  if (!start || !end) return;
  const lines = marking.lines.slice(start.line - 1, end.line);
  const inner = node.type === 'listItem' ? contentColumn(node, base, marking) : base;
  if (inner > base)
    for (const line of lines.filter((one, index) => index === 0 || reaches(one, inner))) line.base = inner;
  if (node.type === 'code') for (const line of lines) line.code = true;
  if ('children' in node) for (const child of node.children) mark(child, inner, marking);
}

/** To the parser, a tag at the margin continues the item's paragraph; to its author, the list has ended. */
function reaches({ text }: Line, column: number): boolean {
  return indentOf(text).replaceAll('\t', '    ').length >= column;
}

/** Where a list item's text starts; an item that only stands in for another block has no column of its own. */
function contentColumn(item: ListItem, base: number, { shape }: Marking): number {
  const [first] = item.children;
  const line = item.position?.start.line ?? 1;
  if (shape[line - 1]?.standsIn) return base;
  return first?.position?.start.line === line ? first.position.start.column - 1 : base;
}
