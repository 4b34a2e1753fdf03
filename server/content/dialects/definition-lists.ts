/** Definition lists as Hugo and MkDocs write them: a term, and below it lines that start with a colon. */
import { type Dialect, type Line, lineAt } from './lines.ts';

export const definitionLists: Dialect = (lines) => {
  const made: Line[] = [];
  let index = 0;
  let listOpen = false;
  while (index < lines.length) {
    const line = lines[index];
    if (!line) break;
    const first = isTerm(line) ? firstDefinition(lines, index) : undefined;
    if (first === undefined) {
      if (listOpen && line.text.trim() !== '') {
        made.push(...put(line, '</dl>'));
        listOpen = false;
      }
      made.push(line);
      index += 1;
      continue;
    }
    if (!listOpen) made.push(...put(line, '<dl>'));
    listOpen = true;
    made.push(...put(line, '<dt>'), line, ...put(line, '</dt>'));
    index = first;
    while (isDefinition(lines[index])) {
      const end = endOf(lines, index);
      made.push(...definition(lines.slice(index, end)));
      index = end;
    }
  }
  const last = lines.at(-1);
  if (listOpen && last) made.push(...put(last, '</dl>'));
  return made;
};

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
  for (let index = start + 1; index < lines.length; index += 1) {
    const line = lines[index];
    if (!line) break;
    const isBlank = line.text.trim() === '';
    const follows = /^(?: {2,}|\t)/.test(line.text) || (end === index && !isBlank && !isDefinition(line));
    if (!isBlank && !follows) break;
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
  const indents = rest.filter((line) => line.text.trim() !== '').map((line) => /^ */.exec(line.text)?.[0].length ?? 0);
  const indent = Math.min(...indents, 4);
  const body = rest.map((line) => ({
    ...line,
    text: line.text.slice(Math.min(indent, /^\s*/.exec(line.text)?.[0].length ?? 0)),
  }));
  const start = { ...first, text: first.text.replace(/^:[ \t]+/, '') };
  return [...put(first, '<dd>'), start, ...body, ...put(first, '</dd>')];
}
