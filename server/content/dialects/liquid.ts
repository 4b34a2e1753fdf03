/** Liquid as Jekyll and others write it: tags go, listings become code, links to files and written addresses stay. */
import { outsideInlineCode } from './inline-code.ts';
import { type Dialect, indentOf, type Line, lineAt } from './lines.ts';

const tag = /(?<!\{)\{%-?\s*(\w[\w-]*)([\s\S]*?)-?%\}(?!\})/g;
const rawTags = /\{%-?\s*(?:end)?raw\s*-?%\}/g;
// Where a link to a variable leads is not known here.
const unknownLink =
  /\[((?:[^[\]\n]|\[[^[\]\n]*\])*)\]\(\{\{-?\s*(?!site\.(?:baseurl|url)\b)\w[\w.[\]]*\s*-?\}\}[^()\s]*\)/g;
const isTag = /(?<!\{)\{%-?\s*\w/;
const output = /\{\{-?\s*(?:"([^"]*)"|'([^']*)'|[\w.[\]"'-]+)\s*(?:\|[^}]*)?-?\}\}/g;
const isOutput = /\{\{-?\s*(?:(?:site|page|include|layout)\.|["'][^"'}]*["']\s*\|)/;

type Hidden = 'raw' | 'comment' | 'highlight';

export const liquid: Dialect = (lines) => {
  let hidden: Hidden | undefined;
  return lines.flatMap((line) => {
    const only = aloneOn(line);
    const within = hidden;
    if (within && only?.name === `end${within}`) hidden = undefined;
    if (within) return hidden ? hiddenLine(line, within) : edge(line, within, '');
    // An empty line in its place would end a table, or the HTML around it.
    if (only && !line.code && !isHiding(only.name) && shown(line).text.trim() === '') return [];
    if (line.code || !only || !isHiding(only.name)) return shown(line);
    hidden = only.name;
    return edge(line, hidden, only.words[0]);
  });
};

/** Jekyll reads its tags in code too, and there `raw` keeps the others from being read. */
function shown(line: Line): Line {
  return { ...line, text: line.code ? line.text.replace(rawTags, '') : withoutTags(line.text) };
}

function isHiding(name: string): name is Hidden {
  return name === 'raw' || name === 'comment' || name === 'highlight';
}

function hiddenLine(line: Line, within: Hidden): Line {
  if (within === 'comment') return lineAt(line, '');
  return within === 'highlight' ? { ...line, code: true } : line;
}

/** First or last line of what is hidden; a listing becomes a block of code. */
function edge(line: Line, within: Hidden, language = ''): Line {
  if (within !== 'highlight') return lineAt(line, '');
  return { ...lineAt(line, `${indentOf(line.text)}\`\`\`\`${language}`), code: true };
}

/** True when a source is written for Liquid, and does not only talk about it in code. */
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

/** The tag of a line that holds nothing else. */
function aloneOn({ text }: Line): { name: string; words: string[] } | undefined {
  const found = /^\s*\{%-?\s*(\w[\w-]*)([^%]*?)-?%\}\s*$/.exec(text);
  return found ? { name: found[1] ?? '', words: (found[2] ?? '').trim().split(/\s+/) } : undefined;
}

function withoutTags(text: string): string {
  if (!text.includes('{')) return text;
  const bare = text.replace(rawTags, '');
  return outsideInlineCode(bare, (part) =>
    part
      .replace(unknownLink, '$1')
      .replace(tag, (_whole, name: string, words: string) => addressIn(name, words.trim()))
      .replace(output, (_whole, double?: string, single?: string) => double ?? single ?? ''),
  );
}

/** What a tag stands for: `link` and `post_url` are the address of a file. */
function addressIn(name: string, words: string): string {
  if (name === 'link') return `/${words.replace(/^\/?_?/, '')}`;
  return name === 'post_url' ? `/blog/${words}` : '';
}
