import { unescaped } from './escaped-shortcodes.ts';
import { blockTag } from './hugo-tags.ts';
import { type Dialect, indentOf, type Line, lineAt, movedLeft, type Tell } from './lines.ts';
import { firstParameter, parameter, replaceShortcodes, type Shortcode, shortcodeAlone } from './shortcode.ts';
import { itemMarker, openingInItem, withTagsApart } from './tag-lines.ts';
import { wholeShortcodes } from './whole-shortcodes.ts';

const listings = new Set(['highlight', 'code', 'code-toggle']);

/** An open block: tags inside tags are indented, so its content is moved left. */
interface Opened {
  name: string;
  /** How far. */
  shift: number;
  /** The column of its tag in the markdown. */
  column: number;
  /** The column of its list item's text in the source. */
  base: number;
}

/** Hugo's shortcodes: the few with a meaning become markdown, the others leave their content. */
export const hugo: Dialect = (written, tell) => {
  const lines = codeTabs(withoutComments(wholeShortcodes(written, tell).flatMap(withTagsApart)));
  const shortcodes = lines.map(({ text }) =>
    text.includes('{{') ? (shortcodeAlone(text) ?? openingInItem(text)) : undefined,
  );
  const isPaired = pairing(shortcodes);
  const open: Opened[] = [];
  let listing = false;
  return lines.flatMap((line, index) => {
    const moved = { ...line, text: movedLeft(line.text, innermost(open).shift) };
    if (line.code) return [{ ...moved, text: unescaped(moved.text) }];
    const alone = shortcodes[index];
    if (alone && listings.has(alone.name) && (alone.closing ? listing : isPaired(alone, index))) {
      listing = !alone.closing;
      return [{ ...lineAt(line, indentOf(moved.text) + fence(alone)), code: true }];
    }
    if (listing) return [{ ...moved, text: unescaped(moved.text), code: true }];
    if (!line.text.includes('{{')) return [moved];
    return alone ? block(alone, line, alone.closing || isPaired(alone, index), open, tell) : prose(moved, tell);
  });
};

/** The content of `comment` is hidden, including code. */
function withoutComments(lines: Line[]): Line[] {
  const marks = lines.map(({ text }) => (text.includes('comment') ? shortcodeAlone(text) : undefined));
  const isPaired = pairing(marks);
  let hidden = false;
  return lines.map((line, index) => {
    const mark = marks[index]?.name === 'comment' ? marks[index] : undefined;
    const isEdge = mark && (mark.closing ? hidden : isPaired(mark, index));
    if (isEdge) hidden = !mark.closing;
    return isEdge || hidden ? lineAt(line, '') : line;
  });
}

function innermost(open: readonly Opened[]): Opened {
  return open.at(-1) ?? { name: '', shift: 0, column: 0, base: 0 };
}

/** Says whether a shortcode is closed on a later line: one that never is has no content and swallows no text. */
function pairing(shortcodes: readonly (Shortcode | undefined)[]): (shortcode: Shortcode, index: number) => boolean {
  const lastClosing = new Map<string, number>();
  for (const [index, one] of shortcodes.entries()) if (one?.closing) lastClosing.set(one.name, index);
  return ({ name, selfClosing }, index) => !selfClosing && (lastClosing.get(name) ?? -1) > index;
}

function fence(shortcode: Shortcode): string {
  if (shortcode.closing) return '````';
  const file = parameter(shortcode, 'file');
  const language = shortcode.name === 'highlight' ? firstParameter(shortcode) : file?.split('.').at(-1);
  return `\`\`\`\`${language ?? ''}${file ? ` title="${file}"` : ''}`;
}

/** Docsy's tabs hold code, unless they are text, or markdown by their marker. */
function codeTabs(lines: Line[]): Line[] {
  const tags = lines.map(({ text }) => (text.includes('tab') ? shortcodeAlone(text) : undefined));
  const isPaired = pairing(tags);
  let pane: Shortcode | undefined;
  let inCode = false;
  return lines.flatMap((line, index) => {
    const tag = tags[index];
    if (tag?.name === 'tabpane') pane = tag.closing ? undefined : tag;
    if (tag?.name === 'tab' && pane && (tag.closing ? inCode : isPaired(tag, index) && holdsCode(tag, pane, line))) {
      inCode = !tag.closing;
      return codeTab(tag, pane, line);
    }
    return inCode ? { ...line, code: true } : line;
  });
}

function holdsCode(tab: Shortcode, pane: Shortcode, { text }: Line): boolean {
  return !text.includes('{{%') && [tab, pane].every((one) => parameter(one, 'text') !== 'true');
}

function codeTab(tab: Shortcode, pane: Shortcode, line: Line): Line[] {
  const language = parameter(tab, 'lang') ?? parameter(pane, 'lang') ?? '';
  const fence = { ...line, text: `${indentOf(line.text)}\`\`\`\`${tab.closing ? '' : language}`, code: true };
  return tab.closing ? [fence, line] : [line, fence];
}

function prose(line: Line, tell: Tell): Line[] {
  const listed = listingsIn(line.text);
  const change = (shortcode: Shortcode, offset: number) =>
    listed.has(shortcode.name) ? '`' : inline(shortcode, () => unknown(shortcode, line, offset, tell));
  const text = unescaped(replaceShortcodes(line.text, change));
  // A definition that contained nothing else is removed with its shortcode.
  return /^:\s*$/.test(text) ? [] : [{ ...line, text }];
}

/** Names of listings that begin and end on one line: inline code. */
function listingsIn(text: string): Set<string> {
  const ends = { opening: new Set<string>(), closing: new Set<string>() };
  replaceShortcodes(text, ({ name, closing }) => {
    ends[closing ? 'closing' : 'opening'].add(name);
    return '';
  });
  return new Set([...listings].filter((name) => ends.opening.has(name) && ends.closing.has(name)));
}

function unknown(shortcode: Shortcode, line: Line, offset: number, tell: Tell, holds = false): void {
  const isBlock = blockTag(shortcode) !== undefined;
  const reason = isBlock ? 'is written within a line' : 'is not supported';
  const lost = holds || isBlock ? 'only its content is shown' : 'its output is missing';
  tell(line, offset + 1, 'unknown-shortcode', `The shortcode ${shortcode.name} ${reason}: ${lost}.`);
}

/** What an inline shortcode becomes. */
function inline(shortcode: Shortcode, lost: () => void): string {
  if (shortcode.name === 'ref' || shortcode.name === 'relref') {
    return parameter(shortcode, 'path') ?? firstParameter(shortcode) ?? '';
  }
  const source = /^(?:figure|img)$/.test(shortcode.name) ? parameter(shortcode, 'src') : undefined;
  // A shortcode that is never closed has no content.
  const isEmpty = shortcode.selfClosing && blockTag(shortcode) !== undefined;
  if (source === undefined && !shortcode.closing && !isEmpty) lost();
  if (!source) return '';
  const picture = `![${parameter(shortcode, 'alt', 'caption') ?? ''}](<${source}>)`;
  const target = parameter(shortcode, 'link');
  return target ? `[${picture}](<${target}>)` : picture;
}

/** A shortcode alone on its line opens or closes a block when it is one of a pair. */
function block(shortcode: Shortcode, line: Line, paired: boolean, open: Opened[], tell: Tell): Line[] {
  const tag = paired ? blockTag(shortcode) : undefined;
  const offset = line.text.indexOf('{{');
  const isKnown = listings.has(shortcode.name) || blockTag(shortcode) !== undefined;
  if (!paired && !shortcode.selfClosing && isKnown) {
    const message = `The shortcode ${shortcode.name} is never closed, so it has no content: what follows is plain text.`;
    tell(line, offset + 1, 'unclosed', message);
    return [lineAt(line, '')];
  }
  const lost = () => unknown(shortcode, line, offset, tell, paired);
  if (!tag) {
    const indent = indentOf(movedLeft(line.text, innermost(open).shift));
    return captioned(shortcode, inline(shortcode, lost)).map((text) => lineAt(line, text && indent + text));
  }
  if (shortcode.closing) closeBlock(shortcode.name, open);
  const outer = innermost(open);
  const base = line.base ?? 0;
  // A tag far to the right of the text around it would be code; a list inside a block has moved with its content.
  const column = base === outer.base ? outer.column : Math.max(0, base - outer.shift);
  const shift = Math.max(outer.shift, indentOf(line.text).length - column);
  if (!shortcode.closing) open.push({ name: shortcode.name, shift, column, base });
  const [marker] = itemMarker.exec(line.text) ?? [];
  if (marker !== undefined) return [lineAt(line, movedLeft(marker, outer.shift) + tag), lineAt(line, '')];
  return [lineAt(line, ''), lineAt(line, ' '.repeat(column) + tag), lineAt(line, '')];
}

/** A figure alone on its line shows its title and caption, which are read as markdown. */
function captioned(shortcode: Shortcode, picture: string): string[] {
  const title = parameter(shortcode, 'title');
  const caption = [title && `**${title}**`, parameter(shortcode, 'caption')].filter(Boolean).join(' ');
  if (shortcode.name !== 'figure' || !picture || !caption) return [picture];
  return ['', '<figure>', '', picture, '', '<figcaption>', '', caption, '', '</figcaption>', '</figure>', ''];
}

function closeBlock(name: string, open: Opened[]): void {
  const at = open.findLastIndex((one) => one.name === name);
  if (at >= 0) open.splice(at);
}
