/** Hugo's shortcodes: the few with a meaning become markdown, the others leave their content. */
import { admonitionKind } from '../plugins/admonition-kinds.ts';
import { type Dialect, indentOf, type Line, lineAt } from './lines.ts';

const shortcode = /\{\{([<%])\s*(\/?)\s*([\w./-]+)((?:"[^"]*"|`[^`]*`|[^"`>%]|[>%](?!\}\}))*?)\s*\/?\s*[>%]\}\}/g;
const escaped = /\{\{([<%])\/\*\s?([\s\S]*?)\s?\*\/([>%])\}\}/g;

export const hugo: Dialect = (lines) => {
  let listing = false;
  return lines.flatMap((line) => {
    if (line.code) return [{ ...line, text: unescaped(line.text) }];
    const alone = /^\s*(?:>\s*)*\{\{[<%][^{}]*[>%]\}\}\s*$/.test(line.text);
    const mark = alone ? /\{\{[<%]\s*(\/?)(highlight|code-toggle|code)\b\s*([^{}]*?)\s*[>%]\}\}/.exec(line.text) : null;
    if (mark) {
      listing = mark[1] !== '/';
      return [{ ...lineAt(line, indentOf(line.text) + fence(mark)), code: true }];
    }
    if (listing) return [{ ...line, code: true }];
    if (!line.text.includes('{{')) return [line];
    return alone ? block(line) : [{ ...line, text: unescaped(line.text.replace(shortcode, (...found) => inline(found[3], found[4]))) }];
  });
};

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
  if (name === 'figure') return picture(words ?? '');
  return '';
}

/** A shortcode alone on its line opens or closes a block. */
function block(line: Line): Line[] {
  shortcode.lastIndex = 0;
  const found = shortcode.exec(line.text);
  if (!found) return [line];
  const [, , slash, name = '', words = ''] = found;
  const put = (...texts: string[]): Line[] => ['', ...texts, ''].map((text) => lineAt(line, text && indentOf(line.text) + text));
  const kind = admonitionKind(name);
  if (kind) {
    if (slash) return put('</md-admonition>');
    const written = [value(words, 'type'), value(words, 'color'), first(words)].map((word) => admonitionKind(word ?? ''));
    return put(`<md-admonition kind="${written.find(Boolean) ?? kind}"${attribute('title', value(words, 'title'))}>`);
  }
  if (name === 'tabs') return put(`<${slash}md-tabs>`);
  if (name === 'tab') return put(slash ? '</md-tab>' : `<md-tab${attribute('label', value(words, 'name') ?? value(words, 'header') ?? first(words))}>`);
  if (name === 'details') return put(slash ? '</details>' : `<details><summary>${value(words, 'summary') ?? (first(words) || 'Details')}</summary>`);
  return [lineAt(line, name === 'figure' ? indentOf(line.text) + picture(words) : '')];
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
