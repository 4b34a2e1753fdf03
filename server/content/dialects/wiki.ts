import { codeSpans, outsideInlineCode } from './inline-code.ts';
import { type Dialect, indentOf } from './lines.ts';

// `[[text]](address)` and `[[text]][name]` are ordinary links whose text is in brackets.
const link = /(!?)\[\[(?!\s)([^[\]|#\n]*)(#[^[\]|\n]*)?(?:\\?\|([^[\]\n]*))?\]\](?![([])/g;
const marked = /(?<![=\w])==(?=[^\s=])([^=\n]*[^\s=])==(?![=\w])/g;
const picture = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i;

/** Obsidian's markers: `[[Page#Heading|label]]`, `![[picture.png]]`, `==marked==`, `%%hidden%%`. */
export const wiki: Dialect = (lines) =>
  lines.map((line) => {
    if (line.code || indentOf(line.text).length >= 8 || !/\[\[|==|%%/.test(line.text)) return line;
    return { ...line, text: outsideInlineCode(withLinks(line.text), marks) };
  });

function marks(text: string): string {
  return text.replace(/(?<!\S)%%[^%\n]+%%(?!\S)/g, '').replace(marked, '<mark>$1</mark>');
}

/** Code may be a link's label; a link inside code is code. */
function withLinks(text: string): string {
  const spans = codeSpans(text);
  return text.replace(link, (whole, embedded: string, page: string, heading = '', label = '', at = 0) => {
    const target = page.replace(/\\$/, '').trim();
    const isCode = spans.some(([start, end]) => start < at && at < end);
    if (isCode || (!target && !heading) || /^[\d\s,.]*$/.test(target + heading)) return whole;
    if (embedded && picture.test(target)) return `![${pictureLabel(label)}](<${target}>)`;
    return `[${label.trim() || wordsOf(target, heading)}](<${target}${anchor(heading)}>)`;
  });
}

/** The text after a picture's bar is often only its width. */
function pictureLabel(label: string): string {
  return /^\d+(?:x\d+)?$/.test(label) ? '' : label;
}

/** A link to a heading below a heading uses the last one; `^block` is not a target here. */
function anchor(heading: string): string {
  // In a table the bar before the label is escaped.
  const last = heading.replace(/\\$/, '').split('#').at(-1)?.trim() ?? '';
  return last && !last.startsWith('^') ? `#${encodeURIComponent(last)}` : '';
}

/** For a block on this page, its own name. */
function wordsOf(target: string, heading: string): string {
  const words = heading.split('#').filter((part) => part && !part.startsWith('^'));
  return [target, ...words].filter(Boolean).join(' > ') || heading.slice(1);
}
