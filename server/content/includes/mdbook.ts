import { posix } from 'node:path';
import type { FindIncludes, TakePart } from './include.ts';
import { takeLines, takeNamed } from './parts.ts';

const mark = /(?<!\\)\{\{\s*#(include|rustdoc_include|playground|playpen)\s+([^\s}]+)([^}]*)\}\}/g;
const escaped = /\\(?=\{\{\s*#(?:include|rustdoc_include|playground|playpen|title)\s[^}]*\}\})/g;
const title = /(?<!\\)\{\{\s*#title\s[^}]*\}\}/g;

/**
 * mdBook's `{{#include file:anchor}}`, `{{#rustdoc_include file:2:5}}` and `{{#playground file.rs}}`, also in code,
 * where most of them are; a backslash before the marker shows it.
 */
export const mdbook: FindIncludes = (text, { file }) =>
  [...text.matchAll(mark)].map((found) => {
    const [whole, kind = '', path = '', words = ''] = found;
    const isPlayground = kind.startsWith('play');
    const [name = '', ...part] = isPlayground ? [path] : path.split(':');
    const take = isPlayground ? undefined : partOf(part);
    return {
      start: found.index,
      end: found.index + whole.length,
      written: path,
      candidates: [posix.join(posix.dirname(file), name)],
      repeatsPrefix: true,
      ...(take && { take }),
      ...(isPlayground && { fence: ['rust', ...words.trim().split(/\s+/).filter(Boolean)].join(',') }),
    };
  });

/** A line without what mdBook removes: the page's title, and the backslash before a marker. */
export function withoutEscapes(text: string): string {
  return text.includes('{{') ? text.replace(title, '').replace(escaped, '') : text;
}

function partOf(part: readonly string[]): TakePart | undefined {
  const [first = '', last] = part;
  if (part.length === 0) return undefined;
  if (first !== '' && !/^\d+$/.test(first)) return takeNamed(first, anchors);
  const from = first === '' ? undefined : Number(first);
  // A line number alone is that line; with a colon after it, all that follow.
  return takeLines({ from, to: last === undefined ? from : /^\d+$/.test(last) ? Number(last) : undefined });
}

const anchors = {
  start: (text: string) => /ANCHOR:\s*([\w-]+)/.exec(text)?.[1],
  end: (text: string) => /ANCHOR_END:\s*([\w-]+)/.exec(text)?.[1],
};
