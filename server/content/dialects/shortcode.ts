import { codeSpansAlong } from './inline-code.ts';

/** One of Hugo's shortcodes, `{{< name "first" key="value" >}}`. */
export interface Shortcode {
  name: string;
  closing: boolean;
  selfClosing: boolean;
  parameters: Parameter[];
}

interface Parameter {
  /** Positional ones have none. */
  name: string | undefined;
  value: string;
}

// A string ends with its line and may contain `\"`, or be enclosed in a pair of them; a raw string is taken literally.
const strings = (content: (pattern: string) => string) =>
  [
    `"${content(String.raw`(?:[^"\\\n]|\\"|\\(?!"))*`)}"`,
    String.raw`\\"${content(String.raw`(?:[^"\\\n]|\\(?!"))*`)}\\"`,
    `\`${content('[^`]*')}\``,
  ].join('|');
// A shortcode ends at its own marker, and before the next one starts.
const inside = (start: string, end: string) =>
  String.raw`${start}\s*(?:(\/)\s*)?(\w[\w./-]*)(?![\w./-])` +
  String.raw`((?:${strings((pattern) => pattern)}|\\(?!")|[^"${'`'}\\{${end}]|\{(?!\{[<%])|${end}(?!\}\}))*)${end}`;
const shortcode = new RegExp(String.raw`\{\{(?:${inside('<', '>')}|${inside('%', '%')})\}\}`, 'y');
const parameterSyntax = new RegExp(
  String.raw`(?:([^\s"${'`'}=\\]+)\s*=\s*)?(?:${strings((pattern) => `(${pattern})`)}|([^\s"${'`'}]+))`,
  'g',
);
const startsTag = /\{\{<[a-z/]/iy;
const opening = /\{\{[<%](?!\/\*)/g;

/** Offset of the next marker that opens a shortcode, from `index`; -1 when there is none. */
export function nextOpening(text: string, index: number): number {
  opening.lastIndex = index;
  return opening.exec(text)?.index ?? -1;
}

/** The shortcode at `index`, possibly over several lines, with its text. */
export function shortcodeAt(text: string, index: number): { shortcode: Shortcode; written: string } | undefined {
  shortcode.lastIndex = index;
  const found = shortcode.exec(text);
  if (!found) return undefined;
  const [written, slash = found[4], name = found[5] ?? '', words = found[6] ?? ''] = found;
  const end = /\/\s*$/.exec(words);
  const bare = name.replace(/\/$/, '');
  return {
    written,
    shortcode: {
      name: bare,
      closing: slash !== undefined,
      selfClosing: end !== null || bare !== name,
      parameters: parametersOf(end ? words.slice(0, end.index) : words),
    },
  };
}

/** The shortcode of a line that contains nothing else. */
export function shortcodeAlone(text: string): Shortcode | undefined {
  const start = nextOpening(text, 0);
  const found = start < 0 ? undefined : shortcodeAt(text, start);
  if (!found || !/^[\s>]*$/.test(text.slice(0, start) + text.slice(start + found.written.length))) return undefined;
  return found.shortcode;
}

/**
 * Replaces every shortcode of a text that does not extend beyond inline code; `change` also gets its offset. An
 * unclosed one is shown as written, even where HTML could start with it.
 */
export function replaceShortcodes(text: string, change: (shortcode: Shortcode, offset: number) => string): string {
  const codeAt = codeSpansAlong(text);
  let made = '';
  let last = 0;
  for (let start = nextOpening(text, 0); start >= 0; start = nextOpening(text, Math.max(last, start + 1))) {
    const found = shortcodeAt(text, start);
    const code = codeAt(start);
    if (!found) {
      if (code || !isTagStart(text, start)) continue;
      // Works between HTML tags too, where a backslash would be shown.
      made += `${text.slice(last, start)}{{&lt;`;
      last = start + 3;
      continue;
    }
    const end = start + found.written.length;
    if (code && end > code.end) continue;
    made += text.slice(last, start) + change(found.shortcode, start);
    last = end;
  }
  return made + text.slice(last);
}

function isTagStart(text: string, index: number): boolean {
  startsTag.lastIndex = index;
  return startsTag.test(text);
}

function parametersOf(words: string): Parameter[] {
  return [...words.matchAll(parameterSyntax)].map(([, name, text, ...others]) => ({
    name,
    value: text?.replaceAll('\\"', '"') ?? others.find((value) => value !== undefined) ?? '',
  }));
}

/** A named parameter. */
export function parameter({ parameters }: Shortcode, ...names: string[]): string | undefined {
  return names
    .map((wanted) => parameters.find(({ name }) => name === wanted)?.value)
    .find((value) => value !== undefined);
}

/** The first parameter, when it has no name and is not empty. */
export function firstParameter({ parameters: [first] }: Shortcode): string | undefined {
  return first?.name === undefined ? first?.value || undefined : undefined;
}
