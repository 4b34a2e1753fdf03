import { posix } from 'node:path';
import type { FindIncludes, PlacedLine, TakePart } from './include.ts';
import { dedented, takeLines, takeNamed } from './parts.ts';

const snippet = /^\s*<<<\s*(\S+?)(#[\w-]+)?\s*(?:\{([^{}]*)\})?\s*(\[[^\]]*\])?\s*$/;
const include = /<!--\s*@include:\s*(.*?)\s*-->/g;

/**
 * VitePress: `<<< @/snippets/a.ts#region{2,4 ts} [label]` shows code, `<!--@include: ./part.md{3,}-->` includes
 * markdown.
 */
export const vitepress: FindIncludes = (text, { file, code }) => {
  if (code) return [];
  const shown = snippet.exec(text);
  if (shown) return [codeSnippet(shown, file)];
  return [...text.matchAll(include)].map((found) => {
    const [whole, written = ''] = found;
    const [, path = '', part = '', range] = /^(.*?)(#[^{}]+)?(?:\{([\d,-]*)\})?$/.exec(written) ?? [];
    const take = range === undefined ? part && takeRegionOrSection(part.slice(1)) : takeLines(rangeOf(range));
    return {
      start: found.index,
      end: found.index + whole.length,
      written: path,
      candidates: placesOf(path, file),
      ownLinks: true,
      ...(take && { take }),
    };
  });
};

function codeSnippet([whole, path = '', region, braces = '', label]: RegExpExecArray, file: string) {
  const marked = /^[\d,\s-]+/.exec(braces)?.[0].trim() ?? '';
  const language = braces.slice(marked.length).trim() || /\.(\w+)$/.exec(path)?.[1];
  return {
    start: whole.search(/\S/),
    end: whole.length,
    written: path + (region ?? ''),
    candidates: placesOf(path, file),
    fence: [language ?? 'text', marked && `{${marked}}`, label].filter(Boolean).join(' '),
    ...(region && { take: takeRegion(region.slice(1)) }),
  };
}

/** `@` is the documents' folder. */
function placesOf(path: string, file: string): string[] {
  if (path.startsWith('@')) return ['docs', '.'].map((folder) => posix.join(folder, path.replace(/^@\/?/, '')));
  return [posix.join(posix.dirname(file), path), posix.join('docs', path), posix.normalize(path)];
}

function rangeOf(range: string): { from?: number | undefined; to?: number | undefined } {
  const [from = '', to = from] = range.split(/[,-]/);
  return { from: from ? Number(from) : undefined, to: to ? Number(to) : undefined };
}

const comment = String.raw`^\s*(?://|/\*|#|<!--|--|::|;|%|\(\*|REM)?\s*`;
const regionStart = new RegExp(String.raw`${comment}#?(?:pragma )?region\b\s*([\w*-]+)?`, 'i');
const regionEnd = new RegExp(String.raw`${comment}#?(?:pragma )?end\s?region\b\s*([\w*-]+)?`, 'i');
const regions = {
  start: (text: string) => regionStart.exec(text)?.[1],
  end: (text: string) => regionEnd.exec(text)?.[1],
};

function takeRegion(name: string): TakePart {
  return (lines, tell) => {
    const found = takeNamed(name, regions)(lines, tell);
    return found && dedented(found);
  };
}

/** A region, otherwise the text below the heading with that id, up to the next heading of its level. */
function takeRegionOrSection(name: string): TakePart {
  return (lines, tell) => takeRegion(name)(lines, tell) ?? section(lines, name);
}

function section(lines: readonly PlacedLine[], id: string): PlacedLine[] | undefined {
  const levels = lines.map(({ text }) => headingOf(text));
  const start = levels.findIndex((heading) => heading?.id === id);
  const level = levels[start]?.level;
  if (level === undefined) return undefined;
  const length = levels.slice(start + 1).findIndex((heading) => heading !== undefined && heading.level <= level);
  return lines.slice(start, length < 0 ? undefined : start + 1 + length);
}

function headingOf(text: string): { level: number; id: string } | undefined {
  const [, marks, words = ''] = /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(text) ?? [];
  if (marks === undefined) return undefined;
  const written = /\{#([^}]+)\}$/.exec(words)?.[1];
  const slug = words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s+/g, '-');
  return { level: marks.length, id: written ?? slug };
}
