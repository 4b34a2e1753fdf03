import type { FootnoteDefinition, Heading, Html, Nodes, Paragraph, Root, Table } from 'mdast';
import type { VFile } from 'vfile';
import { admonitionKind } from './admonition-kinds.ts';
import { eachNode } from './each-node.ts';
import { pageData } from './page-data.ts';
import { markdownInHtml } from './text-in-html.ts';

type Parents = Extract<Nodes, { children: unknown[] }>;
type Mistake = 'mistaken-text' | 'table' | 'footnote';
type Tell = (rule: Mistake, at: Place, message: string) => void;

interface Place {
  line: number;
  column: number;
}

/**
 * Reports markdown that nearly means something: the parser takes it for text, or leaves part of it out. Runs on
 * markdown, where text still has its markers.
 */
export function mistakenText() {
  return (tree: Root, file: VFile): void => {
    const text = String(file.value);
    const lines = text.split('\n');
    const tell: Tell = (rule, { line, column }, message) => {
      pageData(file).faults.push({ line, column, rule, message });
    };
    if (isAsciiDoc(tree.children[0], lines)) tell('mistaken-text', placeOf(tree.children[0]), otherFormat('AsciiDoc'));
    eachNode(tree, (node) => {
      if (node.type === 'table') lostCells(node, tell);
      if (node.type === 'html') textInHtml(node, tell);
      // The line `=======` of a merge conflict makes a heading of the lines above it.
      if (node.type === 'paragraph' || node.type === 'heading') mistakenBlock(node, lines, tell);
    });
    allLostLabels(tree, text, tell);
    lostFootnotes(tree, tell);
  };
}

function textInHtml(node: Html, tell: Tell): void {
  const { line } = placeOf(node);
  const message = 'This is shown as it is written, since HTML lasts up to an empty line: leave an empty line above.';
  for (const index of markdownInHtml(node)) tell('mistaken-text', { line: line + index, column: 1 }, message);
}

function mistakenBlock(node: Paragraph | Heading, lines: readonly string[], tell: Tell): void {
  mistakenLines(node, lines, tell);
  for (const child of node.children) if (child.type === 'text') mistakenWords(child, lines, tell);
}

function placeOf(node: Nodes | undefined): Place {
  return node?.position?.start ?? { line: 1, column: 1 };
}

function isAsciiDoc(first: Nodes | undefined, lines: readonly string[]): boolean {
  return first?.type === 'paragraph' && /^= \S/.test(lines[placeOf(first).line - 1] ?? '');
}

function otherFormat(name: string): string {
  return `This looks like ${name}, which is not read: write the page in markdown.`;
}

/** A row's cells beyond the last column are left out. */
function lostCells({ children, align }: Table, tell: Tell): void {
  const columns = align?.length ?? children[0]?.children.length ?? 0;
  for (const { children: cells } of children) {
    const message = `This row has ${cells.length} cells, but the table has ${columns} columns: the rest is not shown. Write \\| for a bar inside a cell, in code too.`;
    if (cells.length > columns) tell('table', placeOf(cells[columns]), message);
  }
}

function lostFootnotes(tree: Root, tell: Tell): void {
  const written: FootnoteDefinition[] = [];
  eachNode(tree, (node) => node.type === 'footnoteDefinition' && written.push(node));
  // Of two definitions, the first is shown.
  const definitions = new Map(written.toReversed().map((node) => [node.identifier, node]));
  const used = usedFootnotes(tree, definitions);
  for (const node of written) {
    const { identifier, label } = node;
    if (definitions.get(identifier) !== node)
      tell('footnote', placeOf(node), `The footnote ${label} is already above: this one is not shown.`);
    else if (!used.has(identifier))
      tell('footnote', placeOf(node), `No text refers to this footnote by [^${label}], so it is not shown.`);
  }
}

/** Footnotes to which the text refers, or a footnote that is shown; text below one that belongs to it is not enough. */
function usedFootnotes(tree: Root, definitions: ReadonlyMap<string, FootnoteDefinition>): Set<string> {
  const used = new Set<string>();
  const shown: Nodes[] = [tree];
  for (const node of shown) {
    if (node.type === 'footnoteReference' && !used.has(node.identifier)) {
      used.add(node.identifier);
      const definition = definitions.get(node.identifier);
      if (definition) shown.push(definition);
    }
    if ('children' in node) shown.push(...node.children.filter(({ type }) => type !== 'footnoteDefinition'));
  }
  return used;
}

const noBreak = /^[\s>]*(#{1,6}|[-*+]|\d{1,9}[.)])\u00A0/;
const crowdedHeading = /^[\s>]*(#{2,6})[\p{L}\d]/u;
const quotedBlock = /^(?:[\s>]|[-*+]\s|\d+[.)]\s)*>\s*(!!!|\?{3}\+?|===[!+]?)[ \t]+(\S.*)$/;
const delimiters = /^\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?::?-+:?)?$/;

const conflict = 'This is a mark of a merge conflict: choose one of the versions and remove the marks.';

function mistakenLines({ position }: Paragraph | Heading, lines: readonly string[], tell: Tell): void {
  const first = position?.start.line ?? 1;
  for (const [index, text] of lines.slice(first - 1, position?.end.line ?? 0).entries()) {
    const at = { line: first + index, column: 1 };
    const mark = noBreak.exec(text)?.[1];
    if (mark !== undefined)
      tell('mistaken-text', at, `After ${mark} is a no-break space, so this is plain text: type an ordinary space.`);
    const hashes = crowdedHeading.exec(text)?.[1];
    if (hashes !== undefined)
      tell('mistaken-text', at, `This is not read as a heading: write a space after ${hashes}.`);
    const message = foreignMark(text);
    if (message !== undefined) tell('mistaken-text', at, message);
    if (index > 0 && delimiters.test(text.replace(/^[\s>]+/, '').trimEnd()))
      tell('table', at, 'This is not read as a table: the line above needs as many cells as this one.');
  }
}

/** What to do about a line's mark that belongs to another format or tool. */
function foreignMark(text: string): string | undefined {
  if (/^[<>]{7} \S/.test(text)) return conflict;
  if (/^\.\. [\w-]+::(?:\s|$)/.test(text)) return otherFormat('reStructuredText');
  const [, mark, rest = ''] = quotedBlock.exec(text) ?? [];
  const words = rest.replace(/(?:"[^"]*"|'[^']*')\s*$/, '');
  const isBlock = words !== rest || words.trim().split(' ').some(admonitionKind);
  if (mark === undefined || !isBlock || !/^[\w -]*$/.test(words)) return undefined;
  return `A block with ${mark} is not read in a quotation: remove the > before it and its text.`;
}

// `[words](my file.md)`, and `[^note]` without a note.
const spacedLink =
  /(?<!\\)!?\[[^[\]\n]+\]\((?=[^<\s])[^()<>"'\n]{0,200}[^()<>"'\s]\s[^()<>"'\n]{0,200}\.\w{1,8}(?:#[^()\s]*)?\)/g;
const loneNote = /(?<!\\)\[\^([^\s[\]]+)\](?!:)/g;

// `**words（more）**words`: no blanks separate words there, and markdown reads no marks between punctuation and letters.
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const loneStrong = /(?<![\\*])\*\*(?=\S)([^*\n]+)(?<=\S)\*\*(?!\*)/g;

function mistakenWords(node: Nodes, lines: readonly string[], tell: Tell): void {
  const source = sourceOf(node, lines);
  for (const { index } of source.matchAll(spacedLink)) {
    const message = 'This is not read as a link: write an address with spaces as (<my file.md>).';
    tell('mistaken-text', placeIn(node, source, index), message);
  }
  for (const { 1: words = '', index } of source.matchAll(loneStrong)) {
    const message = 'This is not read as bold: put the punctuation outside the asterisks, or a space beside them.';
    if (cjk.test(words)) tell('mistaken-text', placeIn(node, source, index), message);
  }
  for (const { 1: name, index } of source.matchAll(loneNote)) {
    const message = `There is no footnote ${name}: add a line [^${name}]: with its text.`;
    tell('footnote', placeIn(node, source, index), message);
  }
}

const withWords = new Set(['paragraph', 'heading', 'tableCell', 'emphasis', 'strong']);
// `[words][label]` and `[words][]`, not `list[i][j]`.
const labelled = /(?<![\w\\\])}>])!?\[(?!\^)([^[\]\n]+(?:\n[^[\]\n]+)?)\]\[(?!\^)([^[\]\n]*)\](?![[(:\w])/g;

function allLostLabels(tree: Root, text: string, tell: Tell): void {
  let usesLabels = false;
  eachNode(tree, (node) => (usesLabels ||= node.type === 'definition'));
  eachNode(tree, (node) => {
    if (withWords.has(node.type) && 'children' in node) lostLabels(node, text, usesLabels, tell);
  });
}

/** A link's label that no line defines: on a page that defines others, or below several words, it was meant as one. */
function lostLabels(parent: Parents, text: string, usesLabels: boolean, tell: Tell): void {
  const { start, end } = parent.position ?? {};
  const source = text.slice(start?.offset, end?.offset);
  if (!source.includes('][')) return;
  for (const { 0: whole, 1: words = '', 2: label = '', index } of masked(parent, source).matchAll(labelled)) {
    const isMeant = usesLabels ? /\p{L}{2}/u.test(words) : /\p{L}{2}.*\s\p{L}{2}/su.test(words);
    if (!isMeant || (label !== '' && !/\p{L}{2}/u.test(label))) continue;
    const name = label || source.slice(index + whole.indexOf('[') + 1, index + whole.lastIndexOf(']['));
    const message = `This is not read as a link: no line defines it. Add [${name}]: and its address.`;
    tell('mistaken-text', placeIn(parent, source, index), message);
  }
}

/** Code and other elements inside become letters. */
function masked({ position, children }: Parents, source: string): string {
  const first = position?.start.offset ?? 0;
  const parts: string[] = [];
  let last = 0;
  for (const child of children) {
    const end = (child.position?.end.offset ?? first) - first;
    const written = source.slice(last, end);
    parts.push(child.type === 'text' ? written : written.replace(/[^\n]/g, 'x'));
    last = Math.max(last, end);
  }
  return parts.join('') + source.slice(last);
}

/** As written: a text node's value has no escapes and no indentation. */
function sourceOf({ position }: Nodes, lines: readonly string[]): string {
  if (!position) return '';
  const { start, end } = position;
  const own = lines.slice(start.line - 1, end.line);
  own.push((own.pop() ?? '').slice(0, end.column - 1));
  return own.join('\n').slice(start.column - 1);
}

function placeIn(node: Nodes, source: string, index: number): Place {
  const before = source.slice(0, index).split('\n');
  const { line, column } = placeOf(node);
  const last = before.at(-1)?.length ?? 0;
  return { line: line + before.length - 1, column: before.length === 1 ? column + last : last + 1 };
}
