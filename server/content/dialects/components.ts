import { slug } from 'github-slugger';
import { outsideInlineCode } from './inline-code.ts';
import { type JsxPage, renderTag } from './jsx-render.ts';
import { readTag } from './jsx-tag.ts';
import { type Dialect, type Line, lineAt } from './lines.ts';

const unknownAlone = /^ {0,3}<\/?[A-Z][\w.]*(?:\s(?:"[^"]*"|'[^']*'|[^'"<>])*)?>\s*$/;
const knownAlone = /^\s*<\/?(?:md-[a-z-]+|details)\b[^<>]*>(?:<summary>.*<\/summary>)?\s*$/;

/** Components in files that are not MDX: known ones become elements, and the text between tags is read as markdown. */
export const components: Dialect = (lines) => {
  const page: JsxPage = { assets: new Map(), tabs: [] };
  return lines.flatMap((line): Line[] => {
    if (line.code || !/<\/?[A-Z]/.test(line.text)) return [line];
    const text = outsideInlineCode(line.text, (part) => withElements(part, page)) + idOf(line.text);
    const made = { ...line, text };
    return unknownAlone.test(text) || knownAlone.test(text) ? [lineAt(line, ''), made, lineAt(line, '')] : [made];
  });
};

/** A badge is not part of a heading's id, unless the heading consists of it. */
function idOf(text: string): string {
  const words = /^#{1,6}\s+((?:[^`]|`[^`]*`)*?)\s*(?<!\\)<Badge\b(?:(?!\{#).)*$/.exec(text)?.[1];
  const id = slug(words ?? '').replace(/^-+|-+$/g, '');
  return id && ` {#${id}}`;
}

/**
 * Unknown components stay, and are reported when HTML is read. There is none after a backslash, nor in a type such as
 * `Array<Step>`, which has no slash.
 */
function withElements(text: string, page: JsxPage): string {
  let made = '';
  let last = 0;
  for (const { index } of text.matchAll(/(?<![\w\\])<[A-Z]|(?<!\\)<\/[A-Z]/g)) {
    const tag = index < last ? undefined : readTag(text, index);
    const rendered = tag && renderTag(tag, page);
    if (!tag || !rendered || rendered.unknown !== undefined) continue;
    made += text.slice(last, index) + rendered.html;
    last = tag.end;
  }
  return made + text.slice(last);
}
