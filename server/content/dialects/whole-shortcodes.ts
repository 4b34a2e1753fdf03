import { codeSpansAlong } from './inline-code.ts';
import { type Line, lineAt, type Tell } from './lines.ts';
import { nextOpening, shortcodeAt } from './shortcode.ts';

// An author who forgets an end does not want the rest of the page to be read as parameters.
const mostLines = 30;
const fence = /^\s*(?:`{3,}|~{3,})/;
const named = /\{\{[<%][ \t]*(?:\/[ \t]*)?(\w[\w./-]*)/y;

/** A shortcode over several lines is joined into its first line; an unclosed one is reported and stays text. */
export function wholeShortcodes(lines: readonly Line[], tell: Tell): Line[] {
  const made: Line[] = [];
  while (made.length < lines.length) made.push(...joined(lines, made.length, tell));
  return made;
}

/** A line with the lines that its shortcodes extend into, which become empty. */
function joined(lines: readonly Line[], first: number, tell: Tell): Line[] {
  const line = lines[first];
  if (!line || line.code || !line.text.includes('{{')) return line ? [line] : [];
  let here = placeOf(lines, first);
  let text = '';
  let from = 0;
  for (let start = nextOpening(here.line, 0); start >= 0; start = nextOpening(here.line, from)) {
    text += here.line.slice(from, start);
    const { written, name } = readOpening(here, start);
    const [head = '', ...rest] = written.split('\n');
    text += [head, ...rest.map((part) => part.trim())].join(' ');
    from = rest.at(-1)?.length ?? start + head.length;
    if (rest.length > 0) here = placeOf(lines, here.index + rest.length);
    if (name === undefined) continue;
    tell(
      lines[here.index] ?? line,
      start + 1,
      'unclosed-shortcode',
      noEnd(name, here.line[start + 2] === '%' ? '%}}' : '>}}'),
    );
  }
  const emptied = lines.slice(first + 1, here.index + 1).map((other) => lineAt(other, ''));
  return [{ ...line, text: text + here.line.slice(from) }, ...emptied];
}

interface Place {
  index: number;
  line: string;
  /** The line with what may belong to its shortcodes. */
  whole: string;
  codeAt: ReturnType<typeof codeSpansAlong>;
}

function placeOf(lines: readonly Line[], index: number): Place {
  const { text = '' } = lines[index] ?? {};
  return { index, line: text, whole: text + following(lines, index), codeAt: codeSpansAlong(text) };
}

/** The text from an opening on: a whole shortcode, or only its braces, with the name of one that is never closed. */
function readOpening({ line, whole, codeAt }: Place, start: number): { written: string; name?: string } {
  const code = codeAt(start);
  const found = shortcodeAt(code ? line.slice(0, code.end) : whole, start);
  named.lastIndex = start;
  const name = found || code ? undefined : named.exec(line)?.[1];
  return { written: found?.written ?? '{{', ...(name !== undefined && { name }) };
}

/** What may belong to a line's shortcode: the next lines up to a code block. */
function following(lines: readonly Line[], index: number): string {
  const next = lines.slice(index + 1, index + mostLines);
  const end = next.findIndex(({ text }) => fence.test(text));
  return (end < 0 ? next : next.slice(0, end)).map(({ text }) => `\n${text}`).join('');
}

function noEnd(name: string, end: string): string {
  const missing = `“${end}” or a quotation mark is missing within ${mostLines} lines`;
  return `The shortcode ${name} is never closed: ${missing}. It is shown as written.`;
}
