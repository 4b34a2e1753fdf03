/** Hugo's shortcodes: the few with a meaning become markdown, the others leave their content. */
import { admonitionKind } from '../plugins/admonition-kinds.ts';
import { type Dialect, indentOf, type Line, lineAt } from './lines.ts';

const shortcode = /\{\{([<%])\s*(\/?)\s*([\w./-]+)((?:"[^"]*"|`[^`]*`|[^"`>%]|[>%](?!\}\}))*?)\s*\/?\s*[>%]\}\}/g;
const escaped = /\{\{([<%])\/\*\s?([\s\S]*?)\s?\*\/([>%])\}\}/g;

export const hugo: Dialect = (written) => {
  const lines = onOneLine(written);
  let listing = false;
  return lines.flatMap((line, index) => {
    if (line.code) return [{ ...line, text: unescaped(line.text) }];
    const alone = /^\s*(?:>\s*)*\{\{[<%][^{}]*[>%]\}\}\s*$/.test(line.text);
    const mark = alone ? /\{\{[<%]\s*(\/?)(highlight|code-toggle|code)\b\s*([^{}]*?)\s*[>%]\}\}/.exec(line.text) : null;
    const opens = mark && mark[1] !== '/';
    // One that is never closed holds nothing, and must not take the rest of the page.
    if (mark && (!opens || (!/\/\s*[>%]\}\}/.test(line.text) && isClosed(lines, index, mark[2] ?? '')))) {
      listing = Boolean(opens);
      return [{ ...lineAt(line, indentOf(line.text) + fence(mark)), code: true }];
    }
    if (listing) return [{ ...line, code: true }];
    if (!line.text.includes('{{')) return [line];
    if (alone) return block(line);
    const text = unescaped(line.text.replace(shortcode, (...found) => inline(found[3], found[4])));
    // A definition that held nothing else goes with its shortcode.
    return /^:\s*$/.test(text) ? [] : [{ ...line, text }];
  });
};

/** A shortcode may run over several lines; they become its first line. */
function onOneLine(lines: Line[]): Line[] {
  const made: Line[] = [];
  let open: Line | undefined;
  for (const [index, line] of lines.entries()) {
    if (open) {
      open.text += ` ${line.text.trim()}`;
      made.push(lineAt(line, ''));
      if (/[>%]\}\}/.test(line.text)) open = undefined;
      continue;
    }
    made.push({ ...line });
    const rest = line.code
      ? ''
      : line.text.slice(Math.max(line.text.lastIndexOf('{{<'), line.text.lastIndexOf('{{%'), 0));
    const end = lines.slice(index + 1, index + 30).findIndex((next) => /[>%]\}\}/.test(next.text));
    if (/^\{\{[<%](?!\/\*)/.test(rest) && !/[>%]\}\}/.test(rest) && end >= 0) open = made.at(-1);
  }
  return made;
}

function isClosed(lines: Line[], index: number, name: string): boolean {
  return lines.slice(index + 1).some((line) => new RegExp(`\\{\\{[<%]\\s*/\\s*${name}\\b`).test(line.text));
}

function fence(mark: RegExpExecArray): string {
  if (mark[1] === '/') return '```';
  const file = /file="?([^"\s]+)/.exec(mark[3] ?? '')?.[1];
  const language = mark[2] === 'highlight' ? /^["']?([\w+#-]+)/.exec(mark[3] ?? '')?.[1] : file?.split('.').at(-1);
  return `\`\`\`${language ?? ''}${file ? ` title="${file}"` : ''}`;
}

function unescaped(text: string): string {
  return text.includes('/*') ? text.replace(escaped, '{{$1 $2 $3}}') : text;
}

/** What a shortcode inside a line stands for. */
function inline(name: string | undefined, words: string | undefined): string {
  if (name === 'ref' || name === 'relref') return value(words ?? '', 'path') ?? first(words ?? '');
  if (name === 'figure' || name === 'img') return picture(words ?? '');
  return '';
}

/** A shortcode alone on its line opens or closes a block. */
function block(line: Line): Line[] {
  shortcode.lastIndex = 0;
  const found = shortcode.exec(line.text);
  if (!found) return [line];
  const [, , slash, name = '', words = ''] = found;
  const put = (...texts: string[]): Line[] =>
    ['', ...texts, ''].map((text) => lineAt(line, text && indentOf(line.text) + text));
  const kind = admonitionKind(name);
  if (kind) {
    if (slash) return put('</md-admonition>');
    const written = [value(words, 'type'), value(words, 'color'), first(words)].map((word) =>
      admonitionKind(word ?? ''),
    );
    return put(`<md-admonition kind="${written.find(Boolean) ?? kind}"${attribute('title', value(words, 'title'))}>`);
  }
  if (name === 'tabs') return put(`<${slash}md-tabs>`);
  if (name === 'tab')
    return put(
      slash
        ? '</md-tab>'
        : `<md-tab${attribute('label', value(words, 'name') ?? value(words, 'header') ?? first(words))}>`,
    );
  if (name === 'details')
    return put(
      slash ? '</details>' : `<details><summary>${value(words, 'summary') ?? (first(words) || 'Details')}</summary>`,
    );
  return [lineAt(line, name === 'figure' || name === 'img' ? indentOf(line.text) + picture(words) : '')];
}

function picture(words: string): string {
  const source = value(words, 'src');
  return source ? `![${value(words, 'alt') ?? value(words, 'caption') ?? ''}](<${source}>)` : '';
}

function attribute(name: string, text: string | undefined): string {
  return text ? ` ${name}="${text.replaceAll('"', '&quot;')}"` : '';
}

function value(words: string, key: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${key}\\s*=\\s*(?:"([^"]*)"|\`([^\`]*)\`|([^\\s"\`]+))`).exec(words);
  return found?.slice(1).find((part) => part !== undefined);
}

function first(words: string): string {
  return (/^\s*(?:"([^"]*)"|`([^`]*)`|([^\s"`=]+)(?![\s\w]*=))/.exec(words) ?? []).slice(1).find(Boolean) ?? '';
}
