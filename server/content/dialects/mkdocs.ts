import { admonitionKind } from '../plugins/admonition-kinds.ts';
import { codeSpans, outsideInlineCode } from './inline-code.ts';
import { type Dialect, indentOf, type Line, lineAt, missingFence, type Tell } from './lines.ts';

const opening = /^(\s*)(!!!|\?\?\?\+?|===[!+]?)\s*([\w -]*?)\s*(?:"(.*)"|'(.*)')?\s*$/;
const attributes = /(?<=[)\]`*_:])\{:?\s*(?:[.#:][\w-]|[\w-]+=)[^}\n]*\}/g;

const autodoc = /^(\s*)(#{1,6}\s+)?:::\s+([\w-]+(?:\.\w+)*)\s*$/;
// Material's own documents use comments to name options and their values.
const named = /<!-- md:(option|setting|default)\s+(.*?) -->/g;
// InlineHilite's language name.
const highlighted = /(?<!`)`#![a-z][\w+-]*\s+(?=[^`\s][^`\n]*`(?!`))/gi;
const tagAlone = /^ {0,3}<([a-z][\w-]*)\s([^<>]*)>\s*$/i;
const icons = /:(?:material|octicons|fontawesome|simple)-[a-z\d-]+:[ \t]*/g;

/** MkDocs: `!!! note "Title"`, `??? note`, `=== "Tab"` with an indented body, attribute lists, `[TOC]`. */
export const mkdocs: Dialect = (lines, tell) =>
  blocks(withoutAutodoc(withIds(withoutContents(apart(lines))), tell), tell);

function blocks(lines: Line[], tell: Tell): Line[] {
  const made: Line[] = [];
  for (let index = 0; index < lines.length; ) {
    const block = blockAt(lines, index);
    if (block) made.push(...wrapped(block, blocks(block.body, tell), takeOpenTabs(made, block.found)));
    else {
      tellEmpty(lines[index], tell);
      made.push(
        ...lines
          .slice(index, index + 1)
          .filter(isText)
          .map((line) => (isTerm(line, lines[index + 1]) ? line : withoutAttributes(line))),
      );
    }
    index = block?.end ?? index + 1;
  }
  return made;
}

/** An admonition without text below it is a line of text. */
function tellEmpty(line: Line | undefined, tell: Tell): void {
  const [, indent = '', mark = '', words = ''] = line && !line.code ? (opening.exec(line.text) ?? []) : [];
  if (!line || !/^[!?]/.test(mark) || !words.split(' ').some(admonitionKind)) return;
  const message = `The text of ${mark} ${words} must be indented by four spaces below it: this is shown as plain text.`;
  tell(line, indent.length + 1, 'mistaken-text', message);
}

interface Block {
  first: Line;
  found: RegExpExecArray;
  body: Line[];
  end: number;
}

function blockAt(lines: Line[], index: number): Block | undefined {
  const first = lines[index];
  const found = first && !first.code ? opening.exec(first.text) : null;
  const body = found && isBlock(found) ? bodyAfter(lines, index, found[1] ?? '') : undefined;
  if (first && found && body) return { first, found, body: body.lines, end: body.end };
  // A title may be all there is.
  const bare = first && found && isBlock(found) && (found[4] ?? found[5]);
  return bare ? { first, found, body: [], end: index + 1 } : undefined;
}

/** Not `[TOC]`, and not attributes on a line of their own. */
function isText(line: Line): boolean {
  return line.code || !/^\s*(?:\[TOC\]|\[\[toc\]\]|\{:?\s*(?:[.#]|\w+=["'])[^}]*\})\s*$/i.test(line.text);
}

/** A definition list's term keeps its `{ #id }`. */
function isTerm(line: Line, next: Line | undefined): boolean {
  return /\{[^{}]*#[^{}]*\}\s*$/.test(line.text) && next !== undefined && !next.code && /^\s*:\s/.test(next.text);
}

/** Between tags that ask for markdown, empty lines make the parser read it. */
function apart(lines: Line[]): Line[] {
  const open: string[] = [];
  return lines.flatMap((line) => {
    const [, tag, words = ''] = line.code ? [] : (tagAlone.exec(line.text) ?? []);
    const name = /(?:^|\s)markdown(?:[\s=]|$)/.test(words) ? tag : undefined;
    if (name) open.push(name);
    if (name) return [line, lineAt(line, '')];
    const isEnd = !line.code && open.length > 0 && line.text.trim() === `</${open.at(-1)}>`;
    if (isEnd) open.pop();
    return isEnd ? [lineAt(line, ''), line] : [line];
  });
}

/** Kramdown replaces a list of one item with a table of contents, which every page here already has. */
function withoutContents(lines: Line[]): Line[] {
  const isMark = (line: Line | undefined) => line && !line.code && /^\s*\{:\s*toc\b[^}]*\}\s*$/.test(line.text);
  return lines.filter((line, index) => {
    const isItem = !line.code && /^\s*(?:[*+-]|\d+[.)])\s/.test(line.text);
    return !isMark(line) && !(isItem && isMark(lines[index + 1]));
  });
}

/** Kramdown names a heading on the line below it. */
function withIds(lines: Line[]): Line[] {
  return lines.map((line, index) => {
    const next = lines[index + 1];
    const id = next && !next.code && /^\{:?\s*(?:\.\S+\s+)*#([\w.:-]+)[^}]*\}\s*$/.exec(next.text)?.[1];
    return id && !line.code && /^#{1,6}\s/.test(line.text) ? { ...line, text: `${line.text} {#${id}}` } : line;
  });
}

/** `::: package.module` stands for text taken from code that is not here: its name stays, its options are removed. */
function withoutAutodoc(lines: Line[], tell: Tell): Line[] {
  let indent = -1;
  return lines.flatMap((line, index) => {
    if (indent >= 0 && (line.text.trim() === '' || indentOf(line.text).length >= indent + 4)) return [];
    indent = -1;
    const [, start = '', heading = '', name] = line.code ? [] : (autodoc.exec(line.text) ?? []);
    const hasOptions = /^\s+:?[a-z][\w-]*:/.test(lines[index + 1]?.text ?? '');
    if (!name || !(name.includes('.') || hasOptions)) return [line];
    indent = start.length;
    tell(line, 1, 'unknown-shortcode', `The text that ::: ${name} takes from code is missing.`);
    return [lineAt(line, ''), lineAt(line, `${start}${heading}\`${name}\``), lineAt(line, '')];
  });
}

/** The preceding tab, when it is in the same group: its end tag is removed, and the group continues. */
function takeOpenTabs(made: Line[], found: RegExpExecArray): boolean {
  const end = made.findLastIndex((line) => line.text !== '');
  if (made[end]?.text !== `${found[1]}</md-tabs>` || !/^===(?!!)/.test(found[2] ?? '')) return false;
  made.splice(end);
  return true;
}

function isBlock(found: RegExpExecArray): boolean {
  const mark = found[2] ?? '';
  return mark.startsWith('===') ? (found[4] ?? found[5]) !== undefined : (found[3] ?? '') !== '';
}

/** The lines indented below a block's first line, moved left; undefined when there are none. */
function bodyAfter(lines: Line[], start: number, indent: string): { lines: Line[]; end: number } | undefined {
  let end = start + 1;
  let last = start;
  for (; end < lines.length; end += 1) {
    const text = lines[end]?.text ?? '';
    const inner = text.startsWith(`${indent}    `) || text.startsWith(`${indent}\t`);
    if (inner) last = end;
    else if (text.trim() !== '') break;
  }
  if (last === start) return undefined;
  const body = lines.slice(start + 1, last + 1).map((line) => ({ ...line, text: moved(line.text, indent) }));
  const fence = missingFence(body);
  const first = lines[start];
  if (fence && first) body.push({ ...lineAt(first, fence), code: true });
  return { lines: body, end: last + 1 };
}

function moved(text: string, indent: string): string {
  if (text.trim() === '') return '';
  const rest = text.slice(indent.length);
  return indent + (rest.startsWith('\t') ? rest.slice(1) : rest.slice(4));
}

function wrapped({ first, found }: Block, body: Line[], goesOn: boolean): Line[] {
  const [, indent = '', mark = '', words = ''] = found;
  const title = (found[4] ?? found[5])?.replace(icons, '');
  const put = (...texts: string[]): Line[] => texts.map((text) => lineAt(first, text && indent + text));
  const [name = ''] = words.split(' ');
  const kind = words.split(' ').map(admonitionKind).find(Boolean) ?? 'note';
  const own = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  // Without a title, the block is labelled with its kind, as the author wrote it.
  const shown = title ?? (mark.startsWith('!!!') && name.toLowerCase() !== kind ? own : '');
  const label = shown ? ['<md-label>', '', shown, '', '</md-label>', ''] : [];
  if (mark.startsWith('===')) {
    const open = goesOn ? ['<md-tab>', ''] : ['', '<md-tabs>', '', '<md-tab>', ''];
    return [...put(...open, ...label), ...body, ...put('', '</md-tab>', '', '</md-tabs>')];
  }
  if (mark.startsWith('???')) {
    const summary = title ?? own;
    return [
      ...put('', '<details>', '<summary>', '', summary, '', '</summary>', ''),
      ...body,
      ...put('', '</details>', ''),
    ];
  }
  return [...put('', `<md-admonition kind="${kind}">`, '', ...label), ...body, ...put('', '</md-admonition>', '')];
}

function withoutAttributes({ text, ...origin }: Line): Line {
  const line = { ...origin, text: origin.code ? text : text.replace(named, namedText).replace(highlighted, '`') };
  if (line.code || !/[{:]/.test(line.text) || indentOf(line.text).length >= 8) return line;
  return { ...line, text: outsideInlineCode(withoutLists(line.text), (part) => part.replace(icons, '')) };
}

/** An attribute list may belong to code, but one inside code is code. */
function withoutLists(text: string): string {
  const spans = codeSpans(text);
  return text.replace(attributes, (list, at) => (spans.some(([start, end]) => start < at && at < end) ? list : ''));
}

function namedText(_whole: string, kind: string, value: string): string {
  const code = value.startsWith('`') ? value : `\`${value}\``;
  return kind === 'default' ? `Default: ${code}.` : code;
}
