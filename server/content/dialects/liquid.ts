import { outsideInlineCode } from './inline-code.ts';
import { type Dialect, indentOf, type Line, lineAt, type Tell } from './lines.ts';

const rawTags = /\{%-?\s*(?:end)?raw\s*-?%\}/g;
// No part reaches the next tag of its kind: many unclosed ones would otherwise take quadratic time.
const rawText = String.raw`\{%-?\s*raw\s*-?%\}(?<raw>(?:(?!\{%-?\s*raw\b).)*?)\{%-?\s*endraw\s*-?%\}`;
// The target of a link to a variable is unknown here.
const unknownLink = String.raw`!?\[(?<label>(?:[^[\]\n]|\[[^[\]\n]*\])*)\]\(\{\{-?\s*(?!site\.(?:baseurl|url)\b)\w[\w.[\]]*\s*-?\}\}[^()\s]*\)`;
const tag = String.raw`(?<!\{)\{%-?\s*(?<name>\w[\w-]*)(?<words>(?:(?!\{%)[\s\S])*?)-?%\}(?!\})`;
const output = String.raw`\{\{-?\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|[\w.[\]"'-]+)\s*(?:\|[^}]*)?-?\}\}`;
const anything = new RegExp([rawText, unknownLink, tag, output].join('|'), 'g');
const isTag = /(?<!\{)\{%-?\s*\w/;
// A prefix before a site address is removed.
const isAddress = /^\{\{-?\s*site\.(?:baseurl|url)\b/;
const isOutput = /\{\{-?\s*(?:(?:site|page|include|layout)\.|["'][^"'}]*["']\s*\|)/;

// Their content is shown, whatever the condition; files that they include were resolved earlier.
const silent = new Set(
  (
    'raw endraw comment endcomment highlight endhighlight link post_url include include_relative include_cached ' +
    'if elsif else endif unless endunless case when endcase for endfor break continue tablerow endtablerow ' +
    'assign capture endcapture increment decrement cycle layout liquid echo'
  ).split(' '),
);

type Hidden = 'raw' | 'comment' | 'highlight';

/**
 * Liquid as Jekyll and others write it: tags are removed, listings become code, links to files and literal addresses
 * stay.
 */
export const liquid: Dialect = (lines, tell) => {
  let hidden: Hidden | undefined;
  let opening: Line | undefined;
  const made = lines.flatMap((line) => {
    const only = aloneOn(line);
    const within = hidden;
    if (within && only?.name === `end${within}`) hidden = undefined;
    if (within) return hidden ? hiddenLine(line, within) : edge(line, within, '');
    if (only && !line.code && isHiding(only.name)) {
      hidden = only.name;
      opening = line;
      return edge(line, hidden, only.words[0]);
    }
    const made = shown(line, tell);
    // An empty line in its place would end a table, or the HTML around it.
    return only && !line.code && made.text.trim() === '' ? [] : made;
  });
  if (!hidden || !opening) return made;
  const message = `{% ${hidden} %} is never closed, so it contains everything after it: close it with {% end${hidden} %}.`;
  tell(opening, indentOf(opening.text).length + 1, 'unclosed', message);
  return made.concat(edge(opening, hidden, ''));
};

/** Jekyll reads its tags in code too, and there `raw` keeps the others from being read. */
function shown(line: Line, tell: Tell): Line {
  return { ...line, text: line.code ? line.text.replace(rawTags, '') : withoutTags(line, tell) };
}

function isHiding(name: string): name is Hidden {
  return name === 'raw' || name === 'comment' || name === 'highlight';
}

function hiddenLine(line: Line, within: Hidden): Line {
  if (within === 'comment') return lineAt(line, '');
  // Jekyll evaluates the content of a listing.
  return within === 'highlight' ? { ...line, text: line.text.replace(rawTags, ''), code: true } : line;
}

/** First or last line of hidden text; a listing becomes a code block. */
function edge(line: Line, within: Hidden, language = ''): Line {
  if (within !== 'highlight') return lineAt(line, '');
  return { ...lineAt(line, `${indentOf(line.text)}\`\`\`\`${language}`), code: true };
}

/** True when a source is written for Liquid and does not merely show it in code. */
export function looksLikeLiquid(lines: readonly Line[]): boolean {
  return lines.some((line) => {
    if (line.code || !line.text.includes('{')) return false;
    let found = false;
    outsideInlineCode(line.text, (part) => {
      found ||= isTag.test(part) || isOutput.test(part);
      return part;
    });
    return found;
  });
}

/** The tag of a line that contains nothing else. */
function aloneOn({ text }: Line): { name: string; words: string[] } | undefined {
  const found = /^\s*\{%-?\s*(\w[\w-]*)([^%]*?)-?%\}\s*$/.exec(text);
  return found ? { name: found[1] ?? '', words: (found[2] ?? '').trim().split(/\s+/) } : undefined;
}

function withoutTags(line: Line, tell: Tell): string {
  if (!line.text.includes('{')) return line.text;
  return outsideInlineCode(line.text, (part, offset) => filled(part, offset, line, tell));
}

function filled(part: string, offset: number, line: Line, tell: Tell): string {
  let made = '';
  let last = 0;
  for (const found of part.matchAll(anything)) {
    const at = offset + found.index;
    const lost = (sentence: string): string => {
      tell(line, at + 1, 'unknown-shortcode', sentence);
      return '';
    };
    const { label } = found.groups ?? {};
    const shown =
      label === undefined
        ? textFor(found, lost)
        : filled(label, at + found[0].indexOf('[') + 1, line, tell) +
          lost(`${valueIn(found[0])} in the address of this link is not evaluated: only its text is shown.`);
    made += part.slice(last, found.index) + shown;
    last = found.index + found[0].length;
  }
  return made + part.slice(last);
}

/** The template in a link's address. */
function valueIn(link: string): string {
  const address = link.slice(link.lastIndexOf(']('));
  return /\{\{.*?\}\}|\{%.*?%\}/.exec(address)?.[0] ?? address;
}

/** What a tag, a value or raw text shows. */
function textFor(found: RegExpExecArray, lost: (what: string) => string): string {
  const { raw, name, words = '', double, single } = found.groups ?? {};
  if (raw !== undefined) return raw;
  if (name !== undefined)
    return silent.has(name) || name.startsWith('end') ? addressIn(name, words.trim()) : lost(notRun(`{% ${name} %}`));
  return isAddress.test(found[0]) ? '' : (double ?? single ?? lost(notRun(found[0])));
}

function notRun(what: string): string {
  return `${what} is not evaluated: its output is missing.`;
}

/** What a tag becomes: for `link` and `post_url`, a file's address. */
function addressIn(name: string, words: string): string {
  if (name === 'link') return `/${words.replace(/^\/?_?/, '')}`;
  return name === 'post_url' ? `/blog/${words}` : '';
}
