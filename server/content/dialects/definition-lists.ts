/** Definition lists as Hugo and MkDocs write them: a term, and below it lines that start with a colon. */
import { type Dialect, type Line, lineAt } from './lines.ts';

export const definitionLists: Dialect = (lines) => {
  const made: Line[] = [];
  let open: Line | undefined;
  for (const part of parts(lines)) {
    const [first] = part.lines;
    if (part.isEntry && first && !open) made.push(...put(first, '<dl>'));
    const ends = open && first && !part.isEntry && first.text.trim() !== '';
    if (ends) made.push(...put(first, '</dl>'));
    made.push(...part.lines);
    if (part.isEntry) open = first;
    else if (ends) open = undefined;
  }
  if (open) made.push(...put(open, '</dl>'));
  return made;
};

interface Part {
  lines: Line[];
  isEntry: boolean;
}

function parts(lines: Line[]): Part[] {
  const found: Part[] = [];
  for (let index = 0; index < lines.length; ) {
    const entry = entryAt(lines, index);
    found.push({ lines: entry?.lines ?? lines.slice(index, index + 1), isEntry: entry !== undefined });
    index = entry?.end ?? index + 1;
  }
  return found;
}

/** A term with its definitions, when one starts here. */
function entryAt(lines: Line[], index: number): { lines: Line[]; end: number } | undefined {
  const term = lines[index];
  let end = term && isTerm(term) ? firstDefinition(lines, index) : undefined;
  if (!term || end === undefined) return undefined;
  const made = [...put(term, '<dt>'), term, ...put(term, '</dt>')];
  while (isDefinition(lines[end])) {
    const next = endOf(lines, end);
    made.push(...definition(lines.slice(end, next)));
    end = next;
  }
  return { lines: made, end };
}

function put(origin: Line, tag: string): Line[] {
  return ['', tag, ''].map((text) => lineAt(origin, text));
}

function isTerm(line: Line): boolean {
  return !line.code && /^[^\s:#>|<-]/.test(line.text);
}

function isDefinition(line: Line | undefined): boolean {
  return line !== undefined && !line.code && /^:[ \t]+\S/.test(line.text);
}

/** Below the term, after at most one empty line. */
function firstDefinition(lines: Line[], term: number): number | undefined {
  if (isDefinition(lines[term + 1])) return term + 1;
  return lines[term + 1]?.text.trim() === '' && isDefinition(lines[term + 2]) ? term + 2 : undefined;
}

/** A definition goes on as long as lines are indented; without an empty line between, also when they are not. */
function endOf(lines: Line[], start: number): number {
  let end = start + 1;
  for (const [offset, line] of lines.slice(start + 1).entries()) {
    const index = start + 1 + offset;
    const isBlank = line.text.trim() === '';
    const goesOn = /^(?: {2,}|\t)/.test(line.text) || (end === index && !isDefinition(line));
    if (!isBlank && !goesOn) break;
    if (!isBlank) end = index + 1;
  }
  // The empty lines before the next definition belong to it.
  let next = end;
  while (lines[next]?.text.trim() === '') next += 1;
  return isDefinition(lines[next]) ? next : end;
}

function definition(lines: Line[]): Line[] {
  const [first, ...rest] = lines;
  if (!first) return [];
  const indents = rest.filter((line) => line.text.trim() !== '').map((line) => line.text.search(/\S/));
  const indent = Math.min(...indents, 4);
  const body = rest.map((line) => ({ ...line, text: line.text.trim() === '' ? '' : line.text.slice(indent) }));
  const start = { ...first, text: first.text.replace(/^:[ \t]+/, '') };
  return [...put(first, '<dd>'), start, ...body, ...put(first, '</dd>')];
}
