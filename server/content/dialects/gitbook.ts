import { admonitionKind } from '../plugins/admonition-kinds.ts';
import { outsideInlineCode } from './inline-code.ts';
import { type Dialect, indentOf, type Line, lineAt } from './lines.ts';

const names = 'hint|tabs|tab|embed|code|content-ref|file|stepper|step|columns|column';
// Words never reach the next tag: many unclosed ones would otherwise take quadratic time.
const tag = new RegExp(String.raw`\{%-?\s*(end)?(${names})(?![\w-])((?:"[^"{]*"|'[^'{]*'|[^%"'{])*)-?%\}`, 'g');
const begins = /\{%-?\s*(?:hint|tabs|embed|code|content-ref|file|stepper|columns)(?![\w-])/;

/** True when a source has blocks as GitBook writes them. */
export function looksLikeGitbook(lines: readonly Line[]): boolean {
  return lines.some((line) => !line.code && begins.test(line.text));
}

/** GitBook's blocks: hints, tabs, titles of code, embedded pages and files; what only arranges text leaves it. */
export const gitbook: Dialect = (lines) => {
  let title = '';
  return lines.flatMap((line) => {
    if (line.code) {
      const text = line.text + title;
      title = '';
      return [{ ...line, text }];
    }
    if (!line.text.includes('{%')) return [line];
    const text = outsideInlineCode(line.text, (part) =>
      part.replace(tag, (_, end: string | undefined, name: string, words: string) => {
        if (name === 'code') title = end ? '' : codeWords(words);
        const element = elements.get(name);
        return `\n\n${(end ? element?.close : element?.open(words)) ?? ''}\n\n`;
      }),
    );
    // What becomes markdown has lines of its own.
    return text === line.text
      ? [line]
      : text.split('\n').map((part) => lineAt(line, part.trim() && indentOf(line.text) + part.trim()));
  });
};

const elements = new Map<string, { open(words: string): string; close: string }>([
  [
    'hint',
    {
      open: (words) => `<md-admonition kind="${admonitionKind(attribute(words, 'style') ?? '') ?? 'info'}">`,
      close: '</md-admonition>',
    },
  ],
  ['tabs', { open: () => '<md-tabs>', close: '</md-tabs>' }],
  ['tab', { open: (words) => `<md-tab label="${labelIn(words)}">`, close: '</md-tab>' }],
  ['embed', { open: (words) => linkTo(attribute(words, 'url')), close: '' }],
  ['file', { open: (words) => linkTo(attribute(words, 'src')), close: '' }],
]);

function labelIn(words: string): string {
  return (attribute(words, 'title') ?? words.trim()).replaceAll('"', '&quot;');
}

function linkTo(address = ''): string {
  return `[${address.split('/').at(-1) || address}](<${address}>)`;
}

function codeWords(words: string): string {
  const title = attribute(words, 'title');
  const numbers = attribute(words, 'lineNumbers') === 'true' ? ' showLineNumbers' : '';
  return (title ? ` title="${title}"` : '') + numbers;
}

function attribute(words: string, name: string): string | undefined {
  const found = new RegExp(String.raw`\b${name}=(?:"([^"]*)"|'([^']*)')`).exec(words);
  return found?.[1] ?? found?.[2];
}
