import { blockTag } from './hugo-tags.ts';
import { codeSpansAlong } from './inline-code.ts';
import type { Line } from './lines.ts';
import { replaceShortcodes, type Shortcode, shortcodeAlone, shortcodeAt } from './shortcode.ts';

/** What a list item starts with. */
export const itemMarker = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const quoted = /^[\s>]*/;
// Definitions, cells and quoted lists have no lines below them that belong to them by indentation alone.
const keepsLine = /^(?:[:|]|[-*+]\s|\d+[.)]\s)/;

/**
 * Hugo's tags of blocks that begin or end a line, or a block of several lines, and the texts beside them get lines of
 * their own.
 */
export function withTagsApart(line: Line): Line[] {
  if (line.code || !line.text.includes('{{')) return [line];
  const [marker] = itemMarker.exec(line.text) ?? [];
  const before = marker ?? quoted.exec(line.text)?.[0] ?? '';
  const text = line.text.slice(before.length);
  if (keepsLine.test(text)) return [line];
  const parts = partsOf(text);
  if (!parts.at(0)?.tag && !parts.at(-1)?.tag?.closing && !closesEarlier(parts)) return [line];
  const indent = marker === undefined ? before : ' '.repeat(line.base ?? 0);
  return parts.map((part, index) => ({ ...line, text: (index === 0 ? before : indent) + part.text }));
}

/** The opening tag of a block that a list item begins with. */
export function openingInItem(text: string): Shortcode | undefined {
  const [marker] = itemMarker.exec(text) ?? [];
  const tag = marker === undefined ? undefined : shortcodeAlone(text.slice(marker.length));
  return tag && !tag.closing && blockTag(tag) !== undefined ? tag : undefined;
}

/** Whether one of the tags closes a block that an earlier line opens. */
function closesEarlier(parts: readonly Part[]): boolean {
  const opened = new Set<string>();
  return parts.some(({ tag }) => {
    if (tag && !tag.closing) opened.add(tag.name);
    return tag?.closing && !opened.has(tag.name);
  });
}

interface Part {
  text: string;
  tag?: Shortcode;
}

/** A line's tags of blocks, and the texts between them. */
function partsOf(text: string): Part[] {
  const codeAt = codeSpansAlong(text);
  const parts: Part[] = [];
  let last = 0;
  replaceShortcodes(text, (tag, offset) => {
    if (blockTag(tag) === undefined || codeAt(offset)) return '';
    const written = shortcodeAt(text, offset)?.written ?? '';
    parts.push({ text: text.slice(last, offset).trim() }, { text: written, tag });
    last = offset + written.length;
    return '';
  });
  return [...parts, { text: text.slice(last).trim() }].filter((part) => part.text !== '');
}
