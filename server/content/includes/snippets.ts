import { posix } from 'node:path';
import type { FindIncludes, Include, Place, TakePart } from './include.ts';
import { takeLines, takeNamed } from './parts.ts';

const mark = /^(\s*)-+8<-+[ \t]+(?:"((?:\\"|[^"])+)"|'((?:\\'|[^'])+)')\s*$/;
const bareMark = /^(\s*)\{!>?\s*([^\s!]+)\s*!\}\s*$/;
const codeMark = /^(\s*)\{\*\s*(\S+)(?:\s(.*?))?\s*\*\}\s*$/;

/** True for the lines around a list of files, one file per line. */
export function isSnippetFence(text: string): boolean {
  return /^\s*-+8<-+\s*$/.test(text);
}

/** A marker with a semicolon before it is shown without the semicolon. */
export function withoutSemicolon(text: string): string {
  return /^\s*;+-+8<-+/.test(text) ? text.replace(';', '') : text;
}

/**
 * MkDocs: PyMdown's `--8<-- "file.md:section"` and `{!file.py!}`, also in code, and `{* file.py ln[1:4] hl[2] *}` for
 * code.
 */
export const snippets: FindIncludes = (text, place) => {
  const [whole, indent = '', double, single] = mark.exec(text) ?? [];
  if (whole !== undefined) return snippet(double ?? single ?? '', indent.length, whole.length, place);
  const [bare, blanks = '', path = ''] = bareMark.exec(text) ?? [];
  if (bare !== undefined) return snippet(path, blanks.length, bare.length, place);
  const code = place.code ? null : codeMark.exec(text);
  return code ? [codeInclude(code, place)] : [];
};

/** One file of a list between fences. */
export function listedSnippet(text: string, place: Place): Include[] {
  return snippet(text.trim(), text.search(/\S/), text.length, place);
}

function snippet(written: string, start: number, end: number, { file, snippetFolders }: Place): Include[] {
  const [, path = '', first, last, section] =
    /^(.*?)(?:(?::(\d*))?(?::(\d*))?|:([a-z][\w-]*))$/i.exec(written.trim()) ?? [];
  // A semicolon hides it.
  if (path === '' || path.startsWith(';')) return [];
  const take: TakePart | undefined = section
    ? takeNamed(section, sections)
    : first !== undefined || last !== undefined
      ? takeLines({ from: first ? Number(first) : undefined, to: last ? Number(last) : undefined })
      : undefined;
  const candidates = [...snippetFolders, '.', 'docs', posix.dirname(file)].map((folder) => posix.join(folder, path));
  return [{ start, end, written, candidates, take: take ?? withoutMarks }];
}

/** A line that marks a section belongs to no section. */
const withoutMarks: TakePart = (lines) => lines.filter(({ text }) => !sectionMark.test(text));

const sectionMark = /-+8<-+[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([a-z][\w-]*)[ \t]*\]/i;
const sections = {
  start: (text: string) => named(text, 'start'),
  end: (text: string) => named(text, 'end'),
};

function named(text: string, type: 'start' | 'end'): string | undefined {
  const [, found, name] = sectionMark.exec(text) ?? [];
  return found?.toLowerCase() === type ? name : undefined;
}

function codeInclude([whole, indent = '', path = '', words = '']: RegExpExecArray, { file }: Place): Include {
  const lines = /\bln\[([\d:,\s]+)\]/.exec(words)?.[1];
  const marked = /\bhl\[([\d:,\s]+)\]/.exec(words)?.[1]?.replaceAll(':', '-');
  const ranges = lines?.split(',').map((range) => {
    const [from = '', to = from] = range.trim().split(':');
    return { from: Number(from), to: Number(to) };
  });
  return {
    start: indent.length,
    end: whole.length,
    written: path,
    candidates: [posix.normalize(path), posix.join(posix.dirname(file), path)],
    fence: [/\.(\w+)$/.exec(path)?.[1] ?? 'text', marked && `{${marked}}`].filter(Boolean).join(' '),
    ...(ranges && { take: takeLines(...ranges) }),
  };
}
